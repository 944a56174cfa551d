"""Play in the browser: a person's seat is an ordinary session of the protocol, held by the process of the pages.

`session` holds the `Play` stream of one seat, `drawing` turns what came into what a page needs, `seats` keeps the
sessions of all browsers within bounds, `desk` calls the referee for tables, `offer` and
`hints` say what can be chosen and what greedy would do.
"""
