"""Bots as local processes: what a folder says about itself (`manifest`), its walls (`sandbox`), its run (`launch`)."""
