"""Accounts: people, logins, email addresses and settings."""
