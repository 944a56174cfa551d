"""Bots as local processes: the settings of a bot's folder (`manifest`), the walls (`sandbox`), the run (`launch`)."""
