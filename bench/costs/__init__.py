"""Measure the processor time of orders, turns and pages on a running site.

    python -m bench.costs                   # a table
    python -m bench.costs --statements      # and each statement sent to Postgres
    python -m bench.costs --help

It measures a web process, a worker and Postgres. To see the effect of a change, run it in checkouts without
and with the change, one after the other. `bench.costs.pages` declares the requests of an open page.
`docs/scaling.md` has the results.
"""
