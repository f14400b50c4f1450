"""The generator: proposes starships by theme, flies them a little, and keeps the best.

A `genome.Genome` says what a ship is made of: its hull, its motifs, its starts and checkpoints.
`proposal.propose` makes one by theme and chance, and `proposal.mutate` changes one. `search.design` flies
many in a small wind tunnel, and returns the best. docs/design.md says how.
"""
