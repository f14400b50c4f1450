"""Finding games for players: tickets that wait for others who want the same."""
