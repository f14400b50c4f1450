"""The costs of orders, turns and pages, in real processor time.

    python -m bench.costs                   # a table
    python -m bench.costs --statements      # and each statement sent to Postgres
    python -m bench.costs --help

It measures a web process, a worker and Postgres. To see the effect of a change, run it in both checkouts, one
after the other. `bench.costs.pages` declares the requests of an open page. `docs/scaling.md` has the results.
"""
