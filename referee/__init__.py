"""The referee: authoritative game state, hidden information, clocks and the wire.

Layers, each importing only what stands above it: `kernel` (the rules kit), `games` (the rules of each game), `match`
(one match, without I/O), `transport` (gRPC) and `hosting` (bots as local processes).
"""

__version__ = "0.1.0"
