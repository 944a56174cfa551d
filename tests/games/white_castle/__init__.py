"""Tests of The White Castle. `tables` sets up the situations; E and T in test names are the vectors of W-20."""
