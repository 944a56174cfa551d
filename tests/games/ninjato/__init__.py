"""The rules of Ninjato, tested by their numbers; `stage` sets the table for a test."""
