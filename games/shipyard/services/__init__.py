"""What changes drafts."""
