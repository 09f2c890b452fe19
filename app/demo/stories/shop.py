"""A web shop in TypeScript: an open question, and a checkout that had to be right."""

from __future__ import annotations

from collections.abc import Iterator

from ..steps import (
    Answer,
    Prompt,
    Remark,
    Step,
    Thought,
    Title,
    ask,
    cut,
    edit,
    grep,
    read,
    run,
    todo,
    write,
)

MONEY = """\
export function total(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.price * line.count, 0);
}
"""
CENTS = """\
export function total(lines: Line[]): bigint {
  return lines.reduce((sum, line) => sum + line.cents * BigInt(line.count), 0n);
}
"""
FILES = {"src/money.ts": CENTS, "package.json": '{\n  "name": "shop",\n  "type": "module"\n}\n'}


def database() -> Iterator[Step]:
    """The agent waits for a choice."""
    yield Prompt("Set up the database. Orders and customers, nothing fancy, but it has to survive")
    yield Title("Set up the database")
    yield run("ls", "package.json  src  test  tsconfig.json", seconds=0.2)
    yield read("package.json", FILES["package.json"])
    yield grep("DATABASE_URL", ".", ".env.example:3\nsrc/config.ts:9")
    yield Thought(
        "There is a DATABASE_URL in the example, but no driver. Two ways: one file with SQLite, or "
        "a server. That is for the person to say, it decides about backups."
    )
    yield Remark("Before I write a schema I need one decision from you.")
    yield ask(
        "Where should orders and customers live?",
        "Database",
        {
            "SQLite, one file": "No server to run; backup is copying a file; one machine only",
            "Postgres": "A server to run and back up; several machines can write",
            "Postgres in Docker": "As above, started with the shop for development",
        },
    )


def cents() -> Iterator[Step]:
    """Rounding errors in a total; money becomes whole cents."""
    yield Prompt("The cart shows 59.980000000000004 for two items at 29.99. Fix it for good")
    yield Title("Money in whole cents")
    yield Thought("Floats. Rounding at the edge only hides it; totals and discounts add up errors.")
    yield read("src/money.ts", MONEY)
    yield todo(
        ("Count in cents everywhere", "in_progress"),
        ("Format at the edge only", "pending"),
        ("Convert the stored carts", "pending"),
    )
    yield edit("src/money.ts", MONEY, CENTS)
    yield run(
        "npm test -- money",
        "TypeError: Do not know how to serialize a BigInt\n  at JSON.stringify\n"
        "Tests: 1 failed, 8 passed",
        exit_code=1,
        seconds=7,
    )
    yield Thought("JSON has no big integers. Send the amount as a string and say so in the schema.")
    yield edit("src/api.ts", "total: total(lines),", "total: total(lines).toString(),")
    yield run("npm test", "Tests: 96 passed, 96 total\nTime: 8.114 s", seconds=9)
    yield todo(
        ("Count in cents everywhere", "completed"),
        ("Format at the edge only", "completed"),
        ("Convert the stored carts", "completed"),
    )
    yield Answer(
        "Money is a whole number of cents from the database to the browser, and only `format()` "
        "makes a decimal point. Amounts in the API are strings now; the mobile app has to know."
    )


def migration() -> Iterator[Step]:
    """The machine lost power while a migration ran."""
    yield Prompt("Run the migration on staging and tell me when it is through")
    yield Title("Run the migration on staging")
    yield read("migrations/0042_cents.sql", "ALTER TABLE line ADD COLUMN cents bigint;\n")
    yield run(
        "npm run migrate -- --dry-run", "1 migration to run: 0042_cents (1.2 M rows)", seconds=3
    )
    yield Remark("The dry run is clean. Starting.")
    yield cut(run("npm run migrate -- --env staging", seconds=95))


def dark_mode() -> Iterator[Step]:
    """Colours for a dark mode."""
    yield Prompt("Dark mode please, follow the system and let people override it")
    yield Title("Dark mode that follows the system")
    yield grep("#fff", "src", "src/theme.css:4\nsrc/cart.css:12\nsrc/cart.css:40")
    yield Thought("Colours are spread over three files. Variables first, then the second theme.")
    yield write("src/theme.css", ":root { --paper: #fff; --ink: #1c1c1c; }\n")
    yield edit("src/cart.css", "background: #fff;", "background: var(--paper);")
    yield run("npm run build", "built in 2.31s", seconds=4)
    yield Answer("Both themes are variables; `data-theme` on the root overrides the system.")
