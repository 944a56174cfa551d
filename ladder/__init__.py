"""Everything around the referee: the command line, benchmarks, and the ladders that rate bots.

Each room imports only rooms that stand above it in this list:

- `ratings` and `pairing`: statistics of results, and who plays whom next, as pure functions
- `store`: the database and its rows as values
- `arena`: where matches run (`play`, `workers`), and the `gate`
- `config`: the ladder file
- `seasons`: planned and open seasons, standings
- `events`: tournaments in rounds
- `serving`: a season at a running referee
- `exchange`: matches from one database to another
- `check`, `bench`: the drills of `kumite check`, the figures of `kumite bench`
- `cli`: the commands

What every room may use lies here: `escaping`, `terminal_tables`, `times`.
"""
