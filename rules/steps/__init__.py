"""The steps of which rulesets are made: one function for each paragraph of a rulebook."""
