"""Checks whether the line of a formula has the same value as its LaTeX according to SymPy.

    value-oracle.py < PAIRS

PAIRS is a JSON list of [LaTeX, line]. For each pair "same", "different ..." or "unread" is printed; the latter if SymPy's
LaTeX parser (lark) fails or the value is not finite. The line is parsed by a grammar of its own:

    relation: sum (sign sum)*       sum: term (("+" | "−") term)*      term: chain (("×" | "·" | "÷") chain)*
    chain: factor ("/"? factor)*    factor: atom scripts "!"*          atom: number, letter, brackets, root, function

A slash divides by the single factor after it; adjacent factors are a product.
"""
import cmath
import hashlib
import json
import math
import re
import sys
import unicodedata
import warnings

import sympy
from sympy.core.function import AppliedUndef
from sympy.parsing.latex import parse_latex

warnings.filterwarnings("ignore")
ABOVE = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵡ",
                 "0123456789+−abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθχ"))
BELOW = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵪ", "0123456789+−aehijklmnoprstuvxβγρχ"))
GREEK = dict(zip("αβγδϵζηθικλμνξπρστυϕφχψωΓΔΘΛΞΠΣΥΦΨΩε",
                 "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi "
                 "varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega varepsilon".split()))
FUNCTIONS = {"sin": cmath.sin, "cos": cmath.cos, "tan": cmath.tan, "log": cmath.log, "ln": cmath.log,
             "exp": cmath.exp, "arccos": cmath.acos, "arcsin": cmath.asin, "arctan": cmath.atan,
             "sinh": cmath.sinh, "cosh": cmath.cosh, "tanh": cmath.tanh}
RELATIONS = "=≠<>≤≥"


def drawn(name, point):
    """Returns the value of a letter at a point, from 0.5 to 2.5."""
    return 0.5 + 2 * int(hashlib.sha256(f"{name} {point}".encode()).hexdigest()[:12], 16) / 16**12


def applied(name, arguments, point):
    return drawn(name + "(" + ", ".join(f"{a.real:.6f} {a.imag:.6f}" for a in arguments) + ")", point)


class Unread(Exception):
    pass


def raised(base, power):
    base = complex(base)
    # A negative real number is on the upper side of the branch cut.
    return (complex(base.real) if abs(base.imag) < 1e-12 * abs(base.real) else base) ** power


class Line:
    """Evaluates a line at a point."""

    def __init__(self, text, point, functions):
        self.text, self.at, self.point, self.functions = text, 0, point, functions

    def peek(self, spaces=True):
        at = self.at
        while spaces and at < len(self.text) and self.text[at] == " ":
            at += 1
        return self.text[at] if at < len(self.text) else ""

    def take(self, signs):
        if self.peek() and self.peek() in signs:
            while self.text[self.at] == " ":
                self.at += 1
            self.at += 1
            return self.text[self.at - 1]
        return ""

    def expect(self, sign):
        if not self.take(sign):
            raise Unread(f"{sign} is missing at {self.at} in {self.text}")

    def whole(self):
        values = self.list()
        if self.peek():
            raise Unread(f"{self.text[self.at:]} is left of {self.text}")
        return [value for side in values for value in (side if isinstance(side, list) else [side])]

    def list(self):
        """Parses rows separated by semicolons and relations separated by commas, and returns all their sides in order."""
        values = self.relation()
        while self.take(",;"):
            values += self.relation()
        return values

    def relation(self):
        values = [self.sum()]
        while self.take(RELATIONS):
            values.append(self.sum())
        return values

    def sum(self):
        value = -self.term() if self.take("−") else (self.take("+"), self.term())[1]
        while self.peek() and self.peek() in "+−":
            value = value + self.term() if self.take("+−") == "+" else value - self.term()
        return value

    def term(self):
        value = self.signed_chain()
        while self.peek() and self.peek() in "×·÷":
            value = value / self.signed_chain() if self.take("×·÷") == "÷" else value * self.signed_chain()
        return value

    def signed_chain(self):
        return -self.chain() if self.take("−") else self.chain()

    def chain(self):
        value = self.factor()
        while True:
            if self.take("/"):
                value /= self.factor()
            elif self.peek() and (self.peek().isalnum() or self.peek() in "([√∛∜"):
                value *= self.factor()
            else:
                return value

    def small(self, table):
        letters = ""
        while self.peek(False) and self.peek(False) in table:
            letters += table[self.peek(False)]
            self.at += 1
        return letters

    def script(self, sign, table):
        """Returns the text of a script, or None."""
        letters = self.small(table)
        if letters:
            return letters
        if self.peek(False) != sign:
            return None
        self.at += 1
        if self.peek(False) == "(":
            start, level = self.at + 1, 0
            while True:
                level += {"(": 1, ")": -1}.get(self.peek(False), 0)
                self.at += 1
                if level == 0:
                    return self.text[start:self.at - 1]
        match = re.match(r"[\d.]+|.", self.text[self.at:])
        self.at += match.end()
        return match.group()

    def inner(self, text):
        values = Line(text, self.point, self.functions).whole()
        if len(values) != 1:
            raise Unread(f"{text} is no value")
        return values[0]

    def factor(self):
        value = self.atom()
        power = self.script("^", ABOVE)
        if power is not None:
            value = raised(value, self.inner(power))
        while self.peek(False) == "!":
            self.at += 1
            value = math.gamma(value.real + 1)
        return value

    def bracket(self, close):
        values = self.list()
        self.expect(close)
        return values

    def one(self, values):
        if len(values) != 1:
            raise Unread("a list is no value")
        return values[0]

    def atom(self):
        character = self.peek()
        self.at += len(self.text[self.at:]) - len(self.text[self.at:].lstrip(" "))
        if not character:
            raise Unread("a value is missing")
        if character.isdigit() and character.isascii():
            match = re.match(r"\d+(\.\d+)?", self.text[self.at:])
            self.at += match.end()
            return complex(float(match.group()))
        degree = self.small(ABOVE)
        if degree:
            self.expect("√")
            return raised(self.radicand(), 1 / self.inner(degree))
        self.at += 1
        if character in "([":
            listed = self.bracket(")" if character == "(" else "]")
            return listed[0] if len(listed) == 1 else listed
        if character == "|":
            return abs(self.one(self.bracket("|")))
        if character in "√∛∜":
            return raised(self.radicand(), 1 / {"√": 2, "∛": 3, "∜": 4}[character])
        if not character.isalpha():
            raise Unread(f"{character} is no value")
        word = re.match(r"[A-Za-z]*", self.text[self.at - 1:]).group()
        if word in FUNCTIONS:
            self.at += len(word) - 1
            power = self.script("^", ABOVE)
            argument = self.one((self.take("("), self.bracket(")"))[1]) if self.peek() == "(" else self.chain()
            value = FUNCTIONS[word](argument)
            return value if power is None else value ** self.inner(power)
        if len(word) > 1 and word == "root" and self.text[self.at + 3] == "(":
            self.at += 4
            index, radicand = self.bracket(")")
            return raised(radicand, 1 / index)
        return self.variable(character)

    def radicand(self):
        if self.peek(False) == "(":
            self.at += 1
            return self.one(self.bracket(")"))
        match = re.match(r"\d+(\.\d+)?|.", self.text[self.at:])
        self.at += match.end()
        return self.inner(match.group())

    def variable(self, character):
        name = GREEK.get(character, character)
        while self.peek(False) and unicodedata.combining(self.peek(False)):
            name += " " + unicodedata.name(self.peek(False))
            self.at += 1
        index = self.script("_", BELOW)
        if index is not None:
            name += "_" + "".join(GREEK.get(sign, sign) for sign in index if sign != " ")
        if name in self.functions and self.peek(False) == "(":
            self.at += 1
            return complex(applied(name, self.bracket(")"), self.point))
        return complex(drawn(name, self.point))


def name_of(symbol):
    return str(symbol).replace("{", "").replace("}", "").replace("\\", "").replace(" ", "").replace("-", "−")


def values(expression, point):
    """Returns the values of SymPy's result: of both sides of a relation, or of each cell of a matrix."""
    if isinstance(expression, sympy.core.relational.Relational):
        sides = [expression.lhs, expression.rhs]
        return [value for side in sides for value in values(side, point)]
    if isinstance(expression, sympy.MatrixBase):
        return [value for cell in expression for value in values(cell, point)]
    if not isinstance(expression, sympy.Expr):
        raise Unread("no value")
    if expression.has(sympy.Integral, sympy.Derivative, sympy.Sum, sympy.Product, sympy.Limit):
        raise Unread("names that are bound")
    expression = expression.subs(sympy.pi, sympy.Symbol("pi"))
    while expression.atoms(AppliedUndef):
        call = min(expression.atoms(AppliedUndef), key=lambda call: len(str(call)))
        arguments = [value for argument in call.args for value in values(argument, point)]
        expression = expression.xreplace({call: sympy.Float(applied(name_of(call.func), arguments, point), 17)})
    drawn_values = {symbol: sympy.Float(drawn(name_of(symbol), point), 17) for symbol in expression.free_symbols}
    return [complex(expression.xreplace(drawn_values).evalf(17))]


def judged(latex, line):
    try:
        expression = parse_latex(latex, backend="lark")
        if not all(1e-30 < abs(value) < 1e30 or value == 0 for value in values(expression, 0)):
            return "unread"
    except Exception:
        return "unread"
    functions = {name_of(call.func) for call in expression.atoms(AppliedUndef)} if hasattr(expression, "atoms") else set()
    for point in range(20):
        expected = values(expression, point)
        try:
            found = Line(line, point, functions).whole()
        except Exception as problem:
            return f"different: {line} is not read: {problem}"
        alike = len(expected) == len(found) and all(
            cmath.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(expected, found))
        if not alike:
            return f"different: {latex} is {expected} at point {point}, {line} is {found}"
    return "same"


json.dump([judged(latex, line) for latex, line in json.load(sys.stdin)], sys.stdout)
