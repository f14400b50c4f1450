"""Faults planted in a copy of the service, one at a time, to test the tests.

    python -m bench.planted --report planted.md      # all faults, about 20 s each on an idle machine
    python -m bench.planted votes lenient-host       # the faults of a subject, and one by its name
    python -m bench.planted --check                  # only check that they can be planted
    python -m bench.planted --at dae3723 votes       # in the code of a commit

A fault names no file: its snippet must occur exactly once in the whole tree. Its likely tests are named by
module or function. So the list in `faults/` stays valid when modules move.
"""
