"""One module a command: `add_arguments` names its options, `run` does it."""
