"""The replay file of the viewer: a match as every seat saw it, made from its record.

`replay_file` makes the file, `patch` is its format of changes, `replay.schema.json` describes the file for programs in
any language. What draws it stands in `ladder/web/viewer`; docs/viewer.md tells how the two fit together.
"""
