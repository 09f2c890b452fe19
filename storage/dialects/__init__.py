"""How transcripts are written: one module of pure functions a dialect."""
