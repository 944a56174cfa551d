#!/bin/sh
# Two referees play evenings of their own; then their matches are one ladder.
# Usage: examples/merging/merge.sh FOLDER [MATCHES]; `kumite` must be on the PATH.
set -eu
cd "$1"
matches=${2:-12}

# evening NAME BOT... : a referee with a database of its own, and the three bots that come to it. Tables have three seats,
# so every match waits until all three are there.
evening() {
    name=$1
    shift
    kumite serve --db "$name.sqlite" --bind "unix:$PWD/$name.sock" --table edo_yashiki:3 --matches "$matches" &
    for bot in "$@"; do
        kumite join "${bot#*=}" --name "${bot%%=*}" --address "unix:$PWD/$name.sock" --quiet &
    done
    wait
}

evening north greedy=greedy dice=random nora=random
evening south greedy=greedy dice=random sven=random

# What was played in the south, as JSON lines: records, and where they stand.
kumite export south.sqlite --out south.jsonl

# Into the ladder of the north: greedy and dice are the same bots there (--merge).
kumite import north.sqlite south.jsonl --merge

# Everything can be reached from there: a list, one match, its proof, and one table of standings.
kumite matches north.sqlite --bot sven
kumite matches north.sqlite --bot sven --json > sven.json
match=$(sed -n 's/^ *"match": "\([0-9a-f]*\)".*/\1/p' sven.json | head -n 1)
kumite replay "north.sqlite:$match" --seat 0 | tail -n 5
kumite verify "north.sqlite:$match"
kumite ladder standings north.sqlite
