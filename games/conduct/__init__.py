"""How people treat each other: reports of players, what staff decide about them, and appeals."""
