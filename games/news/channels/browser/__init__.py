"""Browsers: notifications by Web Push."""
