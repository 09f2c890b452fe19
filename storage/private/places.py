"""Where the program keeps its own files, and the user's settings.

Nothing is ever kept in an agent's session directory: the index is in the cache directory, decisions
are in the data directory, both accessible to the owner only.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ..files.lines import opened
from ..text.paths import typed_path

APP = "sessions"

OWN_FILES = ("index.db", "decisions.db", "desk.db")
"""Names of the databases in these directories."""

"""Agents for which a resume command can be configured."""


LARGEST = 1024 * 1024
"""Maximum size of a settings file, in bytes."""


class ConfigError(Exception):
    """An error in a setting or a location, as one sentence."""


@dataclass(frozen=True, slots=True)
class Places:
    """The directories of the index and of the decisions, and the path of the settings file."""

    cache: Path
    data: Path
    config: Path


@dataclass(frozen=True, slots=True)
class Config:
    """The settings in the settings file."""

    roots: tuple[Path, ...] = ()
    """Session directories that replace the defaults; overridden by command line and environment."""
    theme: str | None = None
    keymap: Mapping[str, str] = field(default_factory=dict)
    """Keys by binding id."""
    review_days: int = 7
    """Days after which a crash no longer asks for attention."""
    notify: bool = False
    """Whether to ring the bell and set the terminal's title when a session needs the user."""
    resume: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Commands, as lists of words, that resume an agent's sessions in place of its own command."""


def find_places(
    environ: Mapping[str, str],
    cache: Path | None = None,
    data: Path | None = None,
    config: Path | None = None,
) -> Places:
    """Return the locations given by arguments, else by the environment, else by the system."""
    cache = cache or _named(environ, "SESSIONS_CACHE_DIR")
    data = data or _named(environ, "SESSIONS_DATA_DIR")
    if cache and data and config:
        return Places(cache, data, config)
    # Imported late: it takes 13 ms, half of the start-up time of the command line.
    from platformdirs import PlatformDirs

    system = PlatformDirs(APP, appauthor=False)
    return Places(
        cache or system.user_cache_path,
        data or system.user_data_path,
        config or system.user_config_path / "config.toml",
    )


def keep_out(places: Places, stores: Iterable[Path]) -> None:
    """Raise ConfigError if our directories, or links in them, lead into a session directory."""
    stores = list(stores)
    for name, place in (("cache", places.cache), ("data", places.data)):
        if (store := store_of(place, stores)) is not None:
            raise ConfigError(
                f"The {name} directory {place} lies inside the store {store}, "
                "where nothing may be written."
            )
        for file in OWN_FILES:
            link = place / file
            if (store := store_of(link, stores)) is not None:
                raise ConfigError(
                    f"{link} is a link into the store {store}, where nothing may be written."
                )


def store_of(place: Path, stores: Iterable[Path]) -> Path | None:
    """Return the session directory that contains `place`; None if nothing forbids writing there."""
    resolved = _real(place)
    return next((store for store in stores if resolved.is_relative_to(_real(store))), None)


def _real(path: Path) -> Path:
    # `Path.resolve` raises on circular links.
    return Path(os.path.realpath(path))


def make_private(folder: Path) -> Path:
    """Create a directory, accessible to the owner only, unless it exists; return it."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    return folder


def read_config(
    path: Path, home: Path, required: bool = False, brands: Collection[str] = ()
) -> Config:
    """Return the settings in a TOML file; the defaults if it is missing and not `required`.

    `brands` are the products for which commands may be set. Raises ConfigError if it cannot be read
    or is invalid.
    """
    try:
        text = _bytes_of(path).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        if required:
            raise ConfigError(f"The config file {path} does not exist.") from None
        return Config()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(f"The config file {path} cannot be read: {reason}.") from None
    except UnicodeDecodeError:
        raise ConfigError(f"The config file {path} is not UTF-8 text.") from None
    return _parse(text, path, home, brands)


def _bytes_of(path: Path) -> bytes:
    """Return the content of a settings file; raises ConfigError if it is too large or irregular."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise ConfigError(f"The config file {path} is not a regular file.")
    with opened(path) as fd:
        pieces, size = [], 0
        while size <= LARGEST and (piece := os.read(fd, LARGEST + 1 - size)):
            pieces.append(piece)
            size += len(piece)
    if size > LARGEST:
        raise ConfigError(f"The config file {path} is larger than {LARGEST // 1024} KB.")
    return b"".join(pieces)


def _parse(text: str, path: Path, home: Path, brands: Collection[str]) -> Config:
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"The config file {path} is not valid TOML: {error}.") from None
    known = [setting.name for setting in fields(Config)]
    for name, value in table.items():
        if name not in known:
            raise ConfigError(
                f"The config file {path} has an unknown setting {name!r}; "
                f"there are {', '.join(known)}."
            )
        demand, holds = _DEMANDS[name]
        if not holds(value):
            raise ConfigError(f"In the config file {path}, {name} must be {demand}.")
    if unknown := set(table.get("resume", ())) - set(brands):
        raise ConfigError(
            f"In the config file {path}, resume has a command for {min(unknown)!r}; "
            f"there are {', '.join(sorted(brands))}."
        )
    if "roots" in table:
        table["roots"] = tuple(typed_path(root, home, path.parent) for root in table["roots"])
    if "resume" in table:
        table["resume"] = {agent: tuple(words) for agent, words in table["resume"].items()}
    return Config(**table)


def _named(environ: Mapping[str, str], variable: str) -> Path | None:
    value = environ.get(variable)
    return Path(value) if value else None


def _is_days(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(_is_path(text) for text in value)


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and "\0" not in value


def _is_keymap(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(key, str) for key in value.values())


def _is_commands(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_texts(words) and words for words in value.values())


_DEMANDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "roots": ("a list of paths", _is_texts),
    "theme": ("the name of a theme", lambda value: isinstance(value, str)),
    "keymap": ("a table of keys by binding id", _is_keymap),
    "review_days": ("a whole number of days, 0 or more", _is_days),
    "notify": ("true or false", lambda value: isinstance(value, bool)),
    "resume": ("a table of commands, each a list of words", _is_commands),
}
