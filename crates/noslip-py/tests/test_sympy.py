"""SymPy, both ways."""

import os
import random

import pytest

import noslip

sm = pytest.importorskip("sympy")
me = pytest.importorskip("sympy.physics.mechanics")


def test_equations_become_sympys_and_come_back():
    for name in ["dumbbell", "rolling-disk", "appell-hamel", "fluid-flywheel"]:
        model = noslip.gallery(name)
        equations = model.derive("maggi")
        for equation in equations:
            back = model.verify(equation.sympy())
            assert back, (name, equation.text, back.read_as)
        wrong = equations[0].sympy()
        assert not model.verify(sm.Eq(wrong.lhs + 1, wrong.rhs))


def test_sympys_expressions_are_exact():
    from noslip._sympy import to_sympy

    t = sm.Symbol("t")
    names = {"x": "Coordinate", "a": "Parameter", "S": "Parameter", "lambda_c": "Multiplier"}
    read = to_sympy("0.1*a^2*x'' + S*sin(2*x)/3 - sqrt(a)*lambda_c + abs(x')", names)
    x, a = sm.Function("x")(t), sm.Symbol("a")
    expected = a**2 * x.diff(t, 2) / 10 + sm.Symbol("S") * sm.sin(2 * x) / 3 - sm.sqrt(a) * sm.Function("lambda_c")(t) + sm.Abs(x.diff(t))
    assert sm.simplify(read - expected) == 0


def rolling_disc(wrong=False):
    """The disc of SymPy's documentation, by Kane's method, with the no-slip condition built into the velocities."""
    q1, q2, q3, u1, u2, u3 = me.dynamicsymbols("q1 q2 q3 u1 u2 u3")
    q1d, q2d, q3d = (x.diff() for x in (q1, q2, q3))
    r, m, g = sm.symbols("r m g")
    N = me.ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    w = u1 * L.x + u2 * L.y + u3 * L.z
    R.set_ang_vel(N, w)
    C = me.Point("C")
    C.set_vel(N, 0)
    centre = C.locatenew("Dmc", r * L.z)
    centre.v2pt_theory(C, N, R)
    inertia = me.inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / (3 if wrong else 4))
    kd = [q1d - u3 / sm.cos(q2), q2d - u1, q3d - u2 + u3 * sm.tan(q2)]
    disc = me.RigidBody("disc", centre, R, m, (inertia, centre))
    method = me.KanesMethod(N, q_ind=[q1, q2, q3], u_ind=[u1, u2, u3], kd_eqs=kd, bodies=[disc], forcelist=[(centre, -m * g * Y.z)])
    method.kanes_equations()
    return method


def test_sympys_disc_by_kanes_method():
    method = rolling_disc()
    model = noslip.from_sympy(method)
    assert model.check().degrees_of_freedom == 3
    assert len(model.claims) == 3
    verdicts = model.verify(*model.claims)
    assert verdicts, [v._entries for v in verdicts if not v]
    # The same equations are refuted for another body.
    other = noslip.from_sympy(rolling_disc(wrong=True))
    assert not other.verify(*model.claims)


def test_a_constraint_of_lagranges_method_has_sympys_sign():
    x, y, phi = me.dynamicsymbols("x y phi")
    m, J, k = sm.symbols("m J k")
    xd, yd, phid = (v.diff() for v in (x, y, phi))
    N = me.ReferenceFrame("N")
    P = me.Point("P")
    P.set_vel(N, xd * N.x + yd * N.y)
    L = m * (xd**2 + yd**2) / 2 + J * phid**2 / 2 - k * x**2 / 2
    method = me.LagrangesMethod(L, [x, y, phi], nonhol_coneqs=[xd * sm.sin(phi) - yd * sm.cos(phi)], forcelist=[(P, -k * xd * N.x)], frame=N)
    method.form_lagranges_equations()
    model = noslip.from_sympy(method, values={m: 2})
    assert model.parameters["m"] == 2
    assert model.verify(*model.claims)
    lam1 = me.dynamicsymbols("lam1")
    assert not model.verify(method.eom[0].subs(lam1, -lam1))


def random_system(seed):
    """A Lagrangian with a positive definite kinetic energy and constraints of all kinds, from small pieces."""
    rng = random.Random(seed)
    n = rng.choice([2, 3, 3])
    q = me.dynamicsymbols(f"q1:{n + 1}")
    v = [x.diff() for x in q]
    a, b, m = sm.symbols("a b m")
    piece = lambda: rng.choice([a * q[0], sm.sin(q[1]), b * sm.cos(q[0]), q[-1] ** 2, m, a + b, sm.exp(q[0] / 3)])
    kinetic = sum((m + rng.randint(1, 3)) * x**2 / 2 for x in v) + (piece() * v[0] + piece() * v[1]) ** 2 / 2
    potential = rng.choice([0, b * sm.cos(q[1]), a * q[0] ** 2 / 2, m * q[0] * q[1]])
    k = rng.randint(0, n - 1)
    constraints = [v[n - 1 - j] - piece() * v[0] * rng.choice([1, -2]) - (rng.choice([0, a, piece()]) if j == 0 else 0) for j in range(k)]
    method = me.LagrangesMethod(kinetic - potential, list(q), nonhol_coneqs=constraints or None)
    method.form_lagranges_equations()
    return method


@pytest.mark.parametrize("part", range(4))
def test_random_systems_of_sympy_are_proved(part):
    count = int(os.environ.get("NOSLIP_SYMPY_SYSTEMS", "24"))
    for seed in range(part, count, 4):
        model = noslip.from_sympy(random_system(seed))
        verdicts = model.verify(*model.claims)
        assert verdicts, (seed, model.text, [v._entries for v in verdicts if not v])
        claim = model.claims[0]
        assert not model.verify(claim + sm.Symbol("m") * me.dynamicsymbols("q1").diff())


def test_what_is_no_system_is_refused():
    with pytest.raises(TypeError):
        noslip.from_sympy(3)
    x = me.dynamicsymbols("x")
    y = sm.Function("f")(x)
    method = me.LagrangesMethod(x.diff() ** 2 / 2 + y, [x])
    with pytest.raises(noslip.ModelError, match="not a function of the time"):
        noslip.from_sympy(method)
