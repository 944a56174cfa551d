"""What an organiser writes before a season: the ladder file.

`ladder_file` reads the whole file, `event_file` its table `[event]` into the `event_rules`; `offers` are the tables
that a referee offers; `toml_reading` names file, line, key and allowed values of each mistake.
"""
