"""The benchmark of code size counts files and lines of the product."""

from bench.house import figures, rooms

SOURCES = {
    "games/play/orders.py": "import json\nfrom a import (\n    b,\n)\n" + "x = 1\n" * 96,
    "games/play/__init__.py": '"""A game under way."""\n',
    "rules/grid.py": "x = 1\n" * 50,
    "games/migrations/0001_initial.py": "x = 1\n" * 1000,
    "tests/test_grid.py": "x = 1\n" * 30,
    "bench/engine.py": "x = 1\n" * 500,
}


def test_it_counts_the_product_without_tests_benches_and_migrations():
    assert figures(SOURCES) == {
        "product files": "3",
        "product lines": "150",
        "lines of the median file": "75",
        "files of at most 60 lines": "1",
        "files above 700 lines": "0",
        "lines that only import": "2.7%",
        "lines of tests": "30",
    }
    assert rooms(SOURCES) == {"games/play": 100, "rules": 50}
