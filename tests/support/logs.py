"""Print a hash of events and states for each random game of all rulesets.

RULES=compiled python -m tests.support.logs 300
"""

import sys
from hashlib import sha256

from bench.random_games import KEYS, game_of

TURNS = 20
"""The number of turns in each random game."""


def log_of(seed: int) -> str:
    digest = sha256()
    for outcome in game_of(seed).turns(TURNS):
        digest.update(repr((outcome.events, outcome.state)).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    for seed in range(int(sys.argv[1])):
        sys.stdout.write(f"{KEYS[seed % len(KEYS)]} {seed} {log_of(seed)}\n")
