"""Measure the pages of the site on a phone that Lighthouse simulates."""
