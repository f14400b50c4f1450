"""Faults planted in a copy of the service, one at a time: which of them do the tests find?

    python -m bench.planted --report planted.md      # all of them, some 20 s each on a machine that is idle
    python -m bench.planted votes lenient-host       # those of a subject, and one by its name
    python -m bench.planted --check                  # only whether they can be planted
    python -m bench.planted --at dae3723 votes       # in the code as of a commit

A fault names no file: its snippet is searched in the whole tree, and must be there exactly once. Its likely
tests are named by module or function. So the list in `faults/` holds when modules move.
"""
