"""How pages say and draw what they know: words and figures, first sentences, plots."""
