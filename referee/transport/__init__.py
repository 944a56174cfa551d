"""The wire: the only place that knows gRPC.

`bridge` runs asyncio (for grpc.aio) and trio in one thread. `service` carries bytes between gRPC and the sessions,
`share` divides the loop's time between them. `connections` knows the streams and bots, `session` acts on a bot's
messages, `lobby` opens tables, `auth` checks tokens, `messages` writes matches as protobuf (with `referee.codec` for
each game's own part). `control` carries out the organiser's acts, and `server` puts the parts together.
"""
