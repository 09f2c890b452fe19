"""A stock service of a Chinese team: one session is live, one was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

from ..steps import (
    Answer,
    Call,
    Interrupted,
    Prompt,
    Remark,
    Step,
    Story,
    Thought,
    Title,
    edit,
    grep,
    read,
    run,
    todo,
    write,
)

RESERVE = """\
def reserve(db, sku, n):
    row = db.get(sku)
    if row.qty >= n:
        row.qty -= n
        return True
    return False
"""
ATOMIC = """\
def reserve(db, sku, n):
    changed = db.execute(
        "UPDATE stock SET qty = qty - ? WHERE sku = ? AND qty >= ?", (n, sku, n)
    ).rowcount
    return changed == 1
"""
RACE_TEST = """\
from concurrent.futures import ThreadPoolExecutor

from app.stock import reserve


def test_never_sells_more_than_there_is(db):
    db.put("A-100", qty=5)
    with ThreadPoolExecutor(8) as pool:
        sold = list(pool.map(lambda _: reserve(db, "A-100", 1), range(20)))
    assert sum(sold) == 5
    assert db.get("A-100").qty == 0
"""
FAILED = """\
F.                                                                       [100%]
=================================== FAILURES ===================================
_____________________ test_never_sells_more_than_there_is ______________________
    changed = db.execute(
E   AttributeError: 'Store' object has no attribute 'execute'
app/stock.py:2: AttributeError
=========================== short test summary info ============================
FAILED tests/test_stock.py::test_never_sells_more_than_there_is
1 failed, 1 passed in 0.42s"""
FILES = {
    "app/stock.py": ATOMIC,
    "tests/test_stock.py": RACE_TEST,
    "README.md": "# inventory-api\n\n库存与预占服务。\n",
}


def oversold() -> Iterator[Step]:
    """A race condition that oversells: found, fixed, tested."""
    yield Prompt("stock.py 里的 reserve() 会超卖，帮我修好并补一个测试")
    yield Title("修复库存超卖并补测试")
    yield Thought(
        "The person says reserve() oversells. Most likely a read-then-write race; "
        "I should read stock.py first and see which database layer is underneath."
    )
    yield Remark("先看一下现有实现。")
    yield read("app/stock.py", RESERVE)
    yield Thought(
        "As expected: the check and the write are two steps, so two requests can both see "
        "qty >= n. One conditional UPDATE makes the check and the write a single statement; "
        "rowcount says whether it happened."
    )
    yield grep("reserve(", "app", "app/stock.py:1\napp/orders.py:41\napp/holds.py:18")
    yield todo(
        ("把 reserve() 改成一条带条件的 UPDATE", "in_progress"),
        ("补一个并发测试", "pending"),
        ("检查 orders.py 和 holds.py 的调用", "pending"),
    )
    yield edit("app/stock.py", RESERVE, ATOMIC)
    yield write("tests/test_stock.py", RACE_TEST)
    yield Remark("跑一下测试。")
    yield run("pytest -q tests/test_stock.py", FAILED, exit_code=1)
    yield Thought(
        "Store wraps the connection and does not pass execute() through. Adding it to Store is "
        "smaller than reaching into its private attribute."
    )
    yield read(
        "app/db.py", "class Store:\n    def __init__(self, conn):\n        self._conn = conn\n"
    )
    yield edit(
        "app/db.py",
        "        self._conn = conn\n",
        "        self._conn = conn\n\n"
        "    def execute(self, sql, args=()):\n        return self._conn.execute(sql, args)\n",
    )
    yield run(
        "pytest -q",
        "..............                                           [100%]\n14 passed in 1.31s",
    )
    yield todo(
        ("把 reserve() 改成一条带条件的 UPDATE", "completed"),
        ("补一个并发测试", "completed"),
        ("检查 orders.py 和 holds.py 的调用", "in_progress"),
    )
    yield Answer(
        "修好了：reserve() 现在用一条带条件的 UPDATE 同时完成检查和扣减，"
        "两个请求不会再同时通过检查。\n\n"
        "- `Store` 增加了 `execute()`，只是把调用转给连接\n"
        "- `test_never_sells_more_than_there_is` 用 8 个线程抢 5 件库存，只卖出 5 件\n\n"
        "orders.py 和 holds.py 的调用不用改，返回值的含义没有变。"
    )


ENDPOINTS = ("orders", "refunds", "shipments", "suppliers", "holds", "returns", "audits")
"""The user's next requests, one for each of these."""
TIDY_TURNS = 12


def more_work() -> Iterator[Step]:
    """The endless continuation of the live session."""
    for turn in count():
        name = ENDPOINTS[turn % len(ENDPOINTS)]
        table = WISHES[turn % len(WISHES)]
        yield from _wish(name, *table)


WISHES = (
    (
        "给 /{name} 加上游标分页，一页最多 100 条",
        "Offset paging skips rows while others insert. A cursor over (created_at, id) is stable "
        "and the index for it exists already.",
        "    rows = db.list(limit=limit, offset=offset)\n",
        "    rows = db.list_after(cursor, limit=min(limit, 100))\n",
        "分页改成了游标：按 (created_at, id) 排序，`next` 为空表示到头。"
        "老的 offset 参数仍然可用，会在日志里提示。",
    ),
    (
        "/{name} 的错误信息太笼统了，把哪个字段不对告诉调用方",
        "The handler turns every ValueError into one 400. Pydantic knows the location of each "
        "problem, so pass it on.",
        '    raise HTTPError(400, "bad request")\n',
        "    raise HTTPError(400, problems=[field_of(error) for error in errors])\n",
        "现在 400 会列出每个字段的问题，例如 `qty: 必须大于 0`。前端原来只看状态码，不受影响。",
    ),
    (
        "压测的时候 /{name} 的 p95 到了 900 ms，看看慢在哪里",
        "900 ms smells of one query a row. Count the statements of a single request before "
        "changing anything.",
        "    items = [load_item(row.id) for row in rows]\n",
        "    items = load_items([row.id for row in rows])\n",
        "是 N+1 查询：一页 50 条会发 51 条 SQL。"
        "合并成一条 IN 查询后，本地 p95 从 870 ms 降到 64 ms。",
    ),
    (
        "给 /{name} 补上审计日志，谁在什么时候改了什么",
        "There is an audit table with actor, action and a JSON diff. The write belongs in the same "
        "transaction, or a crash leaves one without the other.",
        "    db.save(row)\n",
        "    with db.transaction():\n        db.save(row)\n"
        "        audit.record(actor, row.changes())\n",
        "审计记录和业务写入在同一个事务里，不会只留下一半。密码和令牌字段只记“已修改”。",
    ),
)


def tidy() -> Iterator[Step]:
    """An afternoon on the endpoints, one after the other."""
    yield Prompt("这周把接口整理一遍：分页、错误信息、审计日志，一个一个来")
    yield Title("整理接口：分页、错误、审计")
    yield Answer("好的，一个接口一个接口来，每改完一个就跑全部测试。")
    yield from islice(more_work(), 11 * TIDY_TURNS)


def _wish(name: str, wish: str, thought: str, old: str, new: str, answer: str) -> Story:
    path = f"app/{name}.py"
    passed = "..................                                       [100%]\n18 passed in 1.58s"
    yield Prompt(wish.format(name=name))
    yield Thought(thought)
    yield Remark(f"先看 {path} 现在怎么写的。")
    yield read(path, f"def handle(request, db):\n{old}    return rows\n")
    yield grep(old.strip()[:18], "app", f"{path}:2\napp/legacy.py:88")
    yield edit(path, old, new)
    yield run(f"pytest -q tests/test_{name}.py", "1 failed, 5 passed in 0.71s", exit_code=1)
    yield Thought("The failing test checks the old behaviour; the new one is what was asked for.")
    yield edit(f"tests/test_{name}.py", "    assert page.total == 3\n", "    assert page.next\n")
    yield run("pytest -q", passed)
    yield Answer(answer)


def idempotent() -> Iterator[Step]:
    """The user sees the agent go wrong and stops it."""
    yield Prompt("给下单接口加上幂等键，重复提交只算一次")
    yield Title("给下单接口加幂等键")
    yield Thought("An Idempotency-Key header, stored with the response; a unique index decides.")
    yield grep("def create_order", "app", "app/orders.py:63")
    yield read(
        "app/orders.py", "def create_order(request, db):\n    order = Order(**request.json)\n"
    )
    yield edit(
        "app/orders.py",
        "    order = Order(**request.json)\n",
        "    if seen := db.response_of(request.idempotency_key):\n        return seen\n"
        "    order = Order(**request.json)\n",
    )
    yield Remark("给所有历史订单补一遍键。")
    yield run(
        "python -m scripts.backfill_keys --dry-run", "would update 1,204,377 rows", seconds=41
    )
    yield Interrupted()


def timezones() -> Iterator[Step]:
    """A small time zone bug, fixed in one turn."""
    yield Prompt("日报里昨天 0 点到 8 点的订单都算到前一天去了，应该按北京时间")
    yield Title("日报按北京时间分日")
    yield Thought("Grouping by date(created_at) is UTC. Eight hours fits exactly.")
    yield Call(
        "Grep",
        {"pattern": "date(created_at)", "path": "app"},
        "date(created_at)",
        "app/report.py:27:    GROUP BY date(created_at)",
    )
    yield edit(
        "app/report.py",
        "    GROUP BY date(created_at)\n",
        "    GROUP BY date(created_at, '+8 hours')\n",
    )
    yield run("pytest -q tests/test_report.py", "6 passed in 0.38s")
    yield Answer("日报现在按 UTC+8 分日。历史日报没有重算，需要的话我可以再跑一遍最近 30 天。")
