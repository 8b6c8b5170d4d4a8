"""Writes second_derivatives.txt: the first and second derivatives of elementwise functions at special points, by
mpmath 1.4 with 1,400 digits, rounded once.

    cd internal/nxtests/derivatives && python3 testdata/second_derivatives.py > testdata/second_derivatives.txt

A line holds the function, the element type, the point, the derivative and the second derivative; of functions of
two numbers the point has two, and the derivatives are by x, by y, by x twice, by x and y, by y twice. Where a
formula has no value (at the ends of domains, poles, kinks and infinities), a limit stands in its place: `LIMITS` and
`PAIR_LIMITS` give it with the reason, which is written behind the line.
"""

import math

import mpmath as mp
import numpy as np

mp.mp.dps = 1400
inf, nan = math.inf, math.nan


def sech2(x):
    return 1 / mp.cosh(x) ** 2


def bell(x):
    return mp.exp(-x * x)


def sigma(x):
    return 1 / (1 + mp.exp(-x))


def slope(x):
    return sigma(x) * sigma(-x)


def normal(x):
    return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


def normal_cdf(x):
    if abs(x) > 1e3:
        return mp.mpf(x > 0)
    return mp.erfc(-x / mp.sqrt(2)) / 2


def trigamma(n, x):
    with mp.workdps(60 if abs(x) > 1e-4 else 700):
        return +mp.psi(n, x)


def erf_inv(x):
    if abs(x) < mp.mpf(10) ** -30:
        return mp.sqrt(mp.pi) / 2 * x
    with mp.workdps(60):
        return +mp.erfinv(x)


def bessel0(x):
    """Return the first and second derivative of e^-|x| I0(x): f' = e(I1 - s I0), f'' = e((I0+I2)/2 - 2 s I1 + I0)."""
    s = mp.sign(x) if x else 1
    with mp.workdps(700 if abs(x) < 1e-4 else 60):
        e = mp.exp(-abs(x))
        i0, i1, i2 = (mp.besseli(k, x) for k in range(3))
        return e * (i1 - s * i0), e * ((i0 + i2) / 2 - 2 * s * i1 + i0)


def bessel1(x):
    """The same of e^-|x| I1(x), whose derivatives are those of I1: (I0+I2)/2 and (3 I1 + I3)/4."""
    s = mp.sign(x) if x else 1
    with mp.workdps(700 if abs(x) < 1e-4 else 60):
        e = mp.exp(-abs(x))
        i0, i1, i2, i3 = (mp.besseli(k, x) for k in range(4))
        d1, d2 = (i0 + i2) / 2, (3 * i1 + i3) / 4
        return e * (d1 - s * i1), e * (d2 - 2 * s * d1 + i1)


def gelu_tanh(x):
    """Return the first and second derivative of x s(u), u = 2 sqrt(2/pi) (x + 0.044715 x^3)."""
    c, k = 2 * root(2 / mp.pi), mp.mpf("0.044715")
    u, u1, u2 = c * (x + k * x**3), c * (1 + 3 * k * x * x), c * 6 * k * x
    return sigma(u) + x * slope(u) * u1, slope(u) * (2 * u1 + x * u2 - x * u1 * u1 * mp.tanh(u / 2))


def both(f):
    return (lambda x: f(x)[0]), (lambda x: f(x)[1])


def third(x, power):
    """Return |x|^(-power/3)."""
    return mp.power(abs(x), mp.mpf(-power) / 3)


ln2, ln10 = mp.log(2), mp.log(10)
root = mp.sqrt
ENDS = [1 - 2.0**-53, 1 - 2.0**-24, 0.9]
ENDS += [-x for x in ENDS]
everywhere, positive = (lambda x: True), (lambda x: x > 0)
inside = lambda x: abs(x) < 1
not_pole = lambda x: not (x <= 0 and x == math.floor(x))

# name: derivative, second derivative, where the formulas hold, more points
FUNCTIONS = {
    "Exp": (mp.exp, mp.exp, everywhere, [-745.0, 709.0]),
    "Expm1": (mp.exp, mp.exp, everywhere, [-745.0, 709.0]),
    "Log": (lambda x: 1 / x, lambda x: -1 / x**2, positive, []),
    "Log1p": (lambda x: 1 / (1 + x), lambda x: -1 / (1 + x) ** 2, lambda x: x > -1, ENDS),
    "Log2": (lambda x: 1 / x / ln2, lambda x: -1 / x**2 / ln2, positive, []),
    "Log10": (lambda x: 1 / x / ln10, lambda x: -1 / x**2 / ln10, positive, []),
    "Sigmoid": (slope, lambda x: -slope(x) * mp.tanh(x / 2), everywhere, [-745.0, 36.0, 37.0]),
    "Softplus": (sigma, slope, everywhere, [-745.0, 36.0, 37.0]),
    "Silu": (
        lambda x: sigma(x) + x * slope(x),
        lambda x: slope(x) * (2 - x * mp.tanh(x / 2)),
        everywhere,
        [36.0, 37.0, -700.0],
    ),
    "Gelu": (
        lambda x: normal_cdf(x) + x * normal(x),
        lambda x: normal(x) * (2 - x * x),
        everywhere,
        [-5.0, 5.0, -10.0, -37.0],
    ),
    "GeluTanh": (*both(gelu_tanh), everywhere, [-3.0, 3.0, -5.0, 5.0, -10.0, -19.0]),
    "Sin": (mp.cos, lambda x: -mp.sin(x), everywhere, []),
    "Cos": (lambda x: -mp.sin(x), lambda x: -mp.cos(x), everywhere, []),
    "Tan": (lambda x: mp.sec(x) ** 2, lambda x: 2 * mp.tan(x) * mp.sec(x) ** 2, everywhere, []),
    "Sinh": (mp.cosh, mp.sinh, everywhere, []),
    "Cosh": (mp.sinh, mp.cosh, everywhere, []),
    "Tanh": (sech2, lambda x: -2 * mp.tanh(x) * sech2(x), everywhere, [18.0, -18.0, 9.0, -9.0]),
    "Asin": (lambda x: 1 / root(1 - x * x), lambda x: x / root(1 - x * x) ** 3, inside, ENDS),
    "Acos": (lambda x: -1 / root(1 - x * x), lambda x: -x / root(1 - x * x) ** 3, inside, ENDS),
    "Atan": (lambda x: 1 / (1 + x * x), lambda x: -2 * x / (1 + x * x) ** 2, everywhere, []),
    "Asinh": (lambda x: 1 / root(1 + x * x), lambda x: -x / root(1 + x * x) ** 3, everywhere, []),
    "Acosh": (
        lambda x: 1 / root(x * x - 1),
        lambda x: -x / root(x * x - 1) ** 3,
        lambda x: x > 1,
        [1 + 2.0**-52, 1 + 2.0**-23, 1.1],
    ),
    "Atanh": (lambda x: 1 / (1 - x * x), lambda x: 2 * x / (1 - x * x) ** 2, inside, ENDS),
    "Sqrt": (lambda x: 1 / (2 * root(x)), lambda x: -1 / (4 * root(x) ** 3), positive, []),
    "Rsqrt": (lambda x: -1 / (2 * root(x) ** 3), lambda x: 3 / (4 * root(x) ** 5), positive, []),
    "Cbrt": (lambda x: third(x, 2) / 3, lambda x: -2 * mp.sign(x) * third(x, 5) / 9, lambda x: x != 0, []),
    "Square": (lambda x: 2 * x, lambda x: mp.mpf(2), everywhere, []),
    "Erf": (lambda x: 2 / root(mp.pi) * bell(x), lambda x: -4 / root(mp.pi) * x * bell(x), everywhere, [5.0, 26.0]),
    "Erfc": (lambda x: -2 / root(mp.pi) * bell(x), lambda x: 4 / root(mp.pi) * x * bell(x), everywhere, [5.0, 26.0]),
    "ErfInv": (
        lambda x: root(mp.pi) / 2 * mp.exp(erf_inv(x) ** 2),
        lambda x: mp.pi / 2 * erf_inv(x) * mp.exp(2 * erf_inv(x) ** 2),
        inside,
        ENDS,
    ),
    "Lgamma": (lambda x: trigamma(0, x), lambda x: trigamma(1, x), not_pole, [-0.5, -2.5]),
    "Digamma": (lambda x: trigamma(1, x), lambda x: trigamma(2, x), not_pole, [-0.5, -2.5]),
    "BesselI0e": (*both(bessel0), lambda x: x != 0, [49.0, 51.0, -49.0]),
    "BesselI1e": (*both(bessel1), lambda x: x != 0, [49.0, 51.0, -49.0]),
    "Neg": (lambda x: mp.mpf(-1), lambda x: mp.mpf(0), everywhere, []),
    "Abs": (lambda x: mp.sign(x), lambda x: mp.mpf(0), lambda x: x != 0, []),
    "Relu": (lambda x: mp.mpf(x > 0), lambda x: mp.mpf(0), lambda x: x != 0, []),
}

POINTS = [0.0, 1e-300, 1e-10, 1e-5, 0.5, 1.0, 2.0, 20.0, 40.0, 100.0, 1e3, 1e300, inf]
POINTS32 = [0.0, 1e-30, 1e-10, 1e-5, 1e-3, 0.5, 1.0, 2.0, 9.0, 20.0, 40.0, 100.0, 1e3, 1e30, inf]

ZERO = (0.0, 0.0, "the limit")
M0 = "-0"  # a key of its own: -0.0 and 0.0 are one
# name: point: derivative, second derivative, reason
LIMITS = {
    "Exp": {inf: (inf, inf, "the limit"), -inf: ZERO},
    "Expm1": {inf: (inf, inf, "the limit"), -inf: ZERO},
    **{
        name: {
            0.0: (inf, -inf, "from within"),
            M0: (-inf, -inf, "1/t is -Inf at -0"),
            inf: ZERO,
        }
        for name in ["Log", "Log2", "Log10"]
    },
    "Log1p": {-1.0: (inf, -inf, "from within"), inf: ZERO},
    "Sigmoid": {inf: ZERO, -inf: ZERO},
    "Tanh": {inf: ZERO, -inf: ZERO},
    "Atan": {inf: ZERO, -inf: ZERO},
    "Asinh": {inf: ZERO, -inf: ZERO},
    "Erf": {inf: ZERO, -inf: ZERO},
    "Erfc": {inf: ZERO, -inf: ZERO},
    **{name: {inf: (1.0, 0.0, "the limit"), -inf: ZERO} for name in ["Softplus", "Silu", "Gelu", "GeluTanh"]},
    **{name: {s * inf: (nan, nan, "no limit") for s in (1, -1)} for name in ["Sin", "Cos", "Tan"]},
    "Sinh": {inf: (inf, inf, "the limit"), -inf: (inf, -inf, "the limit")},
    "Cosh": {inf: (inf, inf, "the limit"), -inf: (-inf, inf, "the limit")},
    "Asin": {1.0: (inf, inf, "from within"), -1.0: (inf, -inf, "from within")},
    "Acos": {1.0: (-inf, -inf, "from within"), -1.0: (-inf, inf, "from within")},
    "Acosh": {1.0: (inf, -inf, "from within"), inf: ZERO},
    "Atanh": {1.0: (inf, inf, "from within"), -1.0: (inf, -inf, "from within")},
    "Sqrt": {0.0: (inf, -inf, "from within"), M0: (-inf, inf, "√-0 is -0"), inf: ZERO},
    "Rsqrt": {0.0: (-inf, inf, "from within"), inf: ZERO},
    "Cbrt": {
        0.0: (inf, -inf, "from above"),
        M0: (inf, inf, "from below"),
        inf: ZERO,
        -inf: ZERO,
    },
    "Square": {inf: (inf, 2.0, "the limit"), -inf: (-inf, 2.0, "the limit")},
    "ErfInv": {1.0: (inf, inf, "from within"), -1.0: (inf, -inf, "from within")},
    "Lgamma": {
        0.0: (-inf, inf, "from above"),
        M0: (inf, inf, "from below"),
        -1.0: (nan, inf, "a pole of the first has two signs, of the second one"),
        -2.0: (nan, inf, "a pole of the first has two signs, of the second one"),
        inf: (inf, 0.0, "the limit"),
    },
    "Digamma": {
        0.0: (inf, -inf, "from above"),
        M0: (inf, inf, "from below"),
        -1.0: (inf, nan, "a pole of the second has two signs, of the first one"),
        -2.0: (inf, nan, "a pole of the second has two signs, of the first one"),
        inf: ZERO,
    },
    "BesselI0e": {
        0.0: (0.0, 1.5, "the mean of the slopes; the limit"),
        M0: (0.0, 1.5, "the mean of the slopes; the limit"),
        inf: ZERO,
        -inf: ZERO,
    },
    "BesselI1e": {
        0.0: (0.5, -1.0, "the limit; from above, as that of |t|"),
        M0: (0.5, -1.0, "the limit; from above, as that of |t|"),
        inf: ZERO,
        -inf: ZERO,
    },
    "Neg": {s * inf: (-1.0, 0.0, "the limit") for s in (1, -1)},
    "Abs": {
        0.0: (1.0, 0.0, "the convention"),
        M0: (1.0, 0.0, "the convention"),
        inf: (1.0, 0.0, "the limit"),
        -inf: (-1.0, 0.0, "the limit"),
    },
    "Relu": {
        0.0: (0.5, 0.0, "half of a tie"),
        M0: (0.5, 0.0, "half of a tie"),
        inf: (1.0, 0.0, "the limit"),
        -inf: ZERO,
    },
}


def key(x):
    return (-1, 0.0) if x == M0 else (math.copysign(1, x), x)


def signed(points):
    return sorted({key(s * x): s * x for x in points for s in (1, -1)}.values(), key=lambda x: (x, math.copysign(1, x)))


def rounded(v, t):
    """Round a number of mpmath once to a float type."""
    v = mp.mpf(v)
    if not mp.isfinite(v) or v == 0:
        return float(v)
    bits, low, top = (53, -1074, 1024) if t == "f64" else (24, -149, 128)
    exponent = mp.mag(v) - bits
    unit = mp.mpf(2) ** max(exponent, low)
    n = int(mp.nint(v / unit))
    r = n * unit
    return float(mp.sign(v)) * inf if abs(r) >= mp.mpf(2) ** top else float(r)


def text(v):
    return repr(v) if v == v and abs(v) != inf and (v == 0 or 1e-5 <= abs(v) < 1e16 and v == float("%.9g" % v)) else (
        "NaN" if v != v else {inf: "+Inf", -inf: "-Inf"}.get(v) or v.hex())


def line(name, t, point, values, why=""):
    print(name, t, *map(text, point), ":", *("-" if v is None else text(rounded(v, t)) for v in values), *(["#", why] if why else []))


def unary():
    for name, (first, second, holds, more) in FUNCTIONS.items():
        special = {key(x): v for x, v in LIMITS.get(name, {}).items()}
        for t, points in ("f64", POINTS), ("f32", POINTS32):
            for x in signed(points + [x for x in more if t == "f64" or np.float32(x) == x]):
                x = float(np.float32(x)) if t == "f32" else x
                if key(x) in special:
                    *v, why = special[key(x)]
                    line(name, t, [x], v, why)
                elif abs(x) != inf and holds(x):
                    line(name, t, [x], [first(mp.mpf(x)), second(mp.mpf(x))])



def power(x, y):
    if x < 0:  # a whole number: no derivative by it
        p = lambda z: x ** int(z)
        return y * p(y - 1), nan, y * (y - 1) * p(y - 2), None, nan
    l, p = mp.log(x), lambda z: mp.power(x, z)
    return y * p(y - 1), p(y) * l, y * (y - 1) * p(y - 2), p(y - 1) * (1 + y * l), p(y) * l * l


def angle(x, y):
    r = x * x + y * y
    return y / r, -x / r, -2 * x * y / r**2, (x * x - y * y) / r**2, 2 * x * y / r**2


def length(x, y):
    r = root(x * x + y * y)
    return x / r, y / r, y * y / r**3, -x * y / r**3, x * x / r**3


def larger(x, y):
    return mp.mpf(x > y), mp.mpf(x < y), 0, 0, 0


def smooth(x, y):
    """Of log(e^x + e^y)."""
    return sigma(x - y), sigma(y - x), slope(x - y), -slope(x - y), slope(x - y)


def hurwitz(s, q):
    """By q, as polygamma."""
    with mp.workdps(60 if abs(q) > 1e-4 else 700):
        return None, -s * mp.zeta(s + 1, q), None, None, s * (s + 1) * mp.zeta(s + 2, q)


def polygamma(n, x):
    return None, trigamma(int(n) + 1, x), None, None, trigamma(int(n) + 2, x)


def grid(xs, ys):
    return [(x, y) for x in xs for y in ys]


TIE = (0.5, 0.5, 0.0, 0.0, 0.0, "half of a tie")
numbers = [-2.0, -1.0, -1e-5, 1e-5, 0.5, 1.0, 3.0]
lengths = [1e-150, 1e-10, 1.0, -2.0, 1e300]
pole = "the limit"
# name: derivatives, points, points with a limit: derivatives, reason
PAIRS = {
    "Add": (lambda x, y: (1, 1, 0, 0, 0), grid([0.0, 1.0, 1e300], [-1.0, 1e-300]), {(inf, 1.0): (1.0, 1.0, 0.0, 0.0, 0.0, "")}),
    "Sub": (lambda x, y: (1, -1, 0, 0, 0), grid([0.0, 1.0, 1e300], [-1.0, 1e-300]), {(inf, 1.0): (1.0, -1.0, 0.0, 0.0, 0.0, "")}),
    "Mul": (lambda x, y: (y, x, 0, 1, 0), grid([0.0, 1.0, 1e300], [-1.0, 1e-300, 0.0]), {(inf, 2.0): (2.0, inf, 0.0, 1.0, 0.0, "")}),
    "Div": (
        lambda x, y: (1 / y, -x / y**2, 0, -1 / y**2, 2 * x / y**3),
        grid([0.0, 1.0, -2.0, 1e-10], [1.0, -0.5, 1e-10, 1e10]),
        {
            (1.0, 0.0): (inf, -inf, 0.0, -inf, inf, "from above"),
            (1.0, M0): (-inf, -inf, 0.0, -inf, -inf, "from below"),
            (1.0, inf): (0.0, 0.0, 0.0, 0.0, 0.0, "the limit"),
        },
    ),
    "Remainder": (
        lambda x, y: (1, -mp.mpf(int(x / y)), 0, 0, 0),
        grid([0.0, 1.0, 7.0, -7.0, 1e-10], [3.0, -2.0, 0.5]),
        {},
    ),
    "Pow": (
        power,
        grid([1e-100, 1e-10, 0.5, 1.0, 2.0, 40.0], [-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
        + grid([-2.0, -1.0], [-1.0, 0.0, 1.0, 2.0, 3.0]),
        {
            (0.0, 0.0): (0.0, 0.0, 0.0, None, 0.0, "of 1, which t^0 is"),
            (0.0, 0.5): (inf, 0.0, -inf, None, 0.0, "from within"),
            (0.0, 1.0): (1.0, 0.0, 0.0, None, 0.0, "of t; by the exponent from above"),
            (0.0, 1.5): (0.0, 0.0, inf, None, 0.0, "from within"),
            (0.0, 2.0): (0.0, 0.0, 2.0, 0.0, 0.0, "of t²; by the exponent from above"),
            (0.0, 3.0): (0.0, 0.0, 0.0, 0.0, 0.0, "of t³; by the exponent from above"),
            (0.0, -1.0): (-inf, -inf, inf, None, inf, "from above"),
            (inf, 0.5): (0.0, inf, 0.0, None, inf, "the limit"),
            (inf, 2.0): (inf, inf, 2.0, None, inf, "the limit"),
            (inf, -1.0): (0.0, 0.0, 0.0, 0.0, 0.0, "the limit"),
        },
    ),
    "Atan2": (
        angle,
        grid(lengths, lengths) + grid([0.0], [1.0, -2.0, 1e-150]) + grid([1.0, -2.0, 1e-150], [0.0]),
        {
            (inf, 1.0): (0.0, 0.0, 0.0, 0.0, 0.0, "the limit"),
            (1.0, inf): (0.0, 0.0, 0.0, 0.0, 0.0, "the limit"),
            (1.0, -inf): (0.0, 0.0, 0.0, 0.0, 0.0, "the limit"),
        },
    ),
    "Maximum": (
        larger,
        grid(numbers, [-0.5, 2.0]),
        {(x, y): TIE for x, y in [(1.0, 1.0), (0.0, 0.0), (0.0, M0), (inf, inf), (-inf, -inf)]}
        | {(inf, 1.0): (1.0, 0.0, 0.0, 0.0, 0.0, "the limit"), (-inf, 1.0): (0.0, 1.0, 0.0, 0.0, 0.0, "the limit")},
    ),
    "Minimum": (
        lambda x, y: larger(-x, -y),
        grid(numbers, [-0.5, 2.0]),
        {(x, y): TIE for x, y in [(1.0, 1.0), (0.0, 0.0), (0.0, M0), (inf, inf), (-inf, -inf)]}
        | {(inf, 1.0): (0.0, 1.0, 0.0, 0.0, 0.0, "the limit"), (-inf, 1.0): (1.0, 0.0, 0.0, 0.0, 0.0, "the limit")},
    ),
    "Abs(Complex)": (
        length,
        grid([1.0, -2.0, 3.0, 1e-300], [1.0, -4.0, 2e-300]) + grid([0.0], [1.0, -2.0]) + grid([1.0, -2.0], [0.0]),
        {
            (0.0, 0.0): (0.0, 0.0, 0.0, 0.0, 0.0, "the convention: no direction"),
            (inf, 1.0): (1.0, 0.0, 0.0, 0.0, 0.0, "the limit"),
            (-inf, 1.0): (-1.0, 0.0, 0.0, 0.0, 0.0, "the limit"),
            (1.0, inf): (0.0, 1.0, 0.0, 0.0, 0.0, "the limit"),
            (inf, -inf): (math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0, 0.0, "in the direction of 1-i"),
            (nan, inf): (0.0, 1.0, 0.0, 0.0, 0.0, "whatever the other part is"),
        },
    ),
    "log(exp+exp)": (
        smooth,
        grid([0.0, 1.0, -20.0, 40.0, 1e3], [0.0, 1.0, 20.0, -40.0]),
        {},
    ),
    "chlo.next_after": (lambda x, y: (1, 0, 0, 0, 0), grid([0.5, 1.5, -20.0], [3.0, -2.0]), {}),
    "chlo.polygamma": (
        polygamma,
        grid([1.0, 2.0, 3.0], [1e-5, 0.5, 1.0, 2.0, 20.0, 100.0, -0.5, -2.5]),
        {
            (1.0, 0.0): (None, -inf, None, None, inf, "from above"),
            (1.0, M0): (None, inf, None, None, inf, "from below"),
            (2.0, 0.0): (None, inf, None, None, -inf, "from above"),
            (2.0, M0): (None, inf, None, None, inf, "from below"),
            (1.0, -1.0): (None, nan, None, None, inf, "a pole of two signs; of one"),
            (1.0, inf): (None, 0.0, None, None, 0.0, "the limit"),
        },
    ),
    "chlo.zeta": (
        hurwitz,
        grid([2.0, 3.0, 2.5], [1e-5, 0.5, 1.0, 2.0, 20.0, 100.0]),
        {
            (2.0, 0.0): (None, -inf, None, None, inf, "from above"),
            (2.0, M0): (None, inf, None, None, inf, "from below"),
            (3.0, 0.0): (None, -inf, None, None, inf, "from above"),
            (2.5, 0.0): (None, -inf, None, None, inf, "from above"),
            (2.0, inf): (None, 0.0, None, None, 0.0, "the limit"),
        },
    ),
}


def float32(x):
    with np.errstate(over="ignore", under="ignore"):
        return x if x == M0 else float(np.float32(x))


def pairs():
    for name, (derivatives, points, limits) in PAIRS.items():
        for t in "f64", "f32":
            for x, y in points:
                if t == "f32":
                    x, y = float32(x), float32(y)
                if abs(x) != inf and abs(y) != inf and (x, y) not in limits and (x or y or name != "Atan2"):
                    try:
                        line(name, t, [x, y], derivatives(mp.mpf(x), mp.mpf(y)))
                    except ZeroDivisionError:
                        pass
            for (x, y), (*v, why) in limits.items():
                line(name, t, [key(x)[1] if x != M0 else -0.0, -0.0 if y == M0 else y], v, why)


if __name__ == "__main__":
    print("# Written by second_derivatives.py, which says how.")
    unary()
    pairs()
