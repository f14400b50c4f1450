"""The pages: thin views that call services and selectors, and what turns a game into something to look at."""
