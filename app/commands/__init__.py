"""One module per command: `add_arguments` defines its options, `run` executes it."""
