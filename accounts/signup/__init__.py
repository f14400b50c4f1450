"""Sign-ups, until their address is confirmed."""
