"""Pairs of least total cost: a perfect matching by Edmonds's blossom algorithm (1965), with labels.

Each vertex has a label. An edge is tight if the labels at its ends add up to twice its weight. The algorithm
grows trees of tight edges from the vertices without a partner, shrinks each odd cycle to a blossom, and moves
the labels until two trees meet. Complementary slackness proves that no other pairs cost less. All numbers are
integers, so the result is exact.
"""

from collections import deque
from collections.abc import Mapping
from typing import Final

Edge = tuple[int, int]

FREE: Final = -1
EVEN: Final = 0
ODD: Final = 1


def least_cost_pairs(costs: Mapping[Edge, int]) -> list[Edge]:
    """Return pairs of vertices with the least total cost, so that each vertex is in one pair.

    ``costs`` holds the pairs that are possible, as (smaller, larger). Raises ValueError if they leave a
    vertex over.

    >>> least_cost_pairs({(0, 1): 1, (1, 2): 0, (2, 3): 1, (0, 3): 9})
    [(0, 1), (2, 3)]
    """
    search = _Search(costs)
    while search.unpaired():
        search.pair_two_more()
    mate = search.mate
    return sorted((one, mate[one]) for one in search.vertices if one < mate[one])


class _Search:
    """The state of the algorithm. Blossoms have negative numbers, so vertices must not."""

    def __init__(self, costs: Mapping[Edge, int]) -> None:
        most = max(costs.values(), default=0)
        self.weight: dict[Edge, int] = {}
        self.edges: dict[int, dict[int, Edge]] = {}
        """The best edge from a vertex or blossom to another one, as its two vertices."""
        for (one, other), cost in costs.items():
            self.weight[one, other] = self.weight[other, one] = 2 * (most - cost)
            self.edges.setdefault(one, {})[other] = (one, other)
            self.edges.setdefault(other, {})[one] = (other, one)
        self.vertices = sorted(self.edges)
        self.label = dict.fromkeys(self.vertices, max(self.weight.values(), default=0))
        self.mate: dict[int, int] = {}
        """The vertex with which a vertex or blossom is paired."""
        self.top = {one: one for one in self.vertices}
        """The outermost blossom that holds a vertex or blossom."""
        self.parent: dict[int, int] = {}
        self.state: dict[int, int] = {}
        self.slack: dict[int, int] = {}
        """The even vertex with the best edge to a vertex or blossom."""
        self.members: dict[int, list[int]] = {}
        self.holder: dict[int, dict[int, int]] = {}
        """The member of a blossom that holds a vertex."""
        self.queue: deque[int] = deque()
        self.blossoms = 0

    def unpaired(self) -> bool:
        """Return whether a vertex has no partner yet."""
        return any(one not in self.mate for one in self.vertices)

    def pair_two_more(self) -> None:
        """Find a path between two vertices without partners, and exchange the pairs along it."""
        tops = {*self.vertices, *self.members}
        self.state = dict.fromkeys(tops, FREE)
        self.slack, self.parent = {}, {}
        self.queue.clear()
        for each in sorted(tops):
            if self.top[each] == each and each not in self.mate:
                self.state[each] = EVEN
                self._enqueue(each)
        while True:
            while self.queue:
                one = self.queue.popleft()
                if self.state[self.top[one]] == ODD:
                    continue
                for other, edge in list(self.edges[one].items()):
                    if other < 0 or self.top[one] == self.top[other]:
                        continue
                    if self._gap(edge):
                        self._note_slack(one, self.top[other])
                    elif self._follow(edge):
                        return
            self._move_labels()
            for each in self._tops():
                near = self.slack.get(each)
                if near is None or self.top[near] == each:
                    continue
                edge = self.edges[near][each]
                if not self._gap(edge) and self._follow(edge):
                    return
            for each in [each for each in self._tops() if each < 0]:
                if self.top.get(each) == each and self.state[each] == ODD and not self.label[each]:
                    self._expand(each)

    def _tops(self) -> list[int]:
        return [each for each in (*self.vertices, *self.members) if self.top[each] == each]

    def _gap(self, edge: Edge) -> int:
        """Return how far an edge is from being tight."""
        one, other = edge
        return self.label[one] + self.label[other] - 2 * self.weight[edge]

    def _move_labels(self) -> None:
        steps = []
        for each in self._tops():
            if each < 0 and self.state[each] == ODD:
                steps.append(self.label[each] // 2)
            near = self.slack.get(each)
            if near is not None and self.top[near] != each:
                gap = self._gap(self.edges[near][each])
                if self.state[each] == FREE:
                    steps.append(gap)
                elif self.state[each] == EVEN:
                    steps.append(gap // 2)
        if not steps:
            raise ValueError("these pairs leave a vertex over")
        step = min(steps)
        for one in self.vertices:
            state = self.state[self.top[one]]
            if state != FREE:
                self.label[one] += step if state == ODD else -step
        for each in self.members:
            if self.top[each] == each and self.state[each] != FREE:
                self.label[each] += 2 * step if self.state[each] == EVEN else -2 * step

    def _note_slack(self, one: int, top: int) -> None:
        near = self.slack.get(top)
        if near is None or self._gap(self.edges[one][top]) < self._gap(self.edges[near][top]):
            self.slack[top] = one

    def _find_slack(self, top: int) -> None:
        self.slack.pop(top, None)
        for one in self.edges[top]:
            if one >= 0 and self.top[one] != top and self.state[self.top[one]] == EVEN:
                self._note_slack(one, top)

    def _enqueue(self, each: int) -> None:
        if each >= 0:
            self.queue.append(each)
        else:
            for member in self.members[each]:
                self._enqueue(member)

    def _set_top(self, each: int, top: int) -> None:
        self.top[each] = top
        for member in self.members.get(each, ()):
            self._set_top(member, top)

    def _follow(self, edge: Edge) -> bool:
        """Grow a tree along a tight edge; return whether it joined two trees."""
        one, other = self.top[edge[0]], self.top[edge[1]]
        if self.state[other] == FREE:
            self.parent[other] = edge[0]
            self.state[other] = ODD
            beyond = self.top[self.mate[other]]
            self.slack.pop(other, None)
            self.slack.pop(beyond, None)
            self.state[beyond] = EVEN
            self._enqueue(beyond)
        elif self.state[other] == EVEN:
            meeting = self._meeting(one, other)
            if meeting is None:
                self._augment(one, other)
                self._augment(other, one)
                return True
            self._shrink(one, meeting, other)
        return False

    def _up(self, each: int) -> int | None:
        """Return the even vertex or blossom two steps nearer to the root; None for the root."""
        if each not in self.mate:
            return None
        return self.top[self.parent[self.top[self.mate[each]]]]

    def _meeting(self, one: int, other: int) -> int | None:
        """Return where the ways of two even ones to their roots meet; None if the roots differ."""
        seen = set()
        step: int | None = one
        while step is not None:
            seen.add(step)
            step = self._up(step)
        step = other
        while step is not None and step not in seen:
            step = self._up(step)
        return step

    def _augment(self, one: int, other: int) -> None:
        while True:
            before = self.mate.get(one)
            self._set_mate(one, other)
            if before is None:
                return
            odd = self.top[before]
            even = self.top[self.parent[odd]]
            self._set_mate(odd, even)
            one, other = even, odd

    def _set_mate(self, one: int, other: int) -> None:
        edge = self.edges[one][other]
        self.mate[one] = edge[1]
        if one >= 0:
            return
        start = self.holder[one][edge[0]]
        place = self._turn(one, start)
        members = self.members[one]
        for number in range(place):
            self._set_mate(members[number], members[number ^ 1])
        self._set_mate(start, other)
        self.members[one] = members[place:] + members[:place]

    def _turn(self, blossom: int, member: int) -> int:
        """Return the place of a member, with the cycle turned so that this place is even."""
        members = self.members[blossom]
        place = members.index(member)
        if place % 2:
            members[1:] = members[:0:-1]
            place = len(members) - place
        return place

    def _shrink(self, one: int, meeting: int, other: int) -> None:
        """Make a blossom of the cycle through two even ones and the place where their ways meet."""
        self.blossoms -= 1
        blossom = self.blossoms
        self.label[blossom], self.state[blossom] = 0, EVEN
        if meeting in self.mate:
            self.mate[blossom] = self.mate[meeting]
        members = [meeting]
        for start in (one, other):
            each = start
            while each != meeting:
                odd = self.top[self.mate[each]]
                members += [each, odd]
                self._enqueue(odd)
                each = self.top[self.parent[odd]]
            if start == one:
                members[1:] = members[:0:-1]
        self.members[blossom] = members
        self._set_top(blossom, blossom)
        best: dict[int, Edge] = {}
        holder: dict[int, int] = {}
        for member in members:
            for each, edge in self.edges[member].items():
                if each not in best or self._gap(edge) < self._gap(best[each]):
                    best[each] = edge
            holder |= dict.fromkeys(self.holder.get(member, (member,)), member)
        self.edges[blossom], self.holder[blossom] = best, holder
        for each, (start, end) in best.items():
            self.edges[each][blossom] = (end, start)
        self._find_slack(blossom)

    def _expand(self, blossom: int) -> None:
        """Put the members of an odd blossom in its place in the tree."""
        for member in self.members[blossom]:
            self._set_top(member, member)
        start = self.holder[blossom][self.edges[blossom][self.parent[blossom]][0]]
        place = self._turn(blossom, start)
        members = self.members[blossom]
        for number in range(0, place, 2):
            odd, even = members[number], members[number + 1]
            self.parent[odd] = self.edges[even][odd][0]
            self.state[odd], self.state[even] = ODD, EVEN
            self.slack.pop(odd, None)
            self._find_slack(even)
            self._enqueue(even)
        self.state[start], self.parent[start] = ODD, self.parent[blossom]
        for member in members[place + 1 :]:
            self.state[member] = FREE
            self._find_slack(member)
        for each in self.edges.pop(blossom):
            self.edges[each].pop(blossom, None)
        for table in (self.members, self.holder, self.top, self.state, self.slack, self.label, self.mate):
            table.pop(blossom, None)
