"""Checks the settings that only the UI understands: the theme, and the keymap.

An invalid one is reported, and replaced by its default.
"""

from __future__ import annotations

import pkgutil
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import KEY_NAME_REPLACEMENTS, Keys
from textual.theme import BUILTIN_THEMES

from ...storage.private.places import Config

MODIFIERS = frozenset({"alt", "ctrl", "hyper", "meta", "shift", "super"})
NAMES = frozenset({key.value for key in Keys}) | frozenset(KEY_NAME_REPLACEMENTS.values())
APART = frozenset({"commands", "demo"})
"""Packages of the app without key bindings."""


def checked(config: Config) -> tuple[Config, tuple[str, ...]]:
    """Return the settings without invalid ones, and a sentence for each of these."""
    problems: list[str] = []
    if config.theme is not None and config.theme not in BUILTIN_THEMES:
        problems.append(_theme_problem(config.theme))
        config = replace(config, theme=None)
    if config.keymap:
        wrong = dict(_wrong_keys(config.keymap))
        problems += wrong.values()
        kept = {id: keys for id, keys in config.keymap.items() if id not in wrong}
        config = replace(config, keymap=kept)
    return config, tuple(problems)


def is_key(key: str) -> bool:
    """Return whether a key is in Textual's notation: `f1`, `ctrl+x`, `question_mark` or `?`."""
    if key.endswith("++"):
        *modifiers, name = *key[:-2].split("+"), "+"
    else:
        *modifiers, name = key.split("+") if key != "+" else ["+"]
    if not MODIFIERS.issuperset(modifiers):
        return False
    return len(name) == 1 or name in NAMES or _is_character(name)


def _is_character(name: str) -> bool:
    try:
        unicodedata.lookup(name.replace("_", " ").upper())
    except KeyError:
        return False
    return name == name.lower()


def _theme_problem(theme: str) -> str:
    near = _nearest(theme, BUILTIN_THEMES)
    hint = f"Did you mean {near}?" if near else f"Use one of: {', '.join(BUILTIN_THEMES)}."
    return f'Unknown theme "{theme}" in the settings file. {hint}'


def _wrong_keys(keymap: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the ids of invalid entries, each with what is wrong with it."""
    known = binding_ids()
    for id, keys in keymap.items():
        if id not in known:
            near = _nearest(id, known)
            hint = f" Did you mean {near}?" if near else ""
            yield id, f'Unknown keymap id "{id}" in the settings file.{hint}'
        elif wrong := [key for key in map(str.strip, keys.split(",")) if not is_key(key)]:
            yield (
                id,
                f'Unknown key "{wrong[0]}" for {id} in the settings file. '
                "Write keys as f1, ctrl+x or question_mark.",
            )


def _nearest(text: str, known: Iterable[str]) -> str:
    """Return the most similar known text; "" if none is similar."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(text, known, n=1)), "")


def binding_ids() -> frozenset[str]:
    """Return the ids of all key bindings, on any screen."""
    package = (__package__ or "").partition(".")[0]
    for layer in ("widgets", "app"):
        _import_all(f"{package}.{layer}")
    return frozenset(
        binding.id
        for kind in _kinds(DOMNode)
        if kind.__module__.startswith(package)
        for binding in vars(kind).get("BINDINGS", ())
        if isinstance(binding, Binding) and binding.id
    )


def _import_all(package: str) -> None:
    for module in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
        name = module.name.rpartition(".")[2]
        if module.ispkg and name not in APART:
            _import_all(module.name)
        elif not module.ispkg and not name.startswith("__"):
            import_module(module.name)


def _kinds(kind: type[DOMNode]) -> Iterator[type[DOMNode]]:
    yield kind
    for below in kind.__subclasses__():
        yield from _kinds(below)
