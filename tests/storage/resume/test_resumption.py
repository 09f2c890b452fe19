"""What would resume a session: told from the session and its circumstances alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.agents.codebuddy.resume import slug, variables
from sessions_tui.storage.model.integrity import Integrity
from sessions_tui.storage.model.process import Life, Process
from sessions_tui.storage.model.resume import Circumstances, Directory, Environment
from sessions_tui.storage.model.session import Session, Status
from sessions_tui.storage.resume.resumption import Resumption, resumption

NOW = 1_789_237_834_678
HOME = Path("/home/mei/.codebuddy")


def session(name: str = "0198a7c2", folder: str = "src-shop", dialect: str = "product") -> Session:
    path = HOME / "projects" / folder / f"{name}.jsonl"
    return Session(name, path, AGENTS[dialect], "/src/shop", "Fix it", "prompt", "done", "Because.")


def mycodeagent(name: str = "s-20260511-140211-00ff") -> Session:
    path = Path("/src/shop/memory/transcripts") / f"transcript-{name}.jsonl"
    return replace(session(name, dialect="mycodeagent"), path=path)


def there(path: str, real: str = "") -> Directory:
    return Directory(path, real or path, True)


def gone(path: str) -> Directory:
    return Directory(path, path, False)


SHOP = Circumstances(NOW, "codebuddy", ("/usr/bin/codebuddy",), directories=(there("/src/shop"),))
MINE = replace(SHOP, brand="mycodeagent", command=("/usr/bin/mycodeagent",))


def process(life: Life, silence: int = 0) -> Process:
    return Process(4711, "0198a7c2", life, NOW - silence, host="attic")


def test_the_command_in_its_directory() -> None:
    assert resumption(session(), SHOP) == Resumption(
        ("/usr/bin/codebuddy", "--resume=0198a7c2"), "/src/shop"
    )


def test_mycodeagent_is_told_its_project() -> None:
    wanted = resumption(mycodeagent(), MINE)
    name = "s-20260511-140211-00ff"
    assert wanted.command == ("/usr/bin/mycodeagent", "--cwd=/src/shop", f"--resume={name}")
    assert (wanted.cwd, wanted.warnings) == ("/src/shop", ())


def test_a_configured_command_gets_the_same_options() -> None:
    around = replace(SHOP, brand="envelope", command=("/usr/bin/env", "agent"))
    wanted = resumption(session(dialect="envelope"), around)
    assert wanted.command == ("/usr/bin/env", "agent", "--resume=0198a7c2")


@pytest.mark.parametrize(
    "name",
    [
        "-x",
        "--help",
        "",
        " ",
        "a b",
        "a\nb",
        "a;b",
        "$(x)",
        "../x",
        "a/b",
        "é",
        "\x1b[31m",
        "x" * 201,
    ],
)
def test_an_id_that_is_not_plain_is_refused(name: str) -> None:
    wanted = resumption(replace(session(), session=name), SHOP)
    assert (wanted.command, wanted.cwd) == ((), "")
    assert "characters that no command should be given" in wanted.refusal
    assert wanted.refusal.isprintable()


@pytest.mark.parametrize(
    ("child", "said"),
    [
        (replace(session("agent-1"), parent="0198a7c2"), ": resume 0198a7c2."),
        (replace(session("a"), path=HOME / "projects/p/0198a7c2/subagents/agent-1.jsonl"), "."),
        (mycodeagent("subagent-s-1"), "."),
    ],
)
def test_sub_agents_are_refused(child: Session, said: str) -> None:
    refusal = resumption(child, SHOP).refusal
    assert refusal == f"It is a sub-agent, and those cannot be resumed by themselves{said}"


def test_a_project_may_be_called_subagents() -> None:
    around = replace(SHOP, directories=(there("/subagents"),))
    assert not resumption(session(folder="subagents"), around).refusal


@pytest.mark.parametrize(
    ("around", "said"),
    [
        (replace(SHOP, command=()), "None of codebuddy, cbc, codebuddy-code was found on PATH"),
        (
            replace(SHOP, command=(), wanted="bud"),
            "The command 'bud' was not found; it is set as codebuddy under",
        ),
        (
            replace(MINE, command=()),
            "No mycodeagent was found on PATH. To use another command, "
            "set mycodeagent under [resume]",
        ),
        (replace(SHOP, command=(), brand="envelope"), "No known agent can resume"),
        (replace(SHOP, is_stored=False), "lies outside the places"),
        (replace(SHOP, directories=()), "name no directory"),
        (replace(SHOP, directories=(gone("/src/shop"),)), "/src/shop is gone"),
        (replace(SHOP, directories=(there("/"), gone("/src/shop"))), "/src/shop is gone"),
    ],
)
def test_what_stands_in_the_way(around: Circumstances, said: str) -> None:
    dialect = {"codebuddy": "product"}.get(around.brand, around.brand)
    wanted = resumption(session(dialect=dialect), around)
    assert said in wanted.refusal
    assert not wanted.command


@pytest.mark.parametrize(
    ("directories", "cwd", "warned"),
    [
        ((there("/src"), there("/src/shop")), "/src/shop", False),
        ((there("/src"), there("/link", "/src/shop")), "/link", False),
        ((gone("/src/shop"), there("/src-shop")), "/src-shop", False),
        ((gone("/x"), there("/y"), there("/z")), "/y", True),
    ],
)
def test_the_directory_that_the_folder_is_named_after(
    directories: tuple[Directory, ...], cwd: str, warned: bool
) -> None:
    wanted = resumption(session(), replace(SHOP, directories=directories))
    assert wanted.cwd == cwd
    assert bool(wanted.warnings) == warned


@pytest.mark.parametrize(
    ("held", "warned"),
    [
        (process("alive"), "Process 4711 has this session open"),
        (process("silent", 3_600_000), "Process 4711 may have this session open"),
        (process("elsewhere"), "A process on attic has this session open"),
        (process("elsewhere", 3_600_000), ""),
        (process("dead"), ""),
        (None, ""),
    ],
)
def test_who_has_it_is_said(held: Process | None, warned: str) -> None:
    warnings = resumption(session(), replace(SHOP, process=held)).warnings
    assert bool(warnings) == bool(warned)
    assert all(warned in warning for warning in warnings)


@pytest.mark.parametrize(("status", "warned"), [("working", True), ("done", False)])
def test_one_at_work_is_warned_of_without_a_process(status: Status, warned: bool) -> None:
    wanted = resumption(replace(mycodeagent(), status=status), MINE)
    assert bool(wanted.warnings) == warned


def test_what_mycodeagent_cannot_read_or_find() -> None:
    broken = replace(mycodeagent(), integrity=Integrity("corrupt", "bad_json", 3, "line 3 is cut"))
    rule = AGENTS["mycodeagent"].resume
    assert rule is not None
    around = replace(MINE, warnings=tuple(rule.warnings(broken, "s-other")))
    assert resumption(broken, around).warnings == (
        "MyCodeAgent cannot read this transcript: line 3 is cut",
        "Its records call it s-other: MyCodeAgent may not find it by its file's name.",
    )


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/workspace", "workspace"),
        ("/Users/lin/code/my app", "Users-lin-code-my app"),
        ("c:\\Users\\Lin\\Desktop\\报表", "c-Users-Lin-Desktop-报表"),
        ("/a--b/.c_d/", "a-b-.c_d"),
    ],
)
def test_slugs(path: str, name: str) -> None:
    assert slug(path) == name


def test_the_variables_that_lead_to_a_home() -> None:
    other = Path("/store/.workbuddy")
    both = {"CODEBUDDY_CONFIG_DIR": str(other), "WORKBUDDY_CONFIG_DIR": str(other)}
    usual = Environment({}, HOME.parent, Path("/Applications"))
    moved = usual._replace(environ={"CODEBUDDY_CONFIG_DIR": "/elsewhere"})
    assert variables("workbuddy", other, usual) == both
    assert variables("codebuddy", HOME, moved) == {"CODEBUDDY_CONFIG_DIR": None}
    assert variables("codebuddy", HOME, usual) == {}
    assert variables("codebuddy", other, usual) == {"CODEBUDDY_CONFIG_DIR": str(other)}


def test_an_agent_may_not_be_resumable() -> None:
    agent = replace(AGENTS["product"], load_resume=None)
    refusal = resumption(replace(session(), agent=agent), SHOP).refusal
    assert refusal == "Sessions of CodeBuddy cannot be resumed from here."
