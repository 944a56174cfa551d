"""The wire: the only place that knows gRPC.

`bridge` runs asyncio (for grpc.aio) and trio in one thread, `service` carries bytes between gRPC and the sessions,
`session` is what a bot's messages mean, `hall` who is there, `lobby` who plays whom, `auth` who may come in, `messages`
and `translate` how matches look on the wire, and `server` puts it all together.
"""
