"""What a person chooses: profile, preferences, and how pages are shown."""
