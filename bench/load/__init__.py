"""Load tests: a site on one machine with very many games, and people who play on it.

    python -m bench.load flat                   # the sweeper and My Room, at 1,000 to 1,000,000 games
    python -m bench.load play                   # 10,000 running games, 2,000 submissions a minute
    python -m bench.load flat --help

`docs/scaling.md` describes the tests and their results.
"""
