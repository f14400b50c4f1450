"""Write each ruleset's page from its code: ``python -m docs.rules.generate``."""

from pathlib import Path

from rules import RULESETS
from rules.rulebook import page

FOLDER = Path(__file__).parent

if __name__ == "__main__":
    for key, ruleset in RULESETS.items():
        (FOLDER / f"{key}.md").write_text(page(ruleset))
