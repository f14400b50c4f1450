"""Test the tests: plant faults in a copy of the service, one at a time, and see which tests fail.

    python -m bench.planted --report planted.md      # all faults, about 20 s each on an idle machine
    python -m bench.planted votes lenient-host       # the faults of a subject, and one by its name
    python -m bench.planted --check                  # only check that they can be planted
    python -m bench.planted --at dae3723 votes       # in the code of a commit

A fault names no file. Instead, its snippet of code must occur exactly once in the whole source tree. The
tests that are likely to find it are named by module or function, without a directory. So the list in
`faults/` stays valid when modules move.
"""
