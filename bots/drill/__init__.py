"""A hosted bot that plays at random and tries to break out: the drill of `kumite doctor --drill` and of the tests.

The folder is a hosted bot with its own `bot.toml`. The bot prints one line per attempt, `drill NAME denied REASON` or
`drill NAME GOT WHAT`; `attempts` must fail at once, `bombs` must end the bot.
"""
