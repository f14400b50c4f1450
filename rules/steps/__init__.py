"""The steps of rulesets: one function for each paragraph of a rulebook."""
