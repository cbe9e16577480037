"""`python -m discardrack`: the command `discardrack`."""

from replay.cli import main

if __name__ == "__main__":
    main(prog_name="discardrack")
