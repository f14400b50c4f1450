"""What stops the embedded servers from starting, said to a person."""


class Failure(Exception):
    """A server cannot start or stop; the text is one clear sentence for the person who started it."""
