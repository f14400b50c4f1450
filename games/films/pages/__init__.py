"""Web pages for films of turns, pictures of boards, and files of games."""
