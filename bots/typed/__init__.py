"""Asks and bots of one game each, as types that an editor completes and a type checker follows.

    from kumite import HonshuAsk, HonshuBot, HonshuOption

    class Mine(HonshuBot):
        def decide(self, ask: HonshuAsk) -> HonshuOption:
            match ask.kind:
                case "place":
                    return max(ask.options, key=lambda option: option.mask.bit_count())
                case _:
                    return ask.options[0]

`HonshuAsk` is the union of the game's asks, one for each kind: inside `case "place"` the view is Honshu's `View` and
the options are a sequence of `Placement`. An ask is the same object for every game at run time. Every game has a
module here; `kumite` has the names of all of them.
"""
