"""A parser library: a rename cut short by a crash, and a port that took days."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ..steps import (
    Answer,
    Compaction,
    Pause,
    Prompt,
    Remark,
    Step,
    Story,
    Thought,
    Title,
    cut,
    edit,
    grep,
    read,
    run,
)

LEXER = '''\
class Lexer:
    """Splits source text into tokens."""

    def __init__(self, source):
        self.source = source
        self.position = 0

    def next(self):
        token = self.scan(self.position)
        self.position = token.end
        return token

    def peek(self):
        return self.scan(self.position)
'''
RENAMED = LEXER.replace("def next(self)", "def advance(self)")
PARSER = '''\
class Parser:
    """Builds a tree from tokens."""

    def __init__(self, lexer):
        self.lexer = lexer

    def expect(self, kind):
        token = self.lexer.next()
        if token.kind != kind:
            raise SyntaxError(f"expected {kind}, found {token.kind}")
        return token
'''
EXPECT = "        token = self.lexer.next()\n"
EXPECT_NOW = "        token = self.lexer.advance()\n"
FILES = {
    "src/lexer.py": RENAMED,
    "src/parser.py": PARSER.replace(EXPECT, EXPECT_NOW),
    "grammar.ebnf": 'expr = term { ("+" | "-") term } ;\nterm = factor { ("*" | "/") factor } ;\n',
}


def rename() -> Iterator[Step]:
    """The machine died during the last Edit, which did reach the disk."""
    yield Prompt("Rename Lexer.next to Lexer.advance everywhere, it hides the builtin")
    yield Title("Rename Lexer.next to advance")
    yield Thought("Find the callers first; next( alone matches the builtin as well.")
    yield grep(
        r"\.next\(", "src", "src/parser.py:8\nsrc/parser.py:31\nsrc/repl.py:14\nsrc/repl.py:22"
    )
    yield read("src/lexer.py", LEXER)
    yield edit("src/lexer.py", "    def next(self):\n", "    def advance(self):\n")
    yield read("src/repl.py", "while True:\n    token = lexer.next()\n    print(token)\n")
    yield edit("src/repl.py", "    token = lexer.next()\n", "    token = lexer.advance()\n")
    yield run(
        "python -m pytest -q",
        "....F...\nFAILED tests/test_parser.py::test_expect - AttributeError: 'Lexer' object has "
        "no attribute 'next'\n1 failed, 41 passed in 0.93s",
        exit_code=1,
    )
    yield Thought("Only parser.py is left. Its two calls are in expect() and in match().")
    yield Remark("One file to go: parser.py.")
    yield read("src/parser.py", PARSER)
    yield cut(edit("src/parser.py", EXPECT, EXPECT_NOW))


RULES = (
    "if_statement",
    "while_statement",
    "match_arm",
    "function_definition",
    "class_body",
    "decorator",
    "lambda",
    "comprehension",
    "slice",
    "f_string",
    "type_alias",
    "import_from",
    "try_statement",
    "with_item",
    "async_for",
    "conditional",
    "unary",
    "power",
    "call_arguments",
    "star_target",
    "annotation",
    "global_statement",
    "return_statement",
    "assert_statement",
)
WISHES = (
    "Next rule: {rule}",
    "Port {rule}, keep the old error messages",
    "{rule} accepts a trailing comma now, it should not",
    "Make {rule} recover at the next newline instead of giving up",
    "Write the round-trip test for {rule}",
    "{rule} is slow on the big corpus, profile it",
)
THOUGHTS = (
    "The old code looks one token ahead here; in the new grammar that is a cut after the keyword.",
    "{rule} is left recursive in the specification, so it becomes a loop over its tail.",
    "The error offset is off by one because the newline token is counted. Take the end of the last "
    "real token.",
    "Two alternatives share a prefix. Factor it out, then the memo table stays small.",
    "This branch is never taken by the corpus. Before I delete it, find a test that names it.",
)
ANSWERS = (
    "{rule} is ported. The corpus parses as before: 4,812 files, no difference in the trees.",
    "Done. {rule} reports the position of the token it did not expect, as the old parser did.",
    "{rule} needs one token of lookahead less now. The benchmark went from 1.91 s to 1.74 s.",
    "Added the round-trip test for {rule}; it found nothing, which is the result we wanted.",
)


def port(seed: int, turns: int) -> Iterator[Step]:
    """Days of work in one session: thousands of records, compacted now and then."""
    rng = random.Random(f"port {seed}")
    yield Prompt(
        "Port the hand-written parser to the new grammar, one rule at a time. After each rule run "
        "the corpus and compare the trees with those of the old parser."
    )
    yield Title("Port the parser to the new grammar")
    yield Answer("Understood: rule by rule, and no rule is done before the corpus agrees.")
    for turn in range(turns):
        rule = RULES[turn % len(RULES)]
        yield from _rule(rng, rule)
        if turn % 90 == 89:
            yield Compaction(
                f"Porting the parser rule by rule; {turn + 1} turns so far, the last was {rule}. "
                "The corpus of 4,812 files has to give the same trees after each."
            )
        if turn % 40 == 39:
            yield Pause(rng.randrange(900, 5_400))


def _rule(rng: random.Random, rule: str) -> Story:
    path, test = f"src/rules/{rule}.py", f"pytest -q tests/rules/test_{rule}.py"
    old = f"    def parse_{rule}(self):\n        token = self.expect({rng.choice(RULES)!r})\n"
    new = (
        f"    def {rule}(self):\n        return self.tree({rule!r}, *self.{rng.choice(RULES)}())\n"
    )
    yield Prompt(rng.choice(WISHES).format(rule=rule))
    yield Thought(rng.choice(THOUGHTS).format(rule=rule))
    yield grep(rule, "src", f"src/parser.py:{rng.randrange(40, 900)}\n{path}:1")
    yield read(path, old)
    yield edit(path, old, new)
    if rng.random() < 0.3:
        yield run(test, f"F..\nFAILED test_{rule}: unexpected 'NEWLINE'\n1 failed", exit_code=1)
        yield Thought("The newline belongs to the statement, not to the expression.")
        yield edit(path, new, new.replace("self.tree(", "self.node("))
    yield run(test, f"{rng.randrange(6, 40)} passed in {rng.random() + 0.2:.2f}s")
    yield run("make corpus", "4812 files, 4812 equal, 0 different", seconds=rng.randrange(9, 40))
    yield Answer(rng.choice(ANSWERS).format(rule=rule))


def unary_minus() -> Iterator[Step]:
    """A question about precedence, answered with a test."""
    yield Prompt("Why does -2**2 give 4?")
    yield Title("Precedence of unary minus")
    yield read("grammar.ebnf", FILES["grammar.ebnf"])
    yield Thought("factor takes the minus before power does, so it is (-2)**2.")
    yield edit("grammar.ebnf", 'factor = [ "-" ] power ;', 'factor = "-" factor | power ;')
    yield run("python -m pytest -q tests/test_power.py", "5 passed in 0.11s")
    yield Answer(
        "The grammar bound the minus tighter than `**`. Now `-2**2` is `-4`, as in Python, and "
        "`(-2)**2` is still `4`. I added both as tests."
    )
