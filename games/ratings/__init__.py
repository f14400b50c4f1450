"""How good players are: a rating for each ruleset and one for all together, from how games ended."""
