"""The engine: observed rounds, the games' adjudication, checks, findings and conclusions."""
