"""Language models as entrants: a server of the Model Context Protocol whose clients sit at a referee as bots.

`seat` is one client's bot: the kit's session in a thread, whose `decide` waits for a tool call. `seats` holds the bots
of all clients, `texts` what the tools print, `server` the tools and both transports.
"""
