"""Mutants of a module: one small change of its syntax tree each, compiled in memory."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

FLIPS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.FloorDiv, ast.Add), ast.FloorDiv: (ast.Mult,),
    ast.Div: (ast.Mult,), ast.BitOr: (ast.BitAnd,),
}  # fmt: skip
# Kinds of events and operations that are easily taken for one another.
EXCHANGED = {
    "set": "copy", "waver": "swap", "adjust.up": "adjust.down", "adjust.down": "adjust.up", "adjust": "percent",
    "percent.up": "percent.down", "percent.down": "percent.up", "up": "down", "copy": "swap",
    "swap": "copy", "revert.prev": "revert.first", "first": "prev", "cancel": "restore", "restore": "cancel",
    "bulk.": "percent.", "bulk": "percent", "cond": "cond.met", "cond.met": "cond.unmet", "met": "unmet",
    "cond.unmet": "cond.met", "correct": "set", "intro": "set", "rule": "set", "scoped": "set", "sum": "count_rows",
    "count_rows": "sum", "earliest": "latest", "latest": "earliest", "add": "subtract", "subtract": "add",
    "percent": "add", "product": "add", "shift": "add", "money": "measure", "measure": "money",
    "workdays_before": "workdays_after", "workdays_after": "workdays_before",
}  # fmt: skip
TICKS = 20_000
Change = Callable[[ast.Module], None]


class Mutant(NamedTuple):
    """A mutant: where it is (function, source of the statement), what is changed, and the changed tree."""

    function: str
    line: int
    statement: str
    label: str
    change: Change

    @property
    def name(self) -> str:
        """Function, statement and change: what an entry of a table of equivalents names."""
        return f"{self.function}: {self.statement}: {self.label}"


class StuckError(Exception):
    """A mutant does not come to an end."""


def mutants_of(source: Path, skipped: frozenset[str]) -> list[Mutant]:
    """Return the mutants of every function of a module but the skipped ones."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    found: list[Mutant] = []
    for at, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.FunctionDef) and node.name not in skipped:
            body = node.body[1:] if ast.get_docstring(node) else node.body
            found += _of(at, node, node.name, body)
        elif isinstance(node, ast.AnnAssign) and node in tree.body and isinstance(node.value, ast.Dict):
            # A table of the module: which kind of event is handled how.
            found += [m for m in _of(at, node, "module", [node]) if m.label != "dropped"]
    return found


def load_mutant(source: Path, mutant: Mutant | None, name: str) -> ModuleType:
    """Return the module with the mutant's change made, and with loops that cannot run for ever."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    if mutant is not None:
        mutant.change(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.While):
            node.body.insert(0, ast.Expr(ast.Call(ast.Name("_tick", ast.Load()), [], [])))
    ast.fix_missing_locations(tree)
    module = ModuleType(name)
    module.__dict__["_tick"] = _Ticker()
    exec(compile(tree, f"<mutant of {source.name}>", "exec"), module.__dict__)
    return module


class _Ticker:
    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> None:
        self.count += 1
        if self.count > TICKS:
            self.count = 0
            raise StuckError


def _of(at: int, home: ast.AST, name: str, body: list[ast.stmt]) -> Iterator[Mutant]:
    """Mutants of the statements of `body`, which lie within the node that the walk finds at number `at`."""
    index = {id(node): number for number, node in enumerate(ast.walk(home))}

    def reach(tree: ast.Module, node: ast.AST) -> Any:
        here = next(n for k, n in enumerate(ast.walk(tree)) if k == at)
        return next(n for k, n in enumerate(ast.walk(here)) if k == index[id(node)])

    for statement in _statements(body):
        text = _head(statement)
        for node in _own_nodes(statement):
            for label, edit in _edits(node):

                def change(tree: ast.Module, node: ast.AST = node, edit: Callable[[Any], None] = edit) -> None:
                    edit(reach(tree, node))

                yield Mutant(name, statement.lineno, text, label, change)
        if not isinstance(statement, ast.Pass | ast.FunctionDef):

            def drop(tree: ast.Module, node: ast.stmt = statement) -> None:
                _replace(tree, reach(tree, node))

            yield Mutant(name, statement.lineno, text, "dropped", drop)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        for part in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, part, []))
        for branch in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
            yield from _statements(branch.body)


def _head(statement: ast.stmt) -> str:
    return " ".join(ast.unparse(statement).split("\n")[0].split())


def _own_nodes(statement: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a statement but those of statements inside it, messages of errors, and annotations."""
    yield statement
    if isinstance(statement, ast.Raise):
        return
    for name, value in ast.iter_fields(statement):
        if name in {"annotation", "returns"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.match_case):
                yield child.pattern
                yield from _below(child.pattern)
                if child.guard is not None:
                    yield from _own_nodes(child.guard)
            elif isinstance(child, ast.AST) and not isinstance(child, ast.stmt | ast.ExceptHandler | ast.JoinedStr):
                yield from _own_nodes(child)


def _below(pattern: ast.AST) -> Iterator[ast.AST]:
    yield from (n for n in ast.walk(pattern) if n is not pattern)


def _edits(node: ast.AST) -> Iterator[tuple[str, Callable[[Any], None]]]:
    match node:
        case ast.Compare():
            for n, op in enumerate(node.ops):
                for other in FLIPS.get(type(op), ()):
                    yield f"{type(op).__name__} to {other.__name__}", _set_op(n, other)
        case ast.BinOp() | ast.AugAssign():
            for operator in OPERATORS.get(type(node.op), ()):
                yield f"{type(node.op).__name__} to {operator.__name__}", _set("op", operator())
        case ast.BoolOp():
            swapped: ast.boolop = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield f"{type(node.op).__name__} to {type(swapped).__name__}", _set("op", swapped)
            for n in range(len(node.values)):
                yield f"without operand {n + 1}", _drop_operand(n)
        case ast.UnaryOp(op=ast.Not()):
            yield "without not", _set_like(lambda n: ast.Call(ast.Name("bool", ast.Load()), [n.operand], []))
        case ast.UnaryOp(op=ast.USub()) if not isinstance(node.operand, ast.Constant):
            yield "without minus", _set("op", ast.UAdd())
        case ast.IfExp():
            yield "branches exchanged", _exchange
        case ast.Slice():
            for part in ("lower", "upper"):
                if getattr(node, part) is not None:
                    yield f"slice without {part}", _set(part, None)
        case ast.Subscript(slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(far)))):
            yield f"[-{far}] to [{'0' if far == 1 else '-1'}]", _set("slice", _constant(0 if far == 1 else -1))
        case ast.Constant(value=bool(truth)):
            yield f"{truth} to {not truth}", _set("value", not truth)
        case ast.Constant(value=int(number)):
            yield f"{number} + 1", _set("value", number + 1)
            yield f"{number} - 1", _set("value", number - 1)
        case ast.Constant(value=str(word)) if word in EXCHANGED:
            yield f"{word!r} to {EXCHANGED[word]!r}", _set("value", EXCHANGED[word])
        case ast.Call(func=ast.Name(id="min" | "max" | "any" | "all" as name)):
            other_name = {"min": "max", "max": "min", "any": "all", "all": "any"}[name]
            yield f"{name} to {other_name}", lambda n: setattr(n.func, "id", other_name)
        case ast.Call(func=ast.Name(id="sorted" | "reversed"), args=[_]):
            yield "in the order given", _set_like(lambda n: ast.Call(ast.Name("list", ast.Load()), [n.args[0]], []))
        case ast.Return(value=ast.expr()):
            if not isinstance(node.value, ast.Constant):
                yield "returns None", _set("value", ast.Constant(None))


def _constant(number: int) -> ast.expr:
    return ast.Constant(number) if number >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-number))


def _set(name: str, value: object) -> Callable[[Any], None]:
    return lambda node: setattr(node, name, value)


def _set_op(at: int, other: type[ast.cmpop]) -> Callable[[Any], None]:
    def edit(node: Any) -> None:
        node.ops[at] = other()

    return edit


def _set_like(make: Callable[[Any], ast.expr]) -> Callable[[Any], None]:
    """Turn a node into another one where it stands: class and fields are taken over."""

    def edit(node: Any) -> None:
        made = make(node)
        node.__class__ = made.__class__
        node.__dict__.update({name: getattr(made, name) for name in made._fields})

    return edit


def _drop_operand(at: int) -> Callable[[Any], None]:
    def edit(node: Any) -> None:
        del node.values[at]
        if len(node.values) == 1:
            node.values.append(node.values[0])

    return edit


def _exchange(node: Any) -> None:
    node.body, node.orelse = node.orelse, node.body


def _replace(tree: ast.Module, statement: ast.stmt) -> None:
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and any(child is statement for child in value):
                value[next(n for n, child in enumerate(value) if child is statement)] = ast.Pass()
                return
