"""Flat rows in the forms that investigators' systems take: Timesketch, iTrak, and a page for people."""
