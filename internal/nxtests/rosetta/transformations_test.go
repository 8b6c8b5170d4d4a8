package rosetta_test

import (
	"context"
	"errors"
	"reflect"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/tree"
)

// cubes is Σ t³, in Python (lambda t: (t**3).sum()).
func cubes(t nx.Tensor) nx.Tensor { return nx.Sum(nx.Pow(t, 3)) }

func waves(t nx.Tensor) nx.Tensor { return nx.Sin(nx.Mul(t, nx.Sum(t))) }

const (
	pyCubes = "(lambda t: (t**3).sum())"
	pyWaves = "(lambda t: jnp.sin(t * t.sum()))"
)

var ctx = context.Background()

var transformations = []row{
	{"jax.jit(f), donate_argnums", []pair{
		{"jax.jit(" + pyWaves + ")(v)", func() any { return nx.Jit(waves)(v) }},
		{"jax.jit(" + pyWaves + ", donate_argnums=0)(jnp.array(v))", func() any {
			return nx.Jit(waves, nx.Donate(0))(nx.Add(v, 0))
		}},
	}},
	{"jax.jit(f).lower(x).compile()", []pair{
		{"jax.jit(" + pyWaves + ").lower(v).compile()(v)", func() any {
			exe, err := nx.Compile(waves, nx.Args(v))
			if err != nil {
				panic(err)
			}
			return exe.Call(v)
		}},
	}},
	{"jax.jit(f).lower(x), jax.export", []pair{
		{"jax.export.export(jax.jit(" + pyWaves + "))(v).call(v)", func() any {
			l, err := nx.Lower(waves, nx.Args(v))
			if err != nil {
				panic(err)
			}
			model, err := nx.LoadModule(ctx, l.Module())
			if err != nil {
				panic(err)
			}
			results, err := model.Call(ctx, v)
			if err != nil {
				panic(err)
			}
			return results
		}},
	}},
	{"jax.disable_jit()", []pair{
		{"(lambda: [jax.disable_jit().__enter__(), " + pyWaves + "(jnp.array(v))][1])()", func() any {
			return nx.Jit(waves, nx.Evaluate)(v)
		}},
	}},
	{"jax.debug.callback, io_callback", []pair{
		{"(lambda seen: [jax.debug.callback(lambda t: seen.append(t), jnp.sin(v)), jax.effects_barrier(), seen[0]][2])([])",
			func() any {
				var seen nx.Tensor
				debug.Hook("sines", nx.Sin(v), func(t nx.Tensor) { seen = nx.Mul(t, 1) })
				return seen
			}},
		{"jax.experimental.io_callback(lambda t: np.sin(t), v, v)", func() any {
			f := nx.Jit(func(ctx context.Context, t nx.Tensor) (nx.Tensor, error) {
				return debug.Hook("t", nx.Sin(t), nil), nil
			})
			var seen, later nx.Tensor
			named := debug.WithHook(ctx, "t", func(t nx.Tensor) { seen = nx.Mul(t, 1) })
			if _, err := f(named, v); err != nil {
				panic(err)
			}
			async, wait := debug.WithAsyncHook(ctx, "t", func(t nx.Tensor) { later = nx.Mul(t, 1) })
			if _, err := f(async, v); err != nil {
				panic(err)
			}
			if err := wait(); err != nil || !nx.ArrayEqual(seen, later) {
				panic("the hooks saw different values")
			}
			return seen
		}},
	}},
	{"jax.pure_callback", []pair{
		{"jax.pure_callback(lambda t: np.sort(t), v, v)", func() any {
			return nx.RuntimeCall(v, v, func(t nx.Tensor) (nx.Tensor, error) { return nx.Sort(t), nil })
		}},
	}},
	{"jax.grad, value_and_grad, has_aux=True", []pair{
		{"jax.grad" + pyCubes + "(v)", func() any { return nx.Grad(cubes)(v) }},
		{"jax.grad(lambda t: jnp.sin(t).sum())(v)", func() any { return nx.Grad(nx.Sin)(v) }},
		{"jax.value_and_grad" + pyCubes + "(v)", func() any {
			y, g := nx.ValueAndGrad(cubes)(v)
			return list(y, g)
		}},
		{"jax.value_and_grad(lambda t: ((t**3).sum(), t.max()), has_aux=True)(v)", func() any {
			y, aux, g := nx.ValueAndGradAux(func(t nx.Tensor) (nx.Tensor, nx.Tensor) { return cubes(t), nx.Max(t) })(v)
			return list(y, aux, g)
		}},
	}},
	{"jax.jvp, jax.vjp, lax.stop_gradient", []pair{
		{"jax.jvp(" + pyWaves + ", (v,), (w,))", func() any {
			y, d := nx.JVP(waves, v, w)
			return list(y, d)
		}},
		{"jax.vjp(" + pyWaves + ", v)[1](w)[0]", func() any {
			_, pull := nx.VJP(waves, v)
			return pull(w)
		}},
		{"jax.grad(lambda t: (t * lax.stop_gradient(t)).sum())(v)", func() any {
			return nx.Grad(func(t nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(t, nx.StopGradient(t))) })(v)
		}},
	}},
	{"jax.linearize", []pair{
		{"(lambda y, push: [y, push(w)])(*jax.linearize(" + pyWaves + ", v))", func() any {
			y, push := nx.Linearize(waves, v)
			return list(y, push(w))
		}},
	}},
	{"jax.jacfwd, jax.jacrev, jax.hessian", []pair{
		{"jax.jacfwd(" + pyWaves + ")(v)", func() any { return nx.Jacobian(waves, nx.ForwardMode)(v) }},
		{"jax.jacrev(" + pyWaves + ")(v)", func() any { return nx.Jacobian(waves, nx.ReverseMode)(v) }},
		{"jax.hessian" + pyCubes + "(v)", func() any { return nx.Hessian(cubes)(v) }},
	}},
	{"jax.jvp(jax.grad(f), …)", []pair{
		{"jax.jvp(jax.grad" + pyCubes + ", (v,), (w,))[1]", func() any { return nx.HVP(cubes, v, w) }},
	}},
	{"jax.custom_jvp, jax.custom_vjp", []pair{
		{"(lambda f: [f.defjvp(lambda p, t: (jnp.sin(p[0]), 2 * t[0])), jax.grad(lambda t: f(t).sum())(v)][1])" +
			"(jax.custom_jvp(jnp.sin))", func() any {
			double := nx.CustomJVP(nx.Sin, func(_, _, dx nx.Tensor) nx.Tensor { return nx.Mul(dx, 2) })
			return nx.Grad(func(t nx.Tensor) nx.Tensor { return nx.Sum(double(t)) })(v)
		}},
		{"(lambda f: [f.defvjp(lambda t: (jnp.sin(t), t), lambda t, g: (t * g,)), jax.grad(lambda t: f(t).sum())(v)][1])" +
			"(jax.custom_vjp(jnp.sin))", func() any {
			f := nx.CustomVJP(func(t nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Sin(t), t },
				func(t, g nx.Tensor) nx.Tensor { return nx.Mul(t, g) })
			return nx.Grad(func(t nx.Tensor) nx.Tensor { return nx.Sum(f(t)) })(v)
		}},
	}},
	{"jax.vmap(f, in_axes=(0, None), out_axes=1)", []pair{
		{"jax.vmap(lambda r, t: jnp.sort(r) * t, in_axes=(0, None), out_axes=1)(a, w[:4])", func() any {
			f := func(r, t nx.Tensor) nx.Tensor { return nx.Mul(nx.Sort(r), t) }
			return nx.Vmap(f, nx.InAxes(0, nil), nx.OutAxes(1))(a, w.At(nx.To(4)))
		}},
	}},
	{"jax.checkpoint, jax.remat", []pair{
		{"jax.grad(lambda t: (jax.checkpoint(" + pyWaves + ")(t)).sum())(v)", func() any {
			f := nx.Checkpoint(waves)
			return nx.Grad(func(t nx.Tensor) nx.Tensor { return nx.Sum(f(t)) })(v)
		}},
		{"jax.remat(" + pyWaves + ")(v)", func() any { return nx.Checkpoint(waves)(v) }},
	}},
	{"jax.lax.composite", []pair{
		{"jax.lax.composite(lambda t, *, n: t**3, 'example.power')(v, n=3)", func() any {
			cube := func(t nx.Tensor) nx.Tensor { return nx.Pow(t, 3) }
			return nx.Composite("example.power", cube, nx.Attr("n", 3))(v)
		}},
	}},
	{"jax.flatten_util.ravel_pytree", []pair{
		{"__import__('jax.flatten_util').flatten_util.ravel_pytree([a, v])[0]", func() any {
			flat, _ := tree.Ravel([]nx.Tensor{a, v})
			return flat
		}},
	}},
	{"jax.tree.map, with two trees", []pair{
		{"jax.tree.map(lambda t: t * 2, [a, v])", func() any {
			return tree.Map(func(t nx.Tensor) nx.Tensor { return nx.Mul(t, 2) }, []nx.Tensor{a, v})
		}},
		{"jax.tree.map(lambda t, u: t - u, [a, v], [b, w])", func() any {
			less := func(t, u nx.Tensor) nx.Tensor { return nx.Sub(t, u) }
			return tree.Map2(less, []nx.Tensor{a, v}, []nx.Tensor{b, w})
		}},
	}},
	{"jax.config.update(\"jax_debug_nans\", True), checkify.float_checks", []pair{
		{"[type(checkify.checkify(jax.jit(jnp.log), errors=checkify.float_checks)(t)[0].get()) is str for t in (v, w)]  # " +
			"jax.config.update", func() any {
			log := nx.Jit(nx.Log, nx.CheckNaN)
			var failed []any
			for _, t := range []nx.Tensor{v, w} {
				err := func() (err error) {
					defer nx.Catch(&err)
					log(t)
					return nil
				}()
				failed = append(failed, errors.Is(err, nx.ErrNaN))
			}
			return failed
		}},
	}},
	{"equinox.combine", []pair{
		{"jax.tree.map(lambda t, u: u if t is None else t, [a, None], [None, v], is_leaf=lambda t: t is None)  # " +
			"equinox.combine", func() any { return tree.Combine([]nx.Tensor{a, {}}, []nx.Tensor{{}, v}) }},
	}},
	{"jax.tree_util.tree_map_with_path", []pair{
		{"jax.tree_util.tree_map_with_path(lambda path, t: t * len(jax.tree_util.keystr(path).replace(chr(39), '')), " +
			"[{'ab': v}, {'c': w}])", func() any {
			m := tree.MapLeaves(func(path string, t nx.Tensor) nx.Tensor { return nx.Mul(t, len(path)) },
				[]map[string]nx.Tensor{{"ab": v}, {"c": w}})
			var each []nx.Tensor
			for _, t := range tree.Leaves(m) {
				each = append(each, t)
			}
			return each
		}},
		{"[jax.tree_util.keystr(p) for p, t in jax.tree_util.tree_leaves_with_path([a, v]) if type(t) is np.ndarray]",
			func() any {
				var paths []any
				for path, kind := range tree.Types([]nx.Tensor{a, v}) {
					if kind == reflect.TypeFor[nx.Tensor]() {
						paths = append(paths, path)
					}
				}
				return paths
			}},
	}},
}
