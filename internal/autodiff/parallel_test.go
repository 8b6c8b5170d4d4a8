package autodiff_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// inParallel runs @main of a module on two processes.
func inParallel(t *testing.T, m *stablehlo.Module, args [2][]interp.Value) [2][]interp.Value {
	t.Helper()
	f, _ := m.Func("main")
	var both [2][]interp.Value
	n := len(f.Type().Outs)
	text := strings.Replace(m.String(), "@main", "@program", 1)
	text = text[:strings.LastIndex(text, "}")] // the end of the module
	var names, ins, outs []string
	for i, x := range append(append([]stablehlo.Type{}, f.Type().Ins...), f.Type().Ins...) {
		names = append(names, "%a"+string(rune('a'+i)))
		ins = append(ins, x.String())
	}
	for range 2 {
		for _, x := range f.Type().Outs {
			outs = append(outs, x.String())
		}
	}
	var params, results []string
	for i, name := range names {
		params = append(params, name+": "+ins[i])
	}
	for i := range outs {
		results = append(results, "%r#"+string(rune('0'+i)))
	}
	text += "\nfunc.func @main(" + strings.Join(params, ", ") + ") -> (" + strings.Join(outs, ", ") + ") {\n" +
		"%r:" + string(rune('0'+len(outs))) + ` = "interpreter.run_parallel"(` + strings.Join(names, ", ") +
		") {programs = [[@program], [@program]]} : (" +
		strings.Join(ins, ", ") + ") -> (" + strings.Join(outs, ", ") + ")\n" +
		"return " + strings.Join(results, ", ") + " : " + strings.Join(outs, ", ") + "\n}\n}"
	p, err := stablehlo.Parse("parallel", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	got := run(t, p, append(append([]interp.Value{}, args[0]...), args[1]...))
	both[0], both[1] = got[:n], got[n:]
	return both
}

// TestCollectives checks over both processes together that the derivative matches the difference
// quotient and that the reverse mode is its adjoint.
func TestCollectives(t *testing.T) {
	const sum = ` ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  })`
	greatest := strings.Replace(sum, "add", "maximum", 1)
	for _, tt := range []struct{ name, op, out string }{
		{"all_reduce by itself", `"stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}>` +
			greatest, "4x2"},
		{"all_reduce", `"stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>` + sum, "4x2"},
		{"all_gather",
			`"stablehlo.all_gather"(%y) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>`,
			"4x4"},
		{"reduce_scatter",
			`"stablehlo.reduce_scatter"(%y) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>` + sum, "2x2"},
		{"all_to_all",
			`"stablehlo.all_to_all"(%y) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>`, "2x4"},
		{"collective_permute",
			`"stablehlo.collective_permute"(%y) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}>`, "4x2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := stablehlo.Parse("program", []byte(`
func.func @main(%x: tensor<4x2xf64>) -> tensor<`+tt.out+`xf64> {
  %y = stablehlo.sine %x : tensor<4x2xf64>
  %0 = `+tt.op+` : (tensor<4x2xf64>) -> tensor<`+tt.out+`xf64>
  return %0 : tensor<`+tt.out+`xf64>
}`))
			if err != nil {
				t.Fatal(err)
			}
			covered(m)
			rng := rand.New(rand.NewPCG(1, 2))
			var x, v, u, xv, xu [2][]interp.Value
			for p := range 2 {
				x[p] = randomArgs(rng, m, 0.2, 1.7)
				v[p] = randomLike(rng, x[p])
				xv[p] = append(x[p][:1:1], v[p]...)
			}
			forward := inParallel(t, transformed(t, jvp, m), xv)
			slopes := quotients(func(h float64) []interp.Value {
				both := inParallel(t, m, [2][]interp.Value{moved(x[0], v[0], h), moved(x[1], v[1], h)})
				return append(both[0][:1:1], both[1][0])
			})
			for p := range 2 {
				for j, d := range parts(forward[p][1]) {
					if q := slopes[p][j]; q.vague() || !(math.Abs(d-q.slope) <= q.off) {
						t.Fatalf("process %d: tangent %d is %g, the difference quotient %g ± %g", p, j, d, q.slope, q.off)
					}
				}
				u[p] = randomLike(rng, forward[p][1:])
				xu[p] = append(x[p][:1:1], u[p]...)
			}
			back := inParallel(t, transformed(t, vjp, m), xu)
			left, _ := dot(slices.Concat(u[0], u[1]), slices.Concat(forward[0][1:], forward[1][1:]))
			right, _ := dot(slices.Concat(back[0][1:], back[1][1:]), slices.Concat(v[0], v[1]))
			if !near(left, right, dotTolerance, dotTolerance) {
				t.Fatalf("⟨u, J·v⟩ = %g but ⟨Jᵀ·u, v⟩ = %g", left, right)
			}
		})
	}
}
