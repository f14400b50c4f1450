"""What those who run the service see of it: signs of life, measurements, the log.

`docs/operations.md` tells what to do with them.
"""
