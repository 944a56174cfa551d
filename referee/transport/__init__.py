"""The wire: the only place that knows gRPC.

`bridge` runs asyncio (for grpc.aio) and trio in one thread, `service` carries bytes between gRPC and the sessions,
`session` is what a bot's messages mean, `connections` which bots are there, `lobby` which bots play each other, `auth`
which bots may come in, `messages` how matches look on the wire (with `referee.codec` for each game's own part), and
`server` puts the parts together.
"""
