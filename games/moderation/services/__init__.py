"""Services for reports of players and ships, and for staff decisions about them."""
