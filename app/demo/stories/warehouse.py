"""Reports over a data warehouse: sub-agents, an export, a power cut, two older log formats."""

from __future__ import annotations

from collections.abc import Iterator

from ..steps import (
    Answer,
    Prompt,
    Remark,
    Step,
    Thought,
    Title,
    cut,
    delegate,
    edit,
    grep,
    read,
    run,
    write,
)

SLOW = """\
SELECT c.region, sum(o.amount)
FROM orders o JOIN customers c ON lower(c.email) = lower(o.email)
WHERE o.created_at >= date('now', '-30 days')
GROUP BY c.region;
"""
EXPORT = """\
def export(month):
    frame = load(month)
    frame.to_csv(f"out/{month}.csv")
"""
FILES = {"queries/q17.sql": SLOW, "queries/q04.sql": "SELECT count(*) FROM events;\n"}
REPORT_FILES = {"月报/export.py": EXPORT}


def slow_queries() -> Iterator[Step]:
    """Two sub-agents investigate two things, then one change improves both."""
    yield Prompt("The dashboard takes 40 seconds to open. Find the slow queries and fix the worst")
    yield Title("Find the slow queries behind the dashboard")
    yield Thought("Two independent questions: which queries are slow, and which run too often.")
    yield delegate(
        "Rank queries by time",
        "Read logs/sql.log of the last week and list the five queries that cost most in all, with "
        "their calls and mean times.",
        (
            Thought("The log has one line a query with its milliseconds. Sum them by name."),
            run("wc -l logs/sql.log", "1843112 logs/sql.log", seconds=0.4),
            run(
                "awk '{t[$3]+=$5; n[$3]++} END {for (q in t) print t[q], n[q], q}' logs/sql.log "
                "| sort -rn | head -5",
                "9120443 2210 q17\n1802290 48120 q04\n411020 910 q09\n190334 5102 q21\n"
                "90221 88 q02",
                seconds=11,
            ),
        ),
        "q17 costs 2.5 h a week (2,210 calls, 4.1 s each), q04 30 min (48,120 calls, 37 ms each). "
        "The other three together are under 12 min.",
    )
    yield delegate(
        "Explain the plan of q17",
        "Run EXPLAIN QUERY PLAN on queries/q17.sql and say why it is slow.",
        (
            read("queries/q17.sql", SLOW),
            run(
                "sqlite3 dw.db 'EXPLAIN QUERY PLAN …'",
                "SCAN o\nSCAN c\nUSE TEMP B-TREE FOR GROUP BY",
                seconds=1.2,
            ),
            Thought("Two scans: lower() on both sides keeps the index on email from being used."),
        ),
        "Both tables are scanned, because lower(email) cannot use the index on email.",
    )
    yield Remark("q17 it is. An index on the expression is the smallest change.")
    yield write("migrations/007_email.sql", "CREATE INDEX c_email ON customers(lower(email));\n")
    yield run("make explain Q=q17", "SEARCH c USING INDEX c_email (<expr>=?)\n0.18 s", seconds=3)
    yield Answer(
        "The dashboard opens in 3 s instead of 40. q17 used two full scans; an index on "
        "`lower(email)` brings it from 4.1 s to 0.18 s. Next in line is q04: it is quick, but the "
        "page asks it for every tile."
    )


def monthly_excel() -> Iterator[Step]:
    """The power went out while a record was being written."""
    yield Prompt("月报要导出成 Excel，每个大区一个工作表，金额带千分位")
    yield Title("月报导出成 Excel")
    yield read("月报/export.py", EXPORT)
    yield Thought("openpyxl is installed already. One sheet per region, number format #,##0.00.")
    yield edit(
        "月报/export.py", '    frame.to_csv(f"out/{month}.csv")\n', "    to_excel(frame, month)\n"
    )
    yield run(
        "python 月报/export.py 2026-10", "写入 out/2026-10.xlsx：7 个工作表，18,204 行", seconds=8
    )
    yield Answer("导出好了：7 个大区各一个工作表，金额是千分位、两位小数，首行冻结。")
    yield Prompt("首页再加一张汇总表，按环比排序")
    yield Thought("The summary needs last month as well, so load() has to take two months.")
    yield grep("def load", "月报", "月报/load.py:11")
    yield cut(run("python 月报/export.py 2026-10 --summary", seconds=20))


def incident() -> Iterator[Step]:
    """A session in the older log format, intact."""
    yield Prompt(
        "Summarise what happened on Friday evening from the logs, for people who were not there"
    )
    yield Title("What happened on Friday evening")
    yield Thought("Three logs: load balancer, loader, warehouse. Order them by time first.")
    yield run("grep -c ' 5[0-9][0-9] ' lb.log", "1204")
    yield read(
        "logs/loader.log", "18:02 start batch 771\n18:02 disk 98%\n18:04 write failed: ENOSPC\n"
    )
    yield write("notes/friday.md", "18:04 The loader's disk was full. 18:05 to 18:51 …\n")
    yield Answer(
        "At 18:04 the loader's disk was full; it kept retrying and held its lock, so every "
        "dashboard waited. At 18:51 batch 770 was deleted by hand and everything went on. No data "
        "was lost."
    )


def nightly() -> Iterator[Step]:
    """Another one in that format, with a missing record."""
    yield Prompt("夜间导出昨晚没有跑完，看看卡在哪一步")
    yield Title("夜间导出卡住的原因")
    yield run(
        "tail -3 export.log", "01:12 region=华东 done\n01:13 region=华南 start\n01:13 lock wait"
    )
    yield Thought("It waits for a lock of the region table since 01:13.")
    yield run("python -m tools.locks", "region: held by report-ui (idle in transaction, 7 h)")
    yield Answer(
        "夜间导出在等 region 表的锁，锁被报表页面的一个空闲事务占了 7 小时。"
        "结束那个会话后导出跑完了。"
    )
