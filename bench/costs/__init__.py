"""What orders, turns and pages cost, in processor time of a real web process, a real worker and Postgres.

    python -m bench.costs                   # a table
    python -m bench.costs --statements      # and each statement that Postgres was given
    python -m bench.costs --help

It runs in any checkout: two of them, one after the other in one sitting, show what a change brings. What an
open page fetches is declared once, in `bench.costs.pages`. `docs/scaling.md` says what was found.
"""
