"""Drills any bot with a scripted referee: `kumite check`.

The real rules, clocks and encoders are used, but the script decides what is sent and when streams break, so that every
situation of the protocol happens exactly once and on purpose. `script_server` is the wire, `scripted_table` one
match, `checked_bot` the bot as a script meets it; `drills`, `disturbances` and `farewells` are the scripts,
`examination` runs them in order, with `host` for the bot's process. `outcomes` are how a drill can end, `transcript`
what was said on the wire.
"""
