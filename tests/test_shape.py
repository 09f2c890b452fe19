"""The shape of the code: which way imports point, what a package knows, how large things may be."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.modules import (
    LAYERS,
    ROOT,
    attributes,
    classes,
    cycles,
    imports,
    methods,
    name_of,
    place_of,
    reads_attribute,
    sources,
    texts_in,
    tree_of,
)

ANYTHING = "*"

IMPORTS: dict[str, dict[str, str]] = {
    "storage": {
        "text": "",
        "model": "text",
        "files": "text",
        "private": "text files",
        "records": "text model files",
        "folds": "text model files records",
        "memory": "text model files records folds",
        "recovery": "text model files records folds",
        "agents": "text model files records folds memory recovery",
        "stores": "text model files private agents",
        "transcript": "text model files private records folds agents stores",
        "timeline": "text model files folds transcript",
        "index": "text model files private folds transcript",
        "family": "text model files folds stores transcript",
        "decisions": "text model files private",
        "library": "text model files private records folds memory recovery agents stores transcript"
        " index family decisions",
        "candidates": "text model files records folds transcript timeline library decisions",
        "review": "text model files private records folds stores transcript timeline library"
        " decisions",
        "search": "text model files folds transcript index library",
        "usage": "text model folds transcript index library",
        "insight": "text model files folds memory recovery transcript timeline review",
        "resume": "text model files private folds agents stores transcript",
        "recording": ANYTHING,
    },
    "widgets": {
        "words": "",
        "base": "words",
        **dict.fromkeys(
            ("sessions", "timeline", "review", "candidates", "facts", "search", "usage"),
            "words base",
        ),
    },
    "app": {
        **dict.fromkeys(("base", "startup", "selection", "terminal", "demo"), ""),
        "output": "selection",
        "feed": "startup selection output",
        "notify": "feed terminal",
        "forms": "base output terminal notify",
        "browse": "base selection output feed terminal notify forms",
        "places": "base selection output feed terminal notify forms browse",
        "commands": ANYTHING,
        "": ANYTHING,
    },
}
"""By layer and package: the packages of its layer that it imports, besides itself."""

BELOW = {"app": {"widgets", "storage"}, "widgets": {"storage"}, "storage": set[str]()}
"""The other layers that a layer imports."""

OF_STORAGE_FOR_WIDGETS = {"model", "text"}

EXCEPTIONS: dict[tuple[str, str], str] = {
    ("storage/folds/repeats.py", "storage/private/seal.py"): "its state is stored with a checksum",
    (
        "storage/transcript/outputs.py",
        "storage/search/prefilter.py",
    ): "finds results by their bytes",
}
"""Imports that point elsewhere, each with its reason."""

AGENTS = re.compile(r"\b(codebuddy|workbuddy|product|mycodeagent|envelope)\b", re.IGNORECASE)

KINDS = "finds records of a kind without reading them"
OFFSETS = "compares where records begin"
BOTH = f"{KINDS}, and {OFFSETS}"

TOUCHES_POSITIONS: dict[str, str] = {
    "app/output/lines.py": KINDS,
    "storage/review/actions.py": BOTH,
    "storage/review/effects.py": KINDS,
    "storage/review/trail.py": KINDS,
    "storage/search/prefilter.py": OFFSETS,
    "storage/search/scan.py": KINDS,
    "storage/timeline/rows.py": BOTH,
    "storage/timeline/session_rows.py": OFFSETS,
    "storage/transcript/transcript.py": BOTH,
}
"""Modules that read the arrays of positions, each with its reason."""

LARGEST_FILE = 400
LARGEST_DIRECTORY = 25
MOST_ATTRIBUTES, MOST_METHODS = 15, 30

A_RECORD = "a record of facts, each read by its name"
HANDLERS = "one method for each key and message; its state is in the classes that it holds"
ONE_STATE = "one state that its methods keep consistent; still to be split"

LARGE_CLASSES: dict[str, str] = {
    "app/browse/open_session.py:OpenSession": HANDLERS,
    "app/browse/screen.py:BrowseScreen": HANDLERS,
    "app/demo/codebuddy.py:ProductPen": ONE_STATE,
    "storage/decisions/history.py:History": ONE_STATE,
    "storage/folds/facts.py:Facts": ONE_STATE,
    "storage/library/status.py:Signs": A_RECORD,
    "storage/model/action.py:Action": A_RECORD,
    "storage/model/agent.py:Agent": "a table of what an agent provides",
    "storage/model/event_detail.py:EventDetail": A_RECORD,
    "storage/model/recovery.py:Restored": A_RECORD,
    "storage/model/session.py:Session": A_RECORD,
    "storage/recording/log.py:Log": ONE_STATE,
    "storage/recording/resume.py:ResumeState": A_RECORD,
    "widgets/base/virtual_rows.py:VirtualRows": ONE_STATE,
}
"""Classes with more attributes or methods, each with its reason."""


def _expected(origin: Path, target: Path) -> bool:
    (layer, package), (other, there) = place_of(origin), place_of(target)
    if layer != other:
        if other not in BELOW[layer]:
            return False
        if layer == "widgets":
            return there in OF_STORAGE_FOR_WIDGETS
        is_text = layer == "app" and package in ("commands", "output")
        return not (is_text and other == "widgets") or there in ("words", "")
    allowed = IMPORTS[layer].get(package, "")
    return allowed == ANYTHING or there in (package, "") or there in allowed.split()


def test_imports_point_one_way() -> None:
    wrong = {
        (name_of(path), name_of(target))
        for path in sources(*LAYERS)
        for target in imports(path)
        if not _expected(path, target)
    }
    assert wrong == set(EXCEPTIONS)


def test_every_package_has_its_directions() -> None:
    for layer in LAYERS:
        found = {place_of(path)[1] for path in sources(layer)} - {""}
        assert found == set(IMPORTS[layer]) - {""}


def test_no_modules_import_each_other() -> None:
    assert cycles() == []


def test_agents_are_named_in_their_folders_alone() -> None:
    free = {("storage", "agents"), ("storage", "recording"), ("app", "demo")}
    outside = (path for path in sources(*LAYERS) if place_of(path) not in free)
    found = {name_of(path) for path in outside if any(map(AGENTS.search, texts_in(path)))}
    assert found == set()


def test_records_are_read_by_agents_and_transcripts_alone() -> None:
    free = {("storage", "agents"), ("storage", "transcript"), ("storage", "recording")}
    outside = (path for path in sources(*LAYERS) if place_of(path) not in free)
    assert {name_of(p) for p in outside if reads_attribute(p, "event", "record")} == set()


def test_arrays_of_positions_are_touched_in_one_place() -> None:
    found = {
        name_of(path)
        for path in sources(*LAYERS)
        if reads_attribute(path, "positions", "kinds", "offsets")
    }
    assert found == set(TOUCHES_POSITIONS)


@pytest.mark.parametrize("layer", LAYERS)
def test_a_class_name_means_one_thing(layer: str) -> None:
    found = defaultdict(list)
    for path in sources(layer):
        for kind in classes(path):
            if not kind.name.startswith("_") and kind.name not in map(ast.unparse, kind.bases):
                found[kind.name].append(name_of(path))
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


def test_files_are_short_and_say_why_they_exist() -> None:
    every = sources(*LAYERS, "tests", "screenshots")
    lengths = {name_of(path): path.read_bytes().count(b"\n") for path in every}
    assert {name: length for name, length in lengths.items() if length > LARGEST_FILE} == {}
    assert [name_of(path) for path in every if not ast.get_docstring(tree_of(path))] == []


def test_what_is_public_has_a_docstring() -> None:
    undocumented = [
        f"{name_of(path)}:{node.name}"
        for path in sources(*LAYERS)
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and not (node.name.startswith("_") or ast.get_docstring(node))
    ]
    assert undocumented == []


def test_directories_are_small() -> None:
    found = defaultdict(list)
    for path in sources(*LAYERS):
        found[name_of(path.parent)].append(path.name)
    assert {folder for folder, names in found.items() if len(names) > LARGEST_DIRECTORY} == set()


def test_classes_are_small() -> None:
    large = {
        f"{name_of(path)}:{kind.name}"
        for path in sources(*LAYERS)
        for kind in classes(path)
        if len(attributes(kind)) > MOST_ATTRIBUTES or len(methods(kind)) > MOST_METHODS
    }
    assert large == set(LARGE_CLASSES)


def test_nothing_names_the_place_of_the_checkout() -> None:
    texts = [*sources(*LAYERS, "tests", "screenshots"), *ROOT.glob("*.md"), ROOT / "Makefile"]
    for path in texts:
        assert str(ROOT) not in path.read_text(encoding="utf-8"), name_of(path)
