"""What happens now, as server-sent events (SSE): the tables that run, and one table as it goes on.

`hub` follows the referee's WatchService once for all readers of this process; `ladder.web.live_routes` has the event
streams. Where no
referee is reachable the streams say so, and pages show history alone.
"""
