"""Seasons: three months for each ruleset, in divisions that one rises and falls between."""
