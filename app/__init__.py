"""The program: command line, Textual application, screens, keys, style sheet and demo."""
