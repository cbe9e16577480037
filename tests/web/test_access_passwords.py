"""Cost of a password for whoever steals the file of accounts, if a test has not made it cheap."""

import subprocess
import sys
from typing import Final

# In a process of its own, as the console is.
KEPT: Final = """
from projections.web.auth.accounts import hashed
print(hashed("three small green lamps"))
"""


def test_passwords_are_hashed_with_the_second_recommendation_of_rfc_9106() -> None:
    """RFC 9106, section 4: argon2id, 3 passes over 64 MiB in 4 lanes, a salt of 128 bits, a tag of 256."""
    kept = subprocess.run([sys.executable, "-c", KEPT], capture_output=True, text=True, check=True).stdout  # noqa: S603  ours
    _, kind, version, cost, salt, tag = kept.strip().split("$")
    assert (kind, version, cost) == ("argon2id", "v=19", "m=65536,t=3,p=4")
    assert (len(salt), len(tag)) == (22, 43)  # six bits in a letter: 128 and 256 bits
