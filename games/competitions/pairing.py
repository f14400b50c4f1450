"""Seat players at the tables of a round, and avoid repeated pairs if possible.

Two-player tables are a perfect matching of minimum cost, found by Edmonds's blossom algorithm (1965).
"""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final

# --- Pairs of least total cost ------------------------------------------------------------------------------


Edge = tuple[int, int]

FREE: Final = -1
EVEN: Final = 0
ODD: Final = 1


def least_cost_pairs(costs: Mapping[Edge, int]) -> list[Edge]:
    """Pair all vertices of a graph at the least total cost, and return the pairs.

    ``costs`` has the cost of each possible pair. The smaller vertex of a pair comes first. Raises ValueError
    if the possible pairs cannot give every vertex a partner.

    >>> least_cost_pairs({(0, 1): 1, (1, 2): 0, (2, 3): 1, (0, 3): 9})
    [(0, 1), (2, 3)]
    """
    search = _Matching(costs)
    while search.unpaired():
        search.pair_two_more()
    mate = search.mate
    return sorted((one, mate[one]) for one in search.vertices if one < mate[one])


class _Matching:
    """The state of Edmonds's blossom algorithm.

    Its nodes are vertices and blossoms (odd cycles, treated as one node). Blossoms have negative numbers, and
    vertices do not. A node of a search tree is even or odd by its distance from the root.
    """

    def __init__(self, costs: Mapping[Edge, int]) -> None:
        most = max(costs.values(), default=0)
        self.weight: dict[Edge, int] = {}
        self.edges: dict[int, dict[int, Edge]] = {}
        """The best edge between each two nodes (vertices or blossoms), as a pair of vertices."""
        for (one, other), cost in costs.items():
            self.weight[one, other] = self.weight[other, one] = 2 * (most - cost)
            self.edges.setdefault(one, {})[other] = (one, other)
            self.edges.setdefault(other, {})[one] = (other, one)
        self.vertices = sorted(self.edges)
        self.label = dict.fromkeys(self.vertices, max(self.weight.values(), default=0))
        self.mate: dict[int, int] = {}
        """For each node (vertex or blossom) with a partner: the vertex at the far end of their edge."""
        self.outermost = {one: one for one in self.vertices}
        """For each node (vertex or blossom): the outermost blossom that contains it, or else the node."""
        self.parent: dict[int, int] = {}
        self.state: dict[int, int] = {}
        self.nearest_even: dict[int, int] = {}
        """For each node (vertex or blossom): the vertex in an even node with the tightest edge to it."""
        self.members: dict[int, list[int]] = {}
        self.member_of: dict[int, dict[int, int]] = {}
        """For each blossom, and each vertex in it: the member of the blossom that contains the vertex."""
        self.queue: deque[int] = deque()
        self.blossoms = 0

    def unpaired(self) -> bool:
        """Return whether a vertex has no partner yet."""
        return any(one not in self.mate for one in self.vertices)

    def pair_two_more(self) -> None:
        """Find a path between two vertices without partners, and change the pairs along it.

        After that, both vertices have partners.
        """
        nodes = {*self.vertices, *self.members}
        self.state = dict.fromkeys(nodes, FREE)
        self.nearest_even, self.parent = {}, {}
        self.queue.clear()
        for each in sorted(nodes):
            if self.outermost[each] == each and each not in self.mate:
                self.state[each] = EVEN
                self._enqueue(each)
        while True:
            while self.queue:
                one = self.queue.popleft()
                if self.state[self.outermost[one]] == ODD:
                    continue
                for other, edge in list(self.edges[one].items()):
                    if other < 0 or self.outermost[one] == self.outermost[other]:
                        continue
                    if self._gap(edge):
                        self._note_nearest(one, self.outermost[other])
                    elif self._follow(edge):
                        return
            self._move_labels()
            for each in self._outermost_nodes():
                near = self.nearest_even.get(each)
                if near is None or self.outermost[near] == each:
                    continue
                edge = self.edges[near][each]
                if not self._gap(edge) and self._follow(edge):
                    return
            for each in [each for each in self._outermost_nodes() if each < 0]:
                if self.outermost.get(each) == each and self.state[each] == ODD and not self.label[each]:
                    self._expand(each)

    def _outermost_nodes(self) -> list[int]:
        return [each for each in (*self.vertices, *self.members) if self.outermost[each] == each]

    def _gap(self, edge: Edge) -> int:
        one, other = edge
        return self.label[one] + self.label[other] - 2 * self.weight[edge]

    def _move_labels(self) -> None:
        steps = []
        for each in self._outermost_nodes():
            if each < 0 and self.state[each] == ODD:
                steps.append(self.label[each] // 2)
            near = self.nearest_even.get(each)
            if near is not None and self.outermost[near] != each:
                gap = self._gap(self.edges[near][each])
                if self.state[each] == FREE:
                    steps.append(gap)
                elif self.state[each] == EVEN:
                    steps.append(gap // 2)
        if not steps:
            raise ValueError("these pairs leave a vertex over")
        step = min(steps)
        for one in self.vertices:
            state = self.state[self.outermost[one]]
            if state != FREE:
                self.label[one] += step if state == ODD else -step
        for each in self.members:
            if self.outermost[each] == each and self.state[each] != FREE:
                self.label[each] += 2 * step if self.state[each] == EVEN else -2 * step

    def _note_nearest(self, one: int, node: int) -> None:
        near = self.nearest_even.get(node)
        if near is None or self._gap(self.edges[one][node]) < self._gap(self.edges[near][node]):
            self.nearest_even[node] = one

    def _find_nearest(self, node: int) -> None:
        self.nearest_even.pop(node, None)
        for one in self.edges[node]:
            if one >= 0 and self.outermost[one] != node and self.state[self.outermost[one]] == EVEN:
                self._note_nearest(one, node)

    def _enqueue(self, each: int) -> None:
        if each >= 0:
            self.queue.append(each)
        else:
            for member in self.members[each]:
                self._enqueue(member)

    def _set_outermost(self, each: int, outermost: int) -> None:
        self.outermost[each] = outermost
        for member in self.members.get(each, ()):
            self._set_outermost(member, outermost)

    def _follow(self, edge: Edge) -> bool:
        """Grow a search tree along a tight edge. Return whether the edge joined two search trees."""
        one, other = self.outermost[edge[0]], self.outermost[edge[1]]
        if self.state[other] == FREE:
            self.parent[other] = edge[0]
            self.state[other] = ODD
            beyond = self.outermost[self.mate[other]]
            self.nearest_even.pop(other, None)
            self.nearest_even.pop(beyond, None)
            self.state[beyond] = EVEN
            self._enqueue(beyond)
        elif self.state[other] == EVEN:
            meeting = self._common_ancestor(one, other)
            if meeting is None:
                self._augment(one, other)
                self._augment(other, one)
                return True
            self._shrink(one, meeting, other)
        return False

    def _even_ancestor(self, each: int) -> int | None:
        """Return the even node two steps nearer to the root of a search tree, or None at the root."""
        if each not in self.mate:
            return None
        return self.outermost[self.parent[self.outermost[self.mate[each]]]]

    def _common_ancestor(self, one: int, other: int) -> int | None:
        """Return the node where the paths of two even nodes to their roots meet, or None if they do not."""
        seen = set()
        step: int | None = one
        while step is not None:
            seen.add(step)
            step = self._even_ancestor(step)
        step = other
        while step is not None and step not in seen:
            step = self._even_ancestor(step)
        return step

    def _augment(self, one: int, other: int) -> None:
        while True:
            before = self.mate.get(one)
            self._set_mate(one, other)
            if before is None:
                return
            odd = self.outermost[before]
            even = self.outermost[self.parent[odd]]
            self._set_mate(odd, even)
            one, other = even, odd

    def _set_mate(self, one: int, other: int) -> None:
        edge = self.edges[one][other]
        self.mate[one] = edge[1]
        if one >= 0:
            return
        start = self.member_of[one][edge[0]]
        place = self._turn(one, start)
        members = self.members[one]
        for number in range(place):
            self._set_mate(members[number], members[number ^ 1])
        self._set_mate(start, other)
        self.members[one] = members[place:] + members[:place]

    def _turn(self, blossom: int, member: int) -> int:
        """Turn the cycle of a blossom to give a member an even position. Return this position."""
        members = self.members[blossom]
        place = members.index(member)
        if place % 2:
            members[1:] = members[:0:-1]
            place = len(members) - place
        return place

    def _shrink(self, one: int, meeting: int, other: int) -> None:
        """Make a blossom of the cycle through two even nodes and their meeting node."""
        self.blossoms -= 1
        blossom = self.blossoms
        self.label[blossom], self.state[blossom] = 0, EVEN
        if meeting in self.mate:
            self.mate[blossom] = self.mate[meeting]
        members = [meeting]
        for start in (one, other):
            each = start
            while each != meeting:
                odd = self.outermost[self.mate[each]]
                members += [each, odd]
                self._enqueue(odd)
                each = self.outermost[self.parent[odd]]
            if start == one:
                members[1:] = members[:0:-1]
        self.members[blossom] = members
        self._set_outermost(blossom, blossom)
        best: dict[int, Edge] = {}
        member_of: dict[int, int] = {}
        for member in members:
            for each, edge in self.edges[member].items():
                if each not in best or self._gap(edge) < self._gap(best[each]):
                    best[each] = edge
            member_of |= dict.fromkeys(self.member_of.get(member, (member,)), member)
        self.edges[blossom], self.member_of[blossom] = best, member_of
        for each, (start, end) in best.items():
            self.edges[each][blossom] = (end, start)
        self._find_nearest(blossom)

    def _expand(self, blossom: int) -> None:
        """Replace an odd blossom in a search tree with its members."""
        for member in self.members[blossom]:
            self._set_outermost(member, member)
        start = self.member_of[blossom][self.edges[blossom][self.parent[blossom]][0]]
        place = self._turn(blossom, start)
        members = self.members[blossom]
        for number in range(0, place, 2):
            odd, even = members[number], members[number + 1]
            self.parent[odd] = self.edges[even][odd][0]
            self.state[odd], self.state[even] = ODD, EVEN
            self.nearest_even.pop(odd, None)
            self._find_nearest(even)
            self._enqueue(even)
        self.state[start], self.parent[start] = ODD, self.parent[blossom]
        for member in members[place + 1 :]:
            self.state[member] = FREE
            self._find_nearest(member)
        for each in self.edges.pop(blossom):
            self.edges[each].pop(blossom, None)
        for table in (
            self.members,
            self.member_of,
            self.outermost,
            self.state,
            self.nearest_even,
            self.label,
            self.mate,
        ):
            table.pop(blossom, None)


# --- Tables of a round --------------------------------------------------------------------------------------


MOST_AT_A_TABLE: Final = 8

POINT_SWAPS: Final = 20_000
"""The number of swaps to try, to bring the points of each table's players closer together."""

REPEAT_SWAPS: Final = 60_000
"""The number of swaps to try, to avoid repeated pairs."""

COLDEST_LEVEL: Final = 12
"""The last and coldest level of annealing. The first level is 1.

At level k, a swap that adds one repeat is accepted with probability 1/2**k.
"""

REPEAT_WEIGHT: Final = 10**18
SHORT_WEIGHT: Final = 10**14
"""The weight of tables with fewer players than others, in the cost that pairing tries to lower.

Repeated pairs weigh more (`REPEAT_WEIGHT`). Differences in points have the weight 1.
"""

Met = Mapping[tuple[int, int], int]
"""The number of earlier meetings of two players, by the pair of their keys in ascending order."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player to pair: their points, and how often they had a bye or a table with fewer players."""

    key: int
    points: int = 0
    shorts: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tables of a round, each with the keys of its players, and the flaws of these tables.

    ``repeats`` is the number of pairs that meet again. ``spread`` is the sum of squared differences in points
    between players who meet.
    """

    tables: tuple[tuple[int, ...], ...]
    repeats: int
    spread: int


def sizes_of(players: int, size: int, *, larger: bool = True) -> list[int]:
    """Return the sizes of the tables for a number of players.

    A table has ``size`` players or one fewer, if such tables can seat all players. If they cannot, but full
    tables leave just one player over and ``larger`` is set, one table has an extra player. Only tables for 3
    to 7 players can have one. Otherwise, the players are spread evenly. At two-player tables with an odd
    number of players, the last size is 1: a bye.

    >>> [sizes_of(number, 4) for number in (3, 5, 6, 8, 11, 9)]
    [[3], [5], [3, 3], [4, 4], [4, 4, 3], [3, 3, 3]]
    >>> sizes_of(5, 2), sizes_of(17, 8)
    ([2, 2, 1], [6, 6, 5])
    """
    if players <= size:
        return [players] if players else []
    tables = -(-players // size)
    larger = larger and 2 < size < MOST_AT_A_TABLE
    if larger and tables * (size - 1) > players and players % size == 1:
        return [size + 1] + [size] * (players // size - 1)
    least, more = divmod(players, tables)
    if size == 2:
        return [2] * (players // 2) + [1] * (players % 2)
    return [least + 1] * more + [least] * (tables - more)


def pair(contenders: Sequence[Contender], *, met: Met, size: int, seed: str, larger: bool = True) -> Pairing:
    """Return tables of players with similar points who have not met before, if possible.

    ``met`` counts earlier meetings, and ``size`` is the number of players at a table. If ``larger``, one
    table may have one extra player.
    """
    chance = Random(seed)
    by_key = {each.key: each for each in contenders}
    order = sorted(contenders, key=lambda each: each.key)
    chance.shuffle(order)
    order.sort(key=lambda each: -each.points)
    if size == 2:
        tables = _pairs(order, met)
    else:
        search = _Annealing(order, met, _first_tables(order, sizes_of(len(order), size, larger=larger), met))
        search.improve(chance)
        tables = [[order[place].key for place in table] for table in search.tables]
    found = tuple(tuple(sorted(table, key=lambda key: (-by_key[key].points, key))) for table in tables)
    return Pairing(found, repeats_of(found, met), sum(_spread(table, by_key) for table in found))


def _pairs(order: Sequence[Contender], met: Met) -> list[list[int]]:
    """Return the two-player tables with the least cost. If the number of players is odd, one has a bye.

    Only pairs within ``reach`` in the order are candidates, because others never improve the result. To prove
    this, let m be the largest number of opponents that a player has met. If two paired players, a and d, are
    further apart than ``reach``, then more than 2m other pairs have a player between a and d. Each such pair
    (b, c) could swap partners: (a, d) and (b, c) become (a, b) and (c, d), with no larger difference in
    points. Neither a nor d has met more than m players, so at most 2m of these swaps repeat a pair.
    """
    keys = {each.key for each in order}
    opponents = Counter(key for both, times in met.items() if times and keys.issuperset(both) for key in both)
    reach = 4 * max(opponents.values(), default=0) + 2
    costs: dict[tuple[int, int], int] = {}
    for place, one in enumerate(order):
        for other in range(place + 1, min(len(order), place + reach + 1)):
            times = met.get(pair_of(one.key, order[other].key), 0)
            costs[place, other] = times**2 * REPEAT_WEIGHT + (one.points - order[other].points) ** 2
    if len(order) % 2:
        costs |= {(place, len(order)): _short_cost(one) * SHORT_WEIGHT for place, one in enumerate(order)}
    pairs = [[place for place in both if place < len(order)] for both in least_cost_pairs(costs)]
    pairs.sort(key=lambda both: (-len(both), both))
    return [[order[place].key for place in both] for both in pairs]


def _short_cost(contender: Contender) -> int:
    """Return the cost of giving a player one more bye, or one more table with fewer players than others."""
    return contender.shorts**2 + contender.shorts


def _spread(table: Sequence[int], by_key: Mapping[int, Contender]) -> int:
    points = [by_key[key].points for key in table]
    return sum((one - other) ** 2 for one, other in combinations(points, 2))


def repeats_of(tables: Sequence[Sequence[int]], met: Met) -> int:
    """Count the pairs of players at the tables who have met before."""
    return sum(bool(met.get(pair_of(*both))) for table in tables for both in combinations(table, 2))


def pair_of(one: int, other: int) -> tuple[int, int]:
    """Return the keys of two players in ascending order, as in `Met`.

    >>> pair_of(7, 3)
    (3, 7)
    """
    return (one, other) if one < other else (other, one)


def _first_tables(order: Sequence[Contender], sizes: Sequence[int], met: Met) -> list[list[int]]:
    """Fill tables from the start of the order, each with the next players who have not met before."""
    left = list(range(len(order)))
    tables: list[list[int]] = []
    for size in sizes:
        table = [left.pop(0)]
        while len(table) < size:
            costs = [
                sum(met.get(pair_of(order[place].key, order[other].key), 0) for other in table)
                for place in left
            ]
            table.append(left.pop(costs.index(min(costs))))
        tables.append(table)
    return tables


class _Annealing:
    """Improves tables: swaps players with similar points together, then avoids repeated pairs by annealing.

    Players are given by their position in ``order``. The attribute ``repeats`` has the cost of another
    meeting for each pair of players.
    """

    def __init__(self, order: Sequence[Contender], met: Met, tables: list[list[int]]) -> None:
        self.tables = tables
        self.full = max((len(table) for table in tables), default=0)
        self.shorts = [_short_cost(each) * SHORT_WEIGHT for each in order]
        self.repeats = [[met.get(pair_of(one.key, other.key), 0) ** 2 for other in order] for one in order]
        self.costs = [
            [
                times * REPEAT_WEIGHT + (one.points - other.points) ** 2
                for other, times in zip(order, row, strict=True)
            ]
            for one, row in zip(order, self.repeats, strict=True)
        ]

    def improve(self, chance: Random) -> None:
        """Improve the tables. Keeps the result of annealing only if it has fewer repeats."""
        if len(self.tables) < 2:
            return
        self._approach(chance)
        before = [list(table) for table in self.tables]
        repeats = self._repeated()
        if repeats:
            self._anneal(chance, repeats)
            self._approach(chance)
            if self._repeated() >= repeats:
                self.tables = before

    def _repeated(self) -> int:
        return sum(self.repeats[one][other] for table in self.tables for one, other in combinations(table, 2))

    def _approach(self, chance: Random) -> None:
        """Try random swaps of players. Keep each swap that lowers the total cost."""
        for _ in range(POINT_SWAPS):
            one, here, other, there = self._exchange(chance)
            change = self._change(self.costs, one, here, other, there)
            if len(one) < self.full:
                change += self.shorts[other[there]] - self.shorts[one[here]]
            if len(other) < self.full:
                change += self.shorts[one[here]] - self.shorts[other[there]]
            if change < 0:
                one[here], other[there] = other[there], one[here]

    def _anneal(self, chance: Random, repeats: int) -> None:
        """Swap players by annealing to lower the total cost of repeated pairs.

        ``repeats`` is this cost before the first swap. Early swaps may also raise it.
        """
        least, best = repeats, [list(table) for table in self.tables]
        for step in range(REPEAT_SWAPS):
            one, here, other, there = self._exchange(chance)
            change = self._change(self.repeats, one, here, other, there)
            level = 1 + step * COLDEST_LEVEL // REPEAT_SWAPS
            if change > 0 and chance.getrandbits(change * level):
                continue
            one[here], other[there] = other[there], one[here]
            repeats += change
            if repeats < least:
                least, best = repeats, [list(table) for table in self.tables]
                if not repeats:
                    break
        self.tables = best

    def _exchange(self, chance: Random) -> tuple[list[int], int, list[int], int]:
        """Choose two tables and a seat at each of them at random. Return them as table, seat, table, seat."""
        tables, drawn = self.tables, chance.random
        number = int(drawn() * len(tables))
        one = tables[number]
        other = tables[(number + 1 + int(drawn() * (len(tables) - 1))) % len(tables)]
        return one, int(drawn() * len(one)), other, int(drawn() * len(other))

    @staticmethod
    def _change(
        costs: Sequence[Sequence[int]], one: Sequence[int], here: int, other: Sequence[int], there: int
    ) -> int:
        """Return the change of the total cost if the players of two seats swap places."""
        leaves, comes = costs[one[here]], costs[other[there]]
        change = -2 * leaves[other[there]]  # the loops count these two as if they met at both tables
        for each in one:
            change += comes[each] - leaves[each]
        for each in other:
            change += leaves[each] - comes[each]
        return change


def starts_of(table: Sequence[int], used: Mapping[tuple[int, int], int], *, seed: str) -> list[int]:
    """Return the players of a table in seat order. Gives players the seats that they have had least often.

    ``used`` counts how often each player had each seat, by player and seat number (from 1).
    """
    order = sorted(table)
    Random(seed).shuffle(order)

    def cost(key: int, place: int) -> int:
        return used.get((key, place + 1), 0) ** 2

    improved = True
    while improved:
        improved = False
        for one, other in combinations(range(len(order)), 2):
            first, second = order[one], order[other]
            if cost(second, one) + cost(first, other) < cost(first, one) + cost(second, other):
                order[one], order[other], improved = second, first, True
    return order
