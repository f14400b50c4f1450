"""The examples in the docstrings of the generator."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

from rules import design

MODULES = [module.name for module in walk_packages(design.__path__, "rules.design.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_correct(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
