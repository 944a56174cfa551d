"""Matches on their way from one referee's database to another's.

`match_lines` is the format, JSON lines with one match in each; `exporting` writes such a file from a database, and
`importing` verifies every match of one and stores all of them or none.
"""
