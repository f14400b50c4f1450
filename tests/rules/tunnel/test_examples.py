"""The examples in the docstrings of the wind tunnel."""

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest

from rules import tunnel

MODULES = [module.name for module in iter_modules(tunnel.__path__, "rules.tunnel.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_correct(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
