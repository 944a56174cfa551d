"""What `kumite bench` measures. Machines are noisy and differ, so every figure comes with a ratio from the same run.

`rules` has the speed of the games, `wire` and `bundling` of decisions over gRPC (`bench_bots` are the bots of both
sides), `hosting` of bots behind walls, `seasons` of a ladder with its database, `ratings` of a fit. `gate_table` and
`gate_simulated` count the sets that the gate needs, on the real sets of `slips` and on sets of a model.
"""
