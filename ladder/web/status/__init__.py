"""Status for organisers, behind a login with an admin token: how the referee is, and the acts of `kumite admin`.

`sessions` knows which browsers have logged in, `facts` asks the referee (or reads the database where none runs),
`acts` says what each act does and calls the referee; `ladder.web.status_routes` joins the three. Nothing is cached.
"""
