"""Test for faults: play games on a real site while its parts are killed or its rows poisoned.

    python -m bench.faults                             # 200 games, 100 kills: about 20 minutes
    python -m bench.faults --games 6 --kills 6 --minutes 0.2 --hurry
    python -m bench.faults --announce 10000            # count the announcements of 10,000 turns
    python -m bench.faults --poison                    # make every column unreadable: see docs/reliability.md
    python -m bench.faults --poison --most 10 --healthy 3 --hurry

`docs/reliability.md` describes the test and its results.
"""
