"""Views: conclusions as text and pictures for people."""
