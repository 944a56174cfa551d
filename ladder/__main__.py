"""`python -m ladder` is `kumite`."""

from ladder.cli import main

if __name__ == "__main__":
    main()
