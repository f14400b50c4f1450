"""Second factors: an app's codes, passkeys and recovery codes."""
