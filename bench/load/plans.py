"""Record Postgres' plan for each query of a piece of work, with its actual costs."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

Node = Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """A query with its plan and its time in milliseconds."""

    sql: str
    parameters: Sequence[Any]
    root: Node
    milliseconds: float

    @property
    def blocks(self) -> int:
        """The number of 8 kB blocks that the query read, from memory or from disk."""
        return _blocks(self.root)

    @property
    def nodes(self) -> Iterator[Node]:
        yield from _below(self.root)

    def read_through(self, blocks: int) -> set[str]:
        """Return the tables with a sequential scan that read at least this number of blocks."""
        scans = (node for node in self.nodes if node["Node Type"] == "Seq Scan")
        return {scan["Relation Name"] for scan in scans if _blocks(scan) >= blocks}

    @property
    def indexes(self) -> set[str]:
        return {node["Index Name"] for node in self.nodes if "Index Name" in node}


@dataclass
class Plans:
    """The plans of all queries of a piece of work, in order."""

    found: list[Plan] = field(default_factory=list)

    @property
    def blocks(self) -> int:
        return sum(plan.blocks for plan in self.found)

    @property
    def milliseconds(self) -> float:
        return sum(plan.milliseconds for plan in self.found)

    def read_through(self, blocks: int) -> set[str]:
        """Return the tables with a sequential scan that read at least this number of blocks."""
        return set().union(*(plan.read_through(blocks) for plan in self.found))

    def text(self) -> str:
        """Return all queries as text, each with an outline of its plan."""
        return "\n\n".join(f"{plan.sql % tuple(plan.parameters)}\n{_told(plan)}" for plan in self.found)


@contextmanager
def watched() -> Iterator[Plans]:
    """Record the plan of each query in the context.

    EXPLAIN ANALYZE runs each query before the query itself runs. The changes of this additional run are
    rolled back.
    """
    plans = Plans()

    def watch(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if not many and sql.lstrip().startswith(("SELECT", "UPDATE", "INSERT", "DELETE", "(SELECT")):
            plans.found.append(_explained(sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield plans


def _explained(sql: str, params: Any) -> Plan:
    with connection.cursor().cursor as cursor:  # the inner cursor: the wrapper would explain this query too
        cursor.execute("SAVEPOINT explained")
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) {sql}", params)
        (answer,) = cursor.fetchone()
        cursor.execute("ROLLBACK TO SAVEPOINT explained")
    told = (answer if isinstance(answer, list) else json.loads(answer))[0]
    took = told["Planning Time"] + told["Execution Time"]
    return Plan(sql, params or (), told["Plan"], took)


def _told(plan: Plan) -> str:
    lines = []
    for depth, node in _with_depth(plan.root, 0):
        where = node.get("Index Name") or node.get("Relation Name") or ""
        rows = f"rows={node['Actual Rows']:g} loops={node['Actual Loops']:g}"
        blocks = f"blocks={_blocks(node)}"
        lines.append(f"{'  ' * depth}-> {node['Node Type']} {where} ({rows} {blocks})")
    return "\n".join(lines)


def _blocks(node: Node) -> int:
    return int(node["Shared Hit Blocks"] + node["Shared Read Blocks"])


def _below(node: Node) -> Iterator[Node]:
    yield node
    for child in node.get("Plans", ()):
        yield from _below(child)


def _with_depth(node: Node, depth: int) -> Iterator[tuple[int, Node]]:
    yield depth, node
    for child in node.get("Plans", ()):
        yield from _with_depth(child, depth + 1)
