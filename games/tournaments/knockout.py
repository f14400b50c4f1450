"""Knock-out: who meets whom, and who goes on."""

from collections.abc import Sequence

from games.tournaments.pairing import sizes_of

Tables = tuple[tuple[int, ...], ...]


def seeded_tables(order: Sequence[int], *, size: int, larger: bool = True) -> Tables:
    """Return tables of players in the order of their strength, the best of them at tables of their own.

    Of two at a table, as many as it takes to leave a power of two have a bye in the first round.

    >>> seeded_tables([1, 2, 3, 4], size=2)
    ((1, 4), (2, 3))
    >>> seeded_tables([1, 2, 3, 4, 5, 6], size=2)
    ((1,), (2,), (3, 6), (4, 5))
    >>> seeded_tables([1, 2, 3, 4, 5, 6, 7], size=4)
    ((1, 4, 5), (2, 3, 6, 7))
    """
    if size == 2 and len(order) > 1:
        power = 1 << (len(order) - 1).bit_length()
        byes = power - len(order)
        rest = order[byes:]
        pairs = zip(rest[: len(rest) // 2], reversed(rest[len(rest) // 2 :]), strict=True)
        return (*((key,) for key in order[:byes]), *pairs)
    sizes = sorted(sizes_of(len(order), size, larger=larger))
    tables: list[list[int]] = [[] for _ in sizes]
    forward, left = True, list(order)
    while left:
        for number in range(len(sizes)) if forward else reversed(range(len(sizes))):
            if left and len(tables[number]) < sizes[number]:
                tables[number].append(left.pop(0))
        forward = not forward
    return tuple(tuple(table) for table in tables)


def going_on(size: int) -> int:
    """Return how many of each table go on to the next round: of four and more, two.

    >>> [going_on(size) for size in (2, 3, 4, 8)]
    [1, 1, 2, 2]
    """
    return 1 if size < 4 else 2
