"""The arithmetic of one rule as z3 terms: what its head adds, and under which comparisons, read off the rule itself."""

from __future__ import annotations

from collections.abc import Mapping

import z3
from clingo.ast import AST, ASTType, BinaryOperator, ComparisonOperator, Sign, UnaryOperator, parse_string

_COMPARE = {
    ComparisonOperator.Equal: lambda a, b: a == b,
    ComparisonOperator.NotEqual: lambda a, b: a != b,
    ComparisonOperator.LessThan: lambda a, b: a < b,
    ComparisonOperator.LessEqual: lambda a, b: a <= b,
    ComparisonOperator.GreaterThan: lambda a, b: a > b,
    ComparisonOperator.GreaterEqual: lambda a, b: a >= b,
}


def stated(rule: str, place: int, numbers: Mapping[str, z3.ArithRef]) -> tuple[z3.ArithRef, z3.BoolRef]:
    """The argument of a rule's head at that place (from 0), and the comparisons of its body between those numbers."""
    found: list[AST] = []
    parse_string(rule, found.append)
    node = next(one for one in found if one.ast_type is ASTType.Rule)
    amount = term(node.head.atom.symbol.arguments[place], numbers)
    return amount, z3.And([_comparison(literal, numbers) for literal in node.body if _compares(literal, numbers)])


def _compares(literal: AST, numbers: Mapping[str, z3.ArithRef]) -> bool:
    if literal.ast_type is not ASTType.Literal or literal.atom.ast_type is not ASTType.Comparison or literal.sign != Sign.NoSign:
        return False
    return str(literal.atom.term) in numbers


def _comparison(literal: AST, numbers: Mapping[str, z3.ArithRef]) -> z3.BoolRef:
    parts, left = [], term(literal.atom.term, numbers)
    for guard in literal.atom.guards:
        right = term(guard.term, numbers)
        parts.append(_COMPARE[guard.comparison](left, right))
        left = right
    return z3.And(parts)


def term(node: AST, numbers: Mapping[str, z3.ArithRef]) -> z3.ArithRef:
    """An arithmetic term of clingo; division truncates towards zero there. Raises ``ValueError`` for anything else."""
    match node.ast_type:
        case ASTType.Variable if node.name in numbers:
            return numbers[node.name]
        case ASTType.SymbolicTerm:
            return z3.IntVal(node.symbol.number)
        case ASTType.UnaryOperation:
            inner = term(node.argument, numbers)
            if node.operator_type == UnaryOperator.Minus:
                return -inner
            if node.operator_type == UnaryOperator.Absolute:
                return z3.If(inner >= 0, inner, -inner)
        case ASTType.BinaryOperation:
            left, right = term(node.left, numbers), term(node.right, numbers)
            match node.operator_type:
                case BinaryOperator.Plus:
                    return left + right
                case BinaryOperator.Minus:
                    return left - right
                case BinaryOperator.Multiplication:
                    return left * right
                case BinaryOperator.Division:
                    return z3.If(left >= 0, left / right, -((-left) / right))
    raise ValueError(f"no arithmetic: {node}")
