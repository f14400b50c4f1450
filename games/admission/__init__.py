"""Staff's pages about sign-ups, and the removal of waves of scripted sign-ups."""
