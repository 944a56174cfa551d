"""The rules kit: what every game is made of. Standard library only, nothing else of Kumite.

`game` is the contract, `chance` the luck, `frames` compound turns and the game object, `turns` the loop around the
rules, `plain` canonical JSON and fingerprints, `reading` typed fields of plain data, `grid` bit boards, `components`
the card and board data, `registry` the list of games, `errors` the one tree of exceptions.
"""
