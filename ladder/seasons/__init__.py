"""Seasons: which matches are played next, how each is stored and rated, and the standings that follow.

`season` plays a planned schedule on workers, `planned_season` the same schedule with bots that connect to a referee.
`open_season` pairs the bots that are present, by `open_tables`. Both find their rating pools with `pools` and store
their matches through `rated_matches`, which tells each bot the rating of `quick_ratings`. `standings` folds stored
results into ratings, `published_standings` shows them, `cross_table` has the results of every pair, and `nights`
compares two runs.
"""
