"""Wording and plain text for what is drawn: ages, amounts, filters, cases, families.

Promise: pure functions that load without Textual, so that commands use them too.
"""
