"""Scripts for those who work on Kumite; none of them is installed."""
