"""A hosted bot that plays at random and tries to break out: the drill of `kumite doctor --drill` and of the tests.

The folder is a bot of its own (`bot.toml`). It prints one line per attempt, `drill NAME denied REASON` or
`drill NAME GOT WHAT`; `attempts` are those that must fail at once, `bombs` those that must end the bot.
"""
