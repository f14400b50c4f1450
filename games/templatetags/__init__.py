"""What the templates of the games' pages need beyond Django's own."""
