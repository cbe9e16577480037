"""Words for the pages: times, money, and a sentence for each hand."""
