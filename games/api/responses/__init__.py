"""What is answered, for the OpenAPI document; the tests hold all answers to it.

The answers themselves are made by selectors and by `games.api.documents`.
"""
