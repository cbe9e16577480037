"""Case file of a hand or a finding: its page, block by block, and its drawing; as HTML and SVG."""
