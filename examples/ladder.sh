#!/bin/sh
# Plays examples/ladder.toml with two visitors: bots that connect to the season's referee from processes of their own.
# Usage: examples/ladder.sh [TIME]; `kumite` must be on the PATH.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
address="unix:$folder/referee.sock"
trap 'kill $visitors 2>/dev/null || true; rm -rf "$folder"' EXIT
kumite join greedy --name visitor-greedy --address "$address" --tables 2 --quiet &
visitors=$!
kumite join random --name visitor-dice --address "$address" --tables 2 --quiet &
visitors="$visitors $!"
kumite ladder run examples/ladder.toml --bind "$address" --for "${1:-60s}"
command=$(command -v kumite)
echo "Look at the result in a browser: ${command#"$PWD/"} web examples/ladder.toml"
