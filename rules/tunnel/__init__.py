"""The wind tunnel: computers fly a starship many times, and what they show becomes a verdict.

A `run.Run` says what is flown. `flying.fly` flies one flight of it, in any place and order, and `run.judge`
judges those that have been flown. `report.report_of` writes the verdict as ``tunnel/1``. docs/tunnel.md says
what it all means.
"""
