#!/bin/sh
# Writes the figures of a running referee to a file for node exporter's textfile collector.
# Usage: write-metrics.sh DATABASE FOLDER; `kumite` must be on the PATH.
set -eu
target="$2/kumite.prom"
trap 'rm -f "$target.$$"' EXIT
kumite admin metrics --db "$1" > "$target.$$"
mv "$target.$$" "$target"
