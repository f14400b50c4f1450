"""Sharing of finished public games: pictures, embedded players, clips, text and oEmbed."""
