"""A season at a running referee: what surrounds it for as long as bots can connect.

`season_file` prepares a season from a ladder file; `served_season` runs it, an event included. `season_bots` are the
processes that the referee's host starts, `season_bot_logs` what they print; `directory` says who may play, `rulings`
what organisers decided, `standings_publisher` publishes the batch fit from a process of its own. `sockets` are the unix
sockets of the referee's own bots and of its organiser, and `admin_client` calls the admin service from outside.
"""
