"""Where matches between bots of this machine run, and what is decided from them.

`entrants` says what a spec stands for; `host_settings`, `bot_processes` and `orphans` start its process where the bot
has one. `play` carries out one match in this process, `play_processes` one between processes; `jobs`, `job_lines` and
`bundles` are a match as data, and `workers` the places that carry jobs out: this process, processes of this machine, a
cluster. `bot_output`, `seat_logs`, `bot_log_lines` and `fault_lines` keep and show what bots printed and did wrong.
`gate` tests a new bot against an old one; `sandbox_drill` plays a match with a bot that tries to break out.
"""
