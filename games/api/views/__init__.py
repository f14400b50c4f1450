"""The calls of the API, in groups: each asks a service or a selector, and returns what is answered."""
