"""One match: the state machine, its clocks, faults and record, and the two drivers.

`match` is the state machine, without I/O and without reading a clock: a `plan` goes in, `outputs` come out; `clock`,
`policy`, `seat` and `event_log` are its parts. `record` is the stored form of a match, `terms` its header, `files`
stores records as JSON lines; `replay` plays a record again and `verify` proves that the record is honest. `inprocess`
drives a match between bots of this process in a plain loop, `table` a match between remote seats on trio; `protocols`
declares what the drivers need from other packages. The kernel's registry finds the game: no module here names one.
"""
