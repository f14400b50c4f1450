"""The channels by which notifications go: a folder for each."""
