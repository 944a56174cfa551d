"""Tests of the wire: without I/O on virtual time where that is possible, over real gRPC on loopback where it counts."""
