"""Players who miss turns, leave or come back: standing orders, replacement, reliability."""
