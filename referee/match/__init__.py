"""One match: the state machine, its clocks, faults and record, and what drives it.

`match` is the core (no I/O, no clock reading), with `clock`, `policy`, `terms` and `outputs` around it; `record` what
is kept of a match, `files` where it is kept as JSON lines, `replay` and `verify` what can be made of it. `local` drives
a match between bots of this process in a plain loop, `table` drives one between remote seats on trio. Games come by
the registry of the kernel; nothing here knows one from another.
"""
