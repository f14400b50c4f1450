"""Films of turns, pictures of boards, and files of games, for browsers."""
