"""Wording and plain text for what is drawn: ages, amounts, filters, cases, families.

Pure functions that do not import Textual, so that commands can use them too.
"""
