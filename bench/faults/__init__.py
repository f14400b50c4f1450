"""The fault test: the real site, whose parts are killed while many games are played on it.

    python -m bench.faults                             # 200 games, 100 kills: some 20 minutes
    python -m bench.faults --games 6 --kills 6 --minutes 0.2 --hurry

What it does and what it found is in `docs/reliability.md`.
"""
