"""The pages of the site on a phone, as simulated by Lighthouse."""
