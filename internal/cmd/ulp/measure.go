package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// batch is how many elements one call takes.
const batch = 1 << 14

// worst is the largest error of a function on elements of one type.
type worst struct {
	ulp   float64
	at    []float64
	got   float64
	want  float64
	count int
}

func (w worst) String() string {
	return fmt.Sprintf("%.2f", math.Ceil(w.ulp*100)/100)
}

// take looks at one result.
func (w *worst) take(d dtype.Type, got, want float64, near bool, at ...float64) {
	w.count++
	if near && math.Abs(got-want) < closeTo(d) {
		return
	}
	if u := ulps(d, got, want); u > w.ulp {
		w.ulp, w.at, w.got, w.want = u, at, got, want
	}
}

// closeTo is the absolute error that passes near zeros.
func closeTo(d dtype.Type) float64 {
	if d == dtype.F64 {
		return 1e-14
	}
	return 1e-7
}

// ulps returns the error of got, a number of type d, in units of want's last place in that type. An f64 is
// compared with a result that is itself rounded, so its error may be half a unit larger than returned. A zero
// of the wrong sign is infinitely far off.
func ulps(d dtype.Type, got, want float64) float64 {
	if want != want || got != got {
		if (want != want) == (got != got) {
			return 0
		}
		return math.Inf(1)
	}
	if got == want {
		if want == 0 && math.Signbit(want) != math.Signbit(got) {
			return math.Inf(1)
		}
		return 0
	}
	// Beyond the range there is one more number, a power of two that represents infinity. There both are
	// quartered, so that f64 can represent it.
	quarters, top := 0, math.Ilogb(d.MaxFinite())
	if math.IsInf(got, 0) || math.Abs(want) > d.MaxFinite() {
		quarters = 2
		got, want = limited(got, top), limited(want, top)
	}
	digit := max(min(math.Ilogb(want)+quarters, top)-d.MantissaBits(), math.Ilogb(d.SmallestSubnormal()))
	return math.Abs(got-want) / math.Ldexp(1, digit-quarters)
}

// limited returns a quarter of v, at most that of 2^(top+1).
func limited(v float64, top int) float64 {
	return math.Copysign(min(math.Abs(v)/4, math.Ldexp(1, top-1)), v)
}

// evaluate runs f on rows of arguments, rounded to type d, and hands each result on.
func evaluate(f func(in []nx.Tensor) nx.Tensor, d dtype.Type, args [][]float64,
	visit func(i int, got float64)) {
	n := len(args[0])
	in := make([]nx.Tensor, len(args))
	if d == dtype.F32 { // billions of them
		for k, a := range args {
			data := make([]float32, n)
			for i, x := range a {
				data[i] = float32(x)
				a[i] = float64(data[i])
			}
			in[k] = nx.FromSliceShared(data, nx.Shape{n})
		}
		nx.View(f(in), func(out []float32) {
			for i, y := range out {
				visit(i, float64(y))
			}
		})
		return
	}
	for k, a := range args {
		data := make([]byte, n*d.Size())
		for i, x := range a {
			d.StoreFloat(data, i, x)
			a[i] = d.LoadFloat(data, i)
		}
		in[k] = nx.FromBytes(data, nx.Shape{n}, d)
	}
	data := nx.Bytes(f(in))
	for i := range n {
		visit(i, d.LoadFloat(data, i))
	}
}

// isRounded reports whether got is want rounded to type d, to the sign of a zero.
func isRounded(d dtype.Type, got, want float64) bool {
	if d == dtype.F32 {
		want = float64(float32(want))
	} else {
		want = d.Float64(d.FromFloat64(want))
	}
	return math.Float64bits(got) == math.Float64bits(want)
}

// measure finds the worst error of c on elements of type d: every step-th float where they
// have 32 bits, all where they have 16 and step is below 2^16, and n random ones where they
// have 64.
func (c *function) measure(d dtype.Type, step uint64, n int) worst {
	m := measurement{c: c, d: d}
	if d.Bits() == 64 {
		r := rand.New(rand.NewPCG(1, 2))
		for i := range n {
			m.add(c.draw(r, i))
		}
	} else {
		if d.Bits() == 16 {
			step = 1 + step>>16
		}
		m.w = c.measureAll(d, step)
	}
	for _, x := range c.edges(d) {
		m.add(x)
	}
	m.flush()
	return m.w
}

// measureAll measures every step-th number of a type, in as many parts as there are processors.
// Each takes some batches, so that all have their share of arguments that cost little.
func (c *function) measureAll(d dtype.Type, step uint64) worst {
	parts := make([]measurement, runtime.GOMAXPROCS(0))
	end, stride := uint64(1)<<d.Bits(), batch*step
	var running sync.WaitGroup
	for k := range parts {
		parts[k] = measurement{c: c, d: d}
		running.Go(func() {
			for first := uint64(k) * stride; first < end; first += uint64(len(parts)) * stride {
				for bits := first; bits < min(first+stride, end); bits += step {
					parts[k].add(d.Float64(bits))
				}
			}
			parts[k].flush()
		})
	}
	running.Wait()
	w := parts[0].w
	for _, p := range parts[1:] {
		n := w.count + p.w.count
		if p.w.ulp > w.ulp {
			w = p.w
		}
		w.count = n
	}
	return w
}

// measurement gathers arguments of a function and finds the worst of its results.
type measurement struct {
	c    *function
	d    dtype.Type
	args []float64
	w    worst
}

func (m *measurement) add(x float64) {
	if m.args = append(m.args, x); len(m.args) == batch {
		m.flush()
	}
}

func (m *measurement) flush() {
	if len(m.args) == 0 {
		return
	}
	evaluate(func(in []nx.Tensor) nx.Tensor { return m.c.f(in[0]) }, m.d, [][]float64{m.args},
		func(i int, got float64) { m.look(m.args[i], got) })
	m.args = m.args[:0]
}

// look compares a result with the exact one, unless the quick formula shows that it cannot be
// the worst: that is as good as 2^-16 ulp of a type of 32 bits, but for near zeros.
func (m *measurement) look(x, got float64) {
	const slack = 0x1p-10
	c, d, w := m.c, m.d, &m.w
	if d != dtype.F64 {
		quick := c.fast(x)
		if isRounded(d, got, quick) {
			w.count++
			w.ulp = max(w.ulp, 0.5)
			return
		}
		if (!c.near || math.Abs(quick) >= 1) && ulps(d, got, quick)+slack <= w.ulp {
			w.count++
			return
		}
	}
	want := c.exact(x)
	if c.normal && math.Abs(want) < 64*d.SmallestNormal() && math.Abs(got) < 128*d.SmallestNormal() {
		return
	}
	w.take(d, got, want, c.near, x)
}

// draw returns one of four kinds of arguments: of any size, of random bits, near a point of interest, and near
// zero.
func (c *function) draw(r *rand.Rand, i int) float64 {
	switch i % 4 {
	case 0:
		return math.Float64frombits(r.Uint64())
	case 1:
		return r.NormFloat64() * math.Exp2(float64(i/4%12-3))
	case 2:
		if len(c.around) > 0 {
			return c.around[r.IntN(len(c.around))] * (1 + r.NormFloat64()*math.Exp2(-float64(r.IntN(52))))
		}
		fallthrough
	default:
		return r.NormFloat64() * math.Exp2(-float64(r.IntN(60)))
	}
}

// edges returns special numbers and the neighbours of points of interest.
func (c *function) edges(d dtype.Type) []float64 {
	out := []float64{math.NaN()}
	for _, x := range append([]float64{0, 0.5, 1, 2, 3, 10, math.Inf(1), d.MaxFinite(), d.SmallestNormal(),
		d.SmallestSubnormal(), d.Epsilon()}, c.around...) {
		bits := d.FromFloat64(x)
		for _, b := range []uint64{bits - 1, bits, bits + 1} {
			v := d.Float64(b)
			out = append(out, v, -v)
		}
	}
	return out
}

// measure finds the worst error of p on 2n random pairs of elements of type d, and on all
// pairs of special ones.
func (p *pair) measure(d dtype.Type, n int) worst {
	var w worst
	var xs, ys []float64
	flush := func() {
		evaluate(func(in []nx.Tensor) nx.Tensor { return p.f(in[0], in[1]) }, d, [][]float64{xs, ys},
			func(i int, got float64) { w.take(d, got, p.exact(xs[i], ys[i]), p.near, xs[i], ys[i]) })
		xs, ys = xs[:0], ys[:0]
	}
	add := func(x, y float64) {
		if xs, ys = append(xs, x), append(ys, y); len(xs) == batch {
			flush()
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range n {
		add(p.draw(r))
		add(d.Float64(r.Uint64()>>(64-d.Bits())), d.Float64(r.Uint64()>>(64-d.Bits())))
	}
	special := (&function{}).edges(d)
	for _, x := range special {
		for _, y := range special {
			add(x, y)
		}
	}
	if len(xs) > 0 {
		flush()
	}
	return w
}

// binaryCHLO returns an op of dialect chlo with two operands that has no name in package nx.
func binaryCHLO(op string) func(x, y nx.Tensor) nx.Tensor {
	f := program("chlo." + op)
	return func(x, y nx.Tensor) nx.Tensor { return f(x, y) }
}

// program returns an op as a function, by a program for each type and size of operands.
func program(op string) func(in ...nx.Tensor) nx.Tensor {
	models := map[string]*nx.Model{}
	return func(in ...nx.Tensor) nx.Tensor {
		t := fmt.Sprintf("tensor<%dx%s>", in[0].Size(), in[0].DType())
		m := models[t]
		if m == nil {
			text := fmt.Sprintf("func.func @main(%%0: %[1]s, %%1: %[1]s) -> %[1]s {\n"+
				"%%r = \"%[2]s\"(%%0, %%1) : (%[1]s, %[1]s) -> %[1]s\nreturn %%r : %[1]s\n}", t, op)
			module, err := stablehlo.Parse(op, []byte(text))
			if err != nil {
				panic(err)
			}
			if m, err = nx.LoadModule(context.Background(), module); err != nil {
				panic(err)
			}
			models[t] = m
		}
		out, err := m.Call(context.Background(), in...)
		if err != nil {
			panic(err)
		}
		return out[0]
	}
}
