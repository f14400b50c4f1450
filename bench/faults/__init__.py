"""The fault test: the real site, whose parts are killed, or whose rows are poisoned, while games are played.

    python -m bench.faults                             # 200 games, 100 kills: some 20 minutes
    python -m bench.faults --games 6 --kills 6 --minutes 0.2 --hurry
    python -m bench.faults --poison                    # every column made unreadable: see docs/reliability.md
    python -m bench.faults --poison --most 10 --healthy 3 --hurry

What it does and what it found is in `docs/reliability.md`.
"""
