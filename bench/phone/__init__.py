"""The pages of the site on a phone, as Lighthouse simulates one."""
