"""The ladder's database: the only package that opens it.

One SQLite file in WAL mode, written by one process at a time (a lock file keeps a second writer out). Everything that a
season does goes through here in small transactions, so the file is whole after `kill -9` at any moment. `records` has
the rows as values, for every other room; `derivation` derives ids and secrets of a season's matches. `file` opens the
database, `sealed` keeps it safe to show with the host's key of `host_key`, `schema` declares its tables, and one module
for each kind of thing reads and writes them: `seasons`, `matches`, `listed_matches`, `imports`, `bot_logs`, `events`,
`ratings`, `rulings`, `tokens`, `sessions`. `database.Store` is all of these in one object; `backup` copies the file and
the key.

This file imports nothing, so that a worker that needs `records` alone does not load the database libraries.
"""
