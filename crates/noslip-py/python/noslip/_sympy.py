"""SymPy, both ways.

A system made with :mod:`sympy.physics.mechanics` becomes a model, and the equations SymPy found for it become claims:
``m = noslip.from_sympy(method)``, then ``m.verify(*m.claims)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._model import Model
from ._noslip import ModelError

_FUNCTIONS = {"sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt"}
_WORD = re.compile(r"([A-Za-z][A-Za-z0-9_.]*)('*)(\s*\()?")


def is_sympy(value: Any) -> bool:
    """Is this an expression, an equation, or a matrix or list of them?"""
    try:
        import sympy
    except ImportError:
        return False
    if isinstance(value, (list, tuple)):
        return bool(value) and all(is_sympy(v) for v in value)
    return isinstance(value, (sympy.Basic, sympy.MatrixBase))


def from_expression(value: Any) -> list[str]:
    """Texts of equations, exact: numbers keep all their digits."""
    import sympy

    if isinstance(value, (list, tuple)):
        return [text for v in value for text in from_expression(v)]
    if isinstance(value, sympy.MatrixBase):
        return [text for v in value for text in from_expression(v)]
    if isinstance(value, sympy.logic.boolalg.BooleanAtom):
        raise ValueError(f"SymPy has already decided this equation: it is {value}; give one side minus the other, or Eq(…, evaluate=False)")
    if isinstance(value, sympy.Eq):
        return [f"Eq({_exact(value.lhs)}, {_exact(value.rhs)})"]
    return [_exact(value)]


def _exact(value: Any) -> str:
    """SymPy's own words for an expression; a number in floating point is the decimal fraction that was written: 0.1 is 1/10."""
    import sympy

    plain = {x: sympy.Rational(_decimals(x)) for x in value.atoms(sympy.Float) if x.is_finite}
    return sympy.srepr(value.xreplace(plain) if plain else value)


def _decimals(x: Any) -> str:
    """A number in floating point as the shortest decimal fraction of its precision."""
    return repr(float(x)) if x._prec <= 53 else str(x)


def to_sympy(text: str, names: Mapping[str, str]):
    """An expression in the model's syntax as SymPy's; what varies is a function of ``t``."""
    import sympy

    t = sympy.Symbol("t")
    table: dict[str, Any] = {"abs": sympy.Abs, "sign": sympy.sign, "pi": sympy.pi}
    table.update({f: getattr(sympy, f) for f in _FUNCTIONS})

    def word(match: re.Match[str]) -> str:
        name, primes, call = match.group(1), len(match.group(2)), match.group(3) or ""
        kind = names.get(name)
        if call and kind in (None, "Table"):
            if kind == "Table":
                table[f"_f_{name}"] = sympy.Function(name)
                return f"_f_{name}{call}"
            return match.group(0)
        if name == "pi":
            return "pi"
        key = f"_{len(table)}"
        varies = kind in ("Coordinate", "QuasiVelocity", "Multiplier", "Definition") or primes
        if name == "t":
            value: Any = t
        elif varies:
            value = sympy.Function(name)(t)
            value = sympy.Derivative(value, (t, primes)) if primes else value
        else:
            value = sympy.Symbol(name)
        table[key] = value
        return key + call

    # Exact numbers stay exact: 0.1 is 1/10.
    text = re.sub(r"(?<![A-Za-z_0-9.])(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?", lambda m: f"_Q('{m.group(0)}')", text)
    table["_Q"] = sympy.Rational
    parts = re.split(r"(_Q\('[^']*'\))", text)
    text = "".join(p if p.startswith("_Q(") else _WORD.sub(word, p) for p in parts)
    return eval(text.replace("^", "**"), {"__builtins__": {}}, table)  # noqa: S307 - a text of the program, not of a user


class _Writer:
    """SymPy's expressions in the syntax of models, with names that models may have."""

    def __init__(self) -> None:
        from sympy.printing.str import StrPrinter

        writer = self

        class Printer(StrPrinter):
            def _print_Symbol(self, e):
                return writer.name(e.name)

            def _print_AppliedUndef(self, e):
                if tuple(map(str, e.args)) != ("t",):
                    raise ModelError(f"`{e}` is not a function of the time t alone")
                return writer.name(e.func.__name__)

            def _print_Derivative(self, e):
                import sympy

                of, (by, order) = e.args[0], e.args[1]
                if str(by) != "t" or len(e.args) != 2 or not isinstance(of, sympy.core.function.AppliedUndef):
                    raise ModelError(f"`{e}` is not a time derivative of a function of t")
                return self._print(of) + "'" * int(order)

            def _print_Pow(self, e, rational=False):
                import sympy

                if e.exp == sympy.Rational(1, 2):
                    return f"sqrt({self._print(e.base)})"
                return f"({self._print(e.base)})^({self._print(e.exp)})"

            def _print_Mul(self, e):
                return "*".join(f"({self._print(a)})" for a in e.args)

            def _print_Float(self, e):
                return _decimals(e)

            def _print_Abs(self, e):
                return f"abs({self._print(e.args[0])})"

            def _print_Exp1(self, e):
                return "exp(1)"

            def _print_exp(self, e):
                return f"exp({self._print(e.args[0])})"

        self._printer = Printer()
        self.names: dict[str, str] = {}

    def name(self, of: str) -> str:
        """The name in the model: letters, digits and underscores, each one only once."""
        if of not in self.names:
            plain = re.sub(r"\W+", "_", of.replace("\\", "")).strip("_") or "x"
            plain = plain if plain[0].isalpha() else f"x_{plain}"
            if plain in _FUNCTIONS or plain in ("abs", "sign", "pi") or plain in self.names.values():
                plain = next(f"{plain}_{i}" for i in range(2, 10**6) if f"{plain}_{i}" not in self.names.values())
            self.names[of] = plain
        return self.names[of]

    def text(self, e: Any) -> str:
        import sympy

        e = sympy.sympify(e)
        # SymPy leaves derivatives of known functions standing where it was told not to evaluate.
        return self._printer.doprint(e.doit())


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _values(symbols: Iterable[Any], values: Mapping[Any, float]) -> dict[str, float]:
    """A value for every parameter: those given, and for the rest numbers that have no common factor."""
    import sympy

    given = {str(k): float(v) for k, v in values.items()}
    names = sorted({s.name for s in symbols})
    return {n: given.get(n, float(sympy.prime(i + 5)) / 10) for i, n in enumerate(names)}


def _model(
    title: str,
    writer: _Writer,
    q: Sequence[Any],
    kinetic: Any,
    potential: Any,
    forces: Mapping[Any, Any],
    constraints: Sequence[str],
    quasi: Mapping[str, str],
    definitions: Mapping[str, str],
    parameters: Mapping[str, float],
    initial: Mapping[Any, float],
) -> Model:
    text = ["noslip = 1", "", "[system]", f"name = {_quoted(title)}"]
    names = [writer.name(x.func.__name__) for x in q]
    text += ["coordinates = [" + ", ".join(_quoted(n) for n in names) + "]", "", "[parameters]"]
    text += [f"{writer.name(n)} = {v!r}" for n, v in parameters.items()]
    if definitions:
        text += ["", "[definitions]"] + [f"{n} = {_quoted(e)}" for n, e in definitions.items()]
    text += ["", "[energy]", f"kinetic = {_quoted(writer.text(kinetic))}", f"potential = {_quoted(writer.text(potential))}"]
    listed = [(writer.name(x.func.__name__), f) for x, f in forces.items() if f != 0]
    if listed:
        text += ["", "[forces]"] + [f"{n} = {_quoted(writer.text(f))}" for n, f in listed]
    if constraints:
        text += ["", "[constraints]"] + [f"c{i} = {_quoted(e)}" for i, e in enumerate(constraints, 1)]
    if quasi:
        text += ["", "[quasi_velocities]"] + [f"{n} = {_quoted(e)}" for n, e in quasi.items()]
    if initial:
        known = {str(k).removesuffix("(t)"): v for k, v in initial.items()}
        position = {n: known[n] for n in names if n in known}
        velocity = {n: known[f"{n}'"] for n in names if f"{n}'" in known}
        text += ["", "[initial]"]
        for section, entries in (("position", position), ("velocity", velocity)):
            if entries:
                text.append(f"{section} = {{ " + ", ".join(f"{n} = {float(v)!r}" for n, v in entries.items()) + " }")
    return Model("\n".join(text) + "\n", "sympy.toml")


def from_sympy(
    method: Any,
    *,
    values: Mapping[Any, float] | None = None,
    initial: Mapping[Any, float] | None = None,
    name: str | None = None,
    frame: Any = None,
    coordinates: Sequence[Any] | None = None,
    loads: Sequence[Any] | None = None,
    constraints: Sequence[Any] | None = None,
) -> Model:
    """The model of a ``LagrangesMethod``, ``KanesMethod``, ``System`` or ``JointsMethod`` of :mod:`sympy.physics.mechanics`, or of a list of
    its bodies, particles and rigid ones, with the inertial ``frame``, the ``coordinates``, ``loads`` (pairs of a point and a force or of a
    frame and a torque) and ``constraints`` on the velocities, which vanish.

    ``values`` gives values to symbols; the others get some that have no common factor, which is enough for proofs. The
    equations that SymPy has found stand in ``claims`` of the model, as SymPy's expressions that should vanish: ``m.verify(*m.claims)``.

    A ``KanesMethod`` is taken at its word about velocities: the mass centre of each body gets coordinates of its own, tied to the
    speeds by the velocity that was given to it. So constraints that were built into the velocities stay what they are. Auxiliary
    speeds vanish, and the equations that SymPy finds reactions from with them are left out.

    >>> import sympy as sm
    >>> import sympy.physics.mechanics as me
    >>> x, y, phi = me.dynamicsymbols("x y phi")
    >>> m, J = sm.symbols("m J")
    >>> xd, yd, phid = (v.diff() for v in (x, y, phi))
    >>> L = m*(xd**2 + yd**2)/2 + J*phid**2/2
    >>> method = me.LagrangesMethod(L, [x, y, phi], nonhol_coneqs=[xd*sm.sin(phi) - yd*sm.cos(phi)])
    >>> _ = method.form_lagranges_equations()
    >>> model = from_sympy(method)
    >>> model
    <noslip.Model 'Lagrange': 3 coordinates, 1 constraint>
    >>> bool(model.verify(*model.claims))
    True
    """
    from sympy.physics import mechanics
    from sympy.physics.mechanics import KanesMethod, LagrangesMethod

    if isinstance(method, (list, tuple)):
        method = _of_bodies(method, frame, coordinates, loads, constraints)
    elif isinstance(method, getattr(mechanics, "JointsMethod", ())):
        if getattr(method, "_method", None) is None:
            method.form_eoms()
        method = method.method
    elif isinstance(method, getattr(mechanics, "System", ())):
        if method.eom_method is None:
            method.form_eoms()
        method = method.eom_method
    if isinstance(method, LagrangesMethod):
        model, claims = _from_lagrange(method, values or {}, initial or {}, name or "Lagrange")
    elif isinstance(method, KanesMethod):
        model, claims = _from_kane(method, values or {}, initial or {}, name or "Kane")
    else:
        raise TypeError(f"expected a LagrangesMethod, a KanesMethod, a System or a list of bodies, not {type(method).__name__}")
    model.claims = claims
    return model


def _of_bodies(bodies: Sequence[Any], frame: Any, coordinates: Any, loads: Any, constraints: Any) -> Any:
    """Lagrange's method for bodies."""
    from sympy.physics.mechanics import Lagrangian, LagrangesMethod

    if frame is None or not coordinates:
        raise TypeError("bodies need the inertial frame and the coordinates: from_sympy(bodies, frame=N, coordinates=[…])")
    method = LagrangesMethod(
        Lagrangian(frame, *bodies), list(coordinates), nonhol_coneqs=list(constraints) if constraints else None,
        forcelist=list(loads) if loads else None, frame=frame,
    )
    method.form_lagranges_equations()
    return method


def _parameters(expressions: Iterable[Any]) -> set:
    import sympy

    found: set = set()
    for e in expressions:
        found |= {s for s in sympy.sympify(e).free_symbols if s.name != "t"}
    return found


def _generalised(forces: Iterable[Any], frame: Any, rates: Sequence[Any], known: Mapping[Any, Any]) -> list:
    """Σ F·∂v/∂q̇ for each velocity."""
    import sympy
    from sympy.physics.vector import ReferenceFrame

    total = [sympy.Integer(0)] * len(rates)
    for where, force in forces:
        v = where.ang_vel_in(frame) if isinstance(where, ReferenceFrame) else where.vel(frame)
        components = [(v & e).subs(known).doit() for e in frame]
        force = [(force & e).subs(known).doit() for e in frame]
        for i, rate in enumerate(rates):
            total[i] += sum(f * c.diff(rate) for f, c in zip(force, components))
    return total


def _from_lagrange(method: Any, values: Mapping, initial: Mapping, name: str) -> tuple[Model, list]:
    import sympy

    writer = _Writer()
    q = list(method.q)
    t = sympy.Symbol("t")
    rates = [x.diff(t) for x in q]
    lagrangian = sympy.sympify(method._L[0])
    still = {r: 0 for r in rates}
    potential = -lagrangian.subs(still)
    kinetic = sympy.expand(lagrangian + potential)
    forces = dict(zip(q, _generalised(method.forcelist or [], method.inertial, rates, {}) if method.forcelist else [0] * len(q)))
    holonomic = list(method._hol_coneqs)
    others = list(method.coneqs)[len(holonomic):]
    # SymPy's multipliers have the opposite sign: so has the constraint.
    constraints = [f"0 = {writer.text(e)}" for e in [*holonomic, *others]]
    symbols = _parameters([kinetic, potential, *forces.values(), *holonomic, *others])
    model = _model(name, writer, q, kinetic, potential, forces, constraints, {}, {}, _values(symbols, values), initial)
    claims = list(method.eom) if method.eom is not None else []
    return model, _renamed(claims, writer)


def _from_kane(method: Any, values: Mapping, initial: Mapping, name: str) -> tuple[Model, list]:
    import sympy
    from sympy.physics.mechanics import Particle

    if not method.bodies:
        raise ModelError("the KanesMethod knows no bodies: give them when it is made, KanesMethod(…, bodies=…, forcelist=…)")
    writer = _Writer()
    frame, t = method._inertial, sympy.Symbol("t")
    q, u = list(method.q), list(method.u)
    rates = [x.diff(t) for x in q]
    kinematics = dict(method.kindiffdict())
    matrix, _ = sympy.linear_eq_to_matrix([kinematics[r] - r for r in rates], u)
    # A speed without a coordinate, as that of a wheel whose angle occurs nowhere, gets one.
    for speed, column in zip(u, range(matrix.shape[1])):
        if matrix[:, column].is_zero_matrix:
            angle = sympy.Function(f"{speed.func.__name__}_integral")(t)
            q.append(angle)
            rates.append(angle.diff(t))
            kinematics[angle.diff(t)] = speed
    matrix, rest = sympy.linear_eq_to_matrix([kinematics[r] - r for r in rates], u)
    if matrix.shape[0] != matrix.shape[1]:
        raise ModelError(f"{len(u)} speeds for {len(q)} coordinates: the kinematical equations do not give every speed by rates of coordinates")
    speeds = dict(zip(u, matrix.LUsolve(rest)))
    speeds = {k: sympy.simplify(v) for k, v in speeds.items()}
    # Auxiliary speeds vanish; they are there for reactions, whose equations are no claims.
    still = {x: 0 for speed in method._uaux for x in (speed.diff(t), speed)}
    flat = lambda e: sympy.sympify(e).doit().subs(still).subs(kinematics).subs(speeds).doit()
    kinetic, centres, constraints = sympy.Integer(0), [], []
    for i, body in enumerate(method.bodies, 1):
        v = body.masscenter.vel(frame) if not isinstance(body, Particle) else body.point.vel(frame)
        components = [flat(v & e) for e in frame]
        point = [sympy.Function(f"{axis}_centre{i}")(t) for axis in "xyz"]
        for x, c in zip(point, components):
            # A component that vanishes needs no coordinate.
            if c != 0:
                centres.append(x)
                constraints.append(f"{writer.text(x.diff(t))} = {writer.text(c)}")
                kinetic += body.mass * x.diff(t) ** 2 / 2
        if not isinstance(body, Particle):
            omega = body.frame.ang_vel_in(frame)
            kinetic += flat((omega & (body.central_inertia & omega))) / 2
    forces = dict(zip(q, _generalised(method.forcelist or [], frame, rates, {**still, **kinematics, **speeds})))
    forces = {x: flat(f) for x, f in forces.items()}
    configuration = list(method._f_h)
    velocity = list(method._k_nh * sympy.Matrix(u) + method._f_nh) if method._k_nh else []
    configuration, velocity = [flat(e) for e in configuration], [flat(e) for e in velocity]
    velocity = _not_implied(velocity, configuration, q)
    constraints += [f"{writer.text(e)} = 0" for e in [*configuration, *velocity]]
    free = list(u)[: len(u) - len(method._udep)]
    # Where SymPy's equations leave more speeds free than the constraints do, none of them can be a basis.
    basis = free if len(free) == len(q) - len(configuration) - len(velocity) else []
    quasi = {writer.name(x.func.__name__): writer.text(speeds[x]) for x in basis}
    definitions = {writer.name(x.func.__name__): writer.text(speeds[x]) for x in u if x not in basis}
    used = [kinetic, *forces.values(), *speeds.values(), *configuration, *velocity]
    symbols = _parameters([*used, *(c for b in method.bodies for c in [b.mass])])
    all_q = [*q, *centres]
    model = _model(name, writer, all_q, kinetic, 0, forces, constraints, quasi, definitions, _values(symbols, values), initial)
    claims: list = []
    if method._fr is not None and method._frstar is not None:
        claims = [sympy.sympify(e).subs(still) for e in (method._fr + method._frstar)[: len(u) - len(method._udep)]]
    return model, _renamed(claims, writer)


def _not_implied(velocity: Sequence[Any], configuration: Sequence[Any], q: Sequence[Any]) -> list:
    """Constraints on the velocities without those that constraints on the configuration imply: SymPy wants both to be given.

    Their coefficients are compared at a generic place, with many digits.
    """
    import sympy

    if not configuration:
        return list(velocity)
    implied = sympy.Matrix([[e.diff(x) for x in q] for e in configuration])
    rows = sympy.Matrix([[e.diff(x.diff()) for x in q] for e in velocity]) if velocity else sympy.zeros(0, len(q))
    place = _generic(implied.col_join(rows))
    kept: list = []
    matrix = implied.subs(place)
    rank = _rank(matrix)
    for i, e in enumerate(velocity):
        row = rows[i, :].subs(place)
        if _rank(matrix.col_join(row)) > rank:
            matrix, rank = matrix.col_join(row), rank + 1
            kept.append(e)
    return kept


def _generic(matrix: Any) -> dict:
    """A place at which nothing vanishes by chance: values for every function of the time and every symbol."""
    import sympy
    from sympy.core.function import AppliedUndef

    found = sorted(matrix.atoms(AppliedUndef) | matrix.free_symbols, key=str)
    return {x: sympy.Rational(sympy.prime(20 + i), sympy.prime(40 + 3 * i)) for i, x in enumerate(found)}


def _rank(matrix: Any) -> int:
    """The rank of a matrix of numbers, to fifty digits."""
    import sympy

    numbers = matrix.evalf(60)
    return numbers.rank(iszerofunc=lambda x: abs(x) < sympy.Float("1e-40"))


def _renamed(claims: Sequence[Any], writer: _Writer) -> list:
    """The claims with names that models may have."""
    import sympy

    changed = {old: new for old, new in writer.names.items() if old != new}
    if not changed:
        return list(claims)
    t = sympy.Symbol("t")
    swap: dict = {}
    for old, new in changed.items():
        swap[sympy.Symbol(old)] = sympy.Symbol(new)
        swap[sympy.Function(old)(t)] = sympy.Function(new)(t)
    return [c.subs(swap).doit() for c in claims]
