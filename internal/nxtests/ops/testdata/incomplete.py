"""Writes incomplete_gamma.txt, the lines "a x P Q" by mpmath with 60 digits, and incomplete_beta.txt, the lines
"a b x I" by SciPy, which calls Boost.

    python3 incomplete.py
"""
import mpmath as mp
import scipy.special as s

mp.mp.dps = 60
with open("incomplete_gamma.txt", "w") as f:
    for a in [1e-10, 1e-3, 0.1, 0.5, 1, 1.2, 2.5, 7, 9.99, 10, 19.9, 20.1, 35, 100, 1000, 1e4, 1e6]:
        ratios = [1e-8, 0.01, 0.3, 0.69, 0.71, 0.9, 0.999, 1, 1.0001, 1.05, 1.29, 1.31, 2, 5, 30]
        for x in [a * r for r in ratios] + [1e-300, 1e-5, 0.3, 0.49, 0.51, 1, 1.09, 1.11, 3, 10, 50, 700]:
            p = mp.gammainc(mp.mpf(a), 0, mp.mpf(x), regularized=True)
            q = mp.gammainc(mp.mpf(a), mp.mpf(x), mp.inf, regularized=True)
            if 0 <= p <= 1 and abs(p + q - 1) < 1e-30:  # mpmath fails for some
                f.write("%r %r %s %s\n" % (a, x, mp.nstr(p, 17), mp.nstr(q, 17)))
with open("incomplete_beta.txt", "w") as f:
    for a in [1e-6, 0.1, 0.5, 1, 3.3, 9.5, 12, 80, 1000, 1e5]:
        for b in [1e-6, 0.2, 1, 2, 7.7, 11, 300, 2e4]:
            m = a / (a + b)
            for x in [1e-12, 0.01, 0.3, 0.5, 0.77, 0.999, m, m * 0.9, m + (1 - m) * 0.1]:
                if 0 < x < 1:
                    f.write("%r %r %r %r\n" % (a, b, x, float(s.betainc(a, b, x))))
