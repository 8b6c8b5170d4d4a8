package rosetta_test

import "github.com/go-nx/nx"

var control = []row{
	{"lax.cond(p, f, g, *x)", []pair{
		{"[lax.cond(t, jnp.sin, jnp.cos, a) for t in (True, False)]", func() any {
			var each []nx.Tensor
			for _, p := range []bool{true, false} {
				each = append(each, nx.Cond(nx.New(p), func() nx.Tensor { return nx.Sin(a) },
					func() nx.Tensor { return nx.Cos(a) }))
			}
			return each
		}},
	}},
	{"lax.switch(i, fs, *x)", []pair{
		{"[lax.switch(n, [jnp.sin, jnp.cos, jnp.tan], a) for n in (-1, 1, 7)]", func() any {
			var each []nx.Tensor
			for _, n := range []int{-1, 1, 7} {
				each = append(each, nx.Case(nx.New(n), func() nx.Tensor { return nx.Sin(a) },
					func() nx.Tensor { return nx.Cos(a) }, func() nx.Tensor { return nx.Tan(a) }))
			}
			return each
		}},
	}},
	{"lax.while_loop(cond, body, s)", []pair{
		{"lax.while_loop(lambda s: jnp.abs(s).sum() > 1, lambda s: s * 0.7, v)", func() any {
			return nx.While(v, func(s nx.Tensor) nx.Tensor { return nx.Greater(nx.Sum(nx.Abs(s)), 1) },
				func(s nx.Tensor) nx.Tensor { return nx.Mul(s, 0.7) })
		}},
	}},
	{"lax.fori_loop(0, n, body, s)", []pair{
		{"lax.fori_loop(0, 4, lambda i, s: s * 2 + i, v)", func() any {
			return nx.Fori(4, v, func(i, s nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(s, 2), i) })
		}},
	}},
	{"lax.scan(f, c, xs)", []pair{
		{"lax.scan(lambda c, x: (c * 0.5 + x, c), 1., v)", func() any {
			c, ys := nx.Scan(nx.New(1.), v, decay)
			return list(c, ys)
		}},
	}},
	{"reverse=True, unroll=4, length=n", []pair{
		{"lax.scan(lambda c, x: (c * 0.5 + x, c), 1., v, reverse=True, unroll=4)", func() any {
			c, ys := nx.Scan(nx.New(1.), v, decay, nx.Reversed, nx.Unroll(4))
			return list(c, ys)
		}},
		{"lax.scan(lambda c, _: (c * 0.5, c), 1., None, length=3)", func() any {
			c, ys := nx.Scan(nx.New(1.), struct{}{}, func(c nx.Tensor, _ struct{}) (nx.Tensor, nx.Tensor) {
				return nx.Mul(c, 0.5), c
			}, nx.Length(3))
			return list(c, ys)
		}},
	}},
	{"lax.map(f, xs)", []pair{
		{"lax.map(lambda r: jnp.sort(r), a)", func() any {
			return nx.Map(a, func(r nx.Tensor) nx.Tensor { return nx.Sort(r) })
		}},
	}},
	{"lax.associative_scan(f, xs)", []pair{
		{"lax.associative_scan(jnp.maximum, a)", func() any {
			return nx.AssociativeScan(a, func(x, y nx.Tensor) nx.Tensor { return nx.Maximum(x, y) })
		}},
	}},
}

func decay(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Add(nx.Mul(c, 0.5), x), c }
