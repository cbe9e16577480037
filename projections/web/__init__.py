"""The console as a web application: who may enter, its pages, and what keeps them up to date."""
