"""A contract for import-linter: only web modules import web modules."""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class WebFloor(Contract):
    """Forbids models, services and selectors to import web modules.

    ``floor`` lists the names of web modules in rooms. ``above`` lists packages with only web modules.
    ``roofs`` lists modules that assemble the service, and may import everything.
    """

    containers = fields.SetField(subfield=fields.StringField())
    floor = fields.SetField(subfield=fields.StringField())
    above = fields.SetField(subfield=fields.StringField(), required=False, default=frozenset())
    roofs = fields.SetField(subfield=fields.StringField(), required=False, default=frozenset())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        wrong = []
        for module in sorted(graph.modules):
            if self._is_below(module):
                found = graph.find_modules_directly_imported_by(module)
                wrong += [(module, other) for other in sorted(found) if self._is_web(other)]
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for module, other in check.metadata["wrong"]:
            output.print_error(f"{module} imports {other}")

    def _within(self, module: str, names: frozenset[str]) -> bool:
        return any(module == name or module.startswith(f"{name}.") for name in names)

    def _is_web(self, module: str) -> bool:
        parts = module.split(".")
        if parts[0] not in self.containers:
            return False
        return self._within(module, self.above) or not self.floor.isdisjoint(parts[2:])

    def _is_below(self, module: str) -> bool:
        roof = self._within(module, self.roofs)
        return module.split(".")[0] in self.containers and not roof and not self._is_web(module)
