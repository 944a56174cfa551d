"""Everything around the referee: the command line, benchmarks, and the ladders that rate bots."""
