"""A small bookkeeping program that MyCodeAgent works on."""

from __future__ import annotations

from collections.abc import Iterator

from ..steps import Answer, Compaction, Prompt, Remark, Step, cut, edit, read, run, todo, write

BALANCE = """\
def balance(entries):
    total = 0.0
    for entry in entries:
        total += entry.amount
    return total
"""
EXACT = BALANCE.replace("total = 0.0", 'total = Decimal("0")')
FILES = {
    "ledger/balance.py": BALANCE,
    "ledger/rates.py": "RATES = {'EUR': 1, 'USD': 1.09}\n",
    "README.md": "# ledger\n\nDouble entry, one file a year.\n",
}


def decimals() -> Iterator[Step]:
    """Killed during an Edit that never reached the disk."""
    yield Prompt("Use Decimal for all amounts, the yearly balance is off by two cents")
    yield Remark("Let me look at the sum first.")
    yield read("ledger/balance.py", BALANCE)
    yield todo(
        ("Decimal in balance.py", "in_progress"),
        ("Decimal when reading the file", "pending"),
        ("A test with 0.1 added ten times", "pending"),
    )
    yield Remark("A float sum, as expected.")
    yield cut(edit("ledger/balance.py", "    total = 0.0\n", '    total = Decimal("0")\n'))


def currencies() -> Iterator[Step]:
    """Two runs, the second after a compaction."""
    yield Prompt("加上多币种支持，汇率从 rates.py 里取")
    yield read("ledger/rates.py", FILES["ledger/rates.py"])
    yield edit("ledger/rates.py", "RATES = {", "BASE = 'EUR'\nRATES = {")
    yield write(
        "ledger/convert.py", "def convert(amount, currency):\n    return amount / RATES[currency]\n"
    )
    yield run("git diff --stat", " ledger/convert.py | 2 ++\n ledger/rates.py   | 1 +", seconds=0.2)
    yield Answer("多币种可以用了：金额带币种，合计按 rates.py 折算成欧元。")
    yield Prompt("负数金额在报表里要用括号表示")
    yield Compaction("Added currencies: convert.py, BASE in rates.py. Next: negatives in brackets.")
    yield run("git status --short", " M ledger/rates.py\n?? ledger/convert.py", seconds=0.2)
    yield edit("ledger/report.py", 'f"{amount:.2f}"', 'f"({-amount:.2f})" if amount < 0 else …')
    yield Answer("负数现在显示为 (12.50)，导出的 CSV 保持负号不变。")
