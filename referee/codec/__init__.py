"""How a game's views and options travel: `<game>/encode.py` writes protobuf bytes, `<game>/decode.py` reads them back.

The two directions stand side by side in one folder a game, in two files: an encoder runs in the referee and may import
nothing of its game but the view, so that no secret of the state can reach the wire; a decoder runs in a bot and builds
the game's own values. Tables from words to the numbers of the wire stand in the encoder, and the decoder turns them
round. `encoding` and `decoding` find the module of a game by name, and `protobuf_bytes` writes fields.
"""
