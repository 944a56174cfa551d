"""Pure statistics of match results: ratings for two to five players, sequential tests, and what they cannot say.

Nothing here knows a game, a bot or a database: results go in as arrays of places, numbers come out. `results` is the
form of the input and has the score by places, `glicko` is the rating after every match, `plackett_luce` the published
one (`likelihood` and `maximum` its fit, `connection` what can be compared, `intervals` and `profile` how sure it is),
`sprt` the sequential test, `estimate` what it says about strength, `nontransitivity` the report on non-transitivity.
Conventions: place 1 is best, equal numbers are shared places, rating differences are in Elo,
L(x) = 1 / (1 + 10^(-x/400)).
"""
