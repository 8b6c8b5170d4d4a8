package ops_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// einsumByLoops is the definition: a loop over all letters. Letters are ASCII.
func einsumByLoops(formula string, ts []kit.Array) kit.Array {
	in, out, _ := strings.Cut(formula, "->")
	terms := strings.Split(in, ",")
	sizes := map[byte]int{}
	var order []byte
	for k, term := range terms {
		for i := range len(term) {
			if _, ok := sizes[term[i]]; !ok {
				order = append(order, term[i])
			}
			sizes[term[i]] = max(sizes[term[i]], ts[k].Shape[i])
		}
	}
	shape := []int{}
	for i := range len(out) {
		shape = append(shape, sizes[out[i]])
	}
	sum := kit.ArrayOf(shape, make([]float64, nx.Shape(shape).Size()))
	at := map[byte]int{}
	place := func(term string, shape []int) int {
		p := 0
		for i := range len(term) {
			p = p*shape[i] + at[term[i]]%shape[i] // an axis of size 1 repeats
		}
		return p
	}
	var walk func(k int)
	walk = func(k int) {
		if k == len(order) {
			v := 1.0
			for i, term := range terms {
				v *= ts[i].V[place(term, ts[i].Shape)]
			}
			sum.V[place(out, shape)] += v
			return
		}
		for i := range sizes[order[k]] {
			at[order[k]] = i
			walk(k + 1)
		}
	}
	walk(0)
	return sum
}

// randomFormula returns a formula of n operands, with operands for it: small integers, so
// that sums are exact.
func randomFormula(r *rand.Rand, n int) (string, []kit.Array) {
	letters := "abcdef"[:2+r.IntN(5)]
	sizes := map[byte]int{}
	for i := range len(letters) {
		sizes[letters[i]] = 1 + r.IntN(3)
	}
	used := map[byte]bool{}
	var terms []string
	var ts []kit.Array
	for range n {
		term, shape := "", []int{}
		for range r.IntN(4) {
			c := letters[r.IntN(len(letters))]
			used[c] = true
			term += string(c)
			size := sizes[c]
			if r.IntN(6) == 0 && strings.Count(term, string(c)) == 1 &&
				!strings.Contains(term[:len(term)-1], string(c)) {
				size = 1 // which broadcasts, where the letter does not repeat
			}
			if i := strings.IndexByte(term, c); i < len(shape) {
				size = shape[i]
			}
			shape = append(shape, size)
		}
		a := kit.ArrayOf(shape, make([]float64, nx.Shape(shape).Size()))
		for i := range a.V {
			a.V[i] = float64(r.IntN(5) - 2)
		}
		terms, ts = append(terms, term), append(ts, a)
	}
	out := ""
	for i := range len(letters) {
		if used[letters[i]] && r.IntN(2) == 0 {
			out += string(letters[i])
		}
	}
	return strings.Join(terms, ",") + "->" + out, ts
}

func tensorsOf(as []kit.Array) []nx.Tensor {
	ts := make([]nx.Tensor, len(as))
	for i, a := range as {
		ts[i] = a.Tensor()
	}
	return ts
}

// TestEinsumOfMany compares formulas of one to ten operands, and their gradients, with the
// definition. An einsum is linear in each operand, so differences are exact.
func TestEinsumOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for seed := range 120 {
		formula, as := randomFormula(r, 1+seed%10)
		want := einsumByLoops(formula, as)
		kit.SameArray(t, formula, nx.Einsum(formula, tensorsOf(as)...), want)
		if seed%4 != 0 {
			continue
		}
		weights := kit.ArrayOf(want.Shape, make([]float64, len(want.V)))
		for i := range weights.V {
			weights.V[i] = float64(r.IntN(5) - 2)
		}
		grads := nx.Grad(func(ts []nx.Tensor) nx.Tensor {
			return nx.Sum(nx.Mul(nx.Einsum(formula, ts...), weights.Tensor()))
		})(tensorsOf(as))
		for k, a := range as {
			slopes := kit.ArrayOf(a.Shape, make([]float64, len(a.V)))
			for i := range a.V {
				moved := slices.Clone(as)
				moved[k] = kit.ArrayOf(a.Shape, slices.Clone(a.V))
				moved[k].V[i]++
				for j, v := range einsumByLoops(formula, moved).V {
					slopes.V[i] += (v - want.V[j]) * weights.V[j]
				}
			}
			kit.SameArray(t, fmt.Sprintf("gradient %d of %s", k, formula), grads[k], slopes)
		}
	}
}

// TestEinsumOrder: the products on the way are small, for few operands and for many.
func TestEinsumOrder(t *testing.T) {
	long, short := nx.Ones(nx.Shape{1000, 2}, nx.F32), nx.Ones(nx.Shape{2, 1000}, nx.F32)
	formula, ts := "ab", []nx.Tensor{long}
	for i := range 10 {
		formula += "," + string(rune('b'+i)) + string(rune('c'+i))
		ts = append(ts, []nx.Tensor{short, long}[i%2])
		l, err := nx.Lower(func(ts []nx.Tensor) nx.Tensor {
			return nx.Einsum(formula+"->a"+string(rune('c'+i)), ts...)
		}, nx.Args(ts))
		if err != nil {
			t.Fatal(err)
		}
		large := 0
		for line := range strings.Lines(l.Text()) {
			if strings.Contains(line, "dot_general") && strings.Contains(line, "-> tensor<1000x1000x") {
				large++
			}
		}
		if large != 1-i%2 { // that of the result, where it is so large
			t.Errorf("%d operands: %d products of 1000 x 1000 elements\n%s", i+2, large, l.Text())
		}
	}
}

func TestEinsumForms(t *testing.T) {
	a, q := kit.Ascending(2, 3), kit.Ascending(3, 3)
	for _, c := range []struct {
		formula, same string
		ts            []kit.Array
	}{
		{"ii", "ii->", []kit.Array{q}},
		{"...j,jk->...k", "xyj,jk->xyk", []kit.Array{kit.Ascending(2, 2, 3), q}},
		{"...j,...j", "xyj,yj->xy", []kit.Array{kit.Ascending(2, 2, 3), a}},
		{"i...->...i", "iyz->yzi", []kit.Array{kit.Ascending(2, 2, 3)}},
		{"b...,...", "bxy,y->xyb", []kit.Array{kit.Ascending(2, 2, 3), kit.Ascending(3)}},
		{"i...->i", "iyz->i", []kit.Array{kit.Ascending(2, 2, 3)}},
		{"...->", "xyz->", []kit.Array{kit.Ascending(2, 2, 3)}},
		{"...j,...->j", "xyj,y->j", []kit.Array{kit.Ascending(2, 2, 3), kit.Ascending(2)}},
		{"...", "xy->xy", []kit.Array{a}},
		{",ij,", ",ij,->ij", []kit.Array{kit.Ascending(), a, kit.Ascending()}},
		{"i,ij,j,", "i,ij,j,->", []kit.Array{kit.Ascending(2), a, kit.Ascending(3), kit.Ascending()}},
		{"zA,A", "zA,A->z", []kit.Array{a, kit.Ascending(3)}},
	} {
		kit.SameArray(t, c.formula, nx.Einsum(c.formula, tensorsOf(c.ts)...), einsumByLoops(c.same, c.ts))
	}
	x := a.Tensor("row", "in")
	for formula, want := range map[string]string{
		"ij,jk,kl->il": "f64[row: 2][3]", "ij,jk,kl->ji": "f64[in: 3][row: 2]",
		"i...,jk,kl->...i": "f64[in: 3][row: 2]",
	} {
		if s := nx.Einsum(formula, x, q.Tensor(), q.Tensor()).Spec().String(); s != want {
			t.Errorf("%s: %s, want %s", formula, s, want)
		}
	}
	// Names on the way do not clash.
	if s := nx.Einsum("ij,kj,kl->il", x, x, x).Spec().String(); s != "f64[row: 2][in: 3]" {
		t.Error(s)
	}
	empty := nx.Zeros(nx.Shape{0, 0}, nx.Bool)
	if s := nx.Einsum("ii->i", empty).Spec().String(); s != "bool[0]" {
		t.Error(s)
	}
	mixed := nx.Einsum("i,i,i->", nx.New([]int8{100, 100}), nx.New([]float32{2, 2}), nx.New([]uint8{3, 3}))
	if s := fmt.Sprint(mixed); s != "f32 1200.0" { // not wrapped around in s16 on the way
		t.Error(s)
	}
}

func TestEinsum(t *testing.T) {
	a, b := kit.Ascending(2, 3), kit.Ascending(3, 4)
	for _, c := range []struct {
		formula string
		a, b    kit.Array
		want    func(at []int) float64
		shape   []int
	}{
		{"ij,jk->ik", a, b, dot(a, b).At, []int{2, 4}},
		{"ij,jk", a, b, dot(a, b).At, []int{2, 4}},
		{"ij,jk->ki", a, b, func(at []int) float64 { return dot(a, b).At([]int{at[1], at[0]}) }, []int{4, 2}},
		{"i j , k j -> i k", a, a, func(at []int) float64 {
			return a.At([]int{at[0], 0})*a.At([]int{at[1], 0}) + a.At([]int{at[0], 1})*a.At([]int{at[1], 1}) +
				a.At([]int{at[0], 2})*a.At([]int{at[1], 2})
		}, []int{2, 2}},
		{"ij,ij->", a, a, func([]int) float64 { return 0 + 1 + 4 + 9 + 16 + 25 }, nil},
		{"ij,ij->ji", a, a, func(at []int) float64 { v := a.At([]int{at[1], at[0]}); return v * v }, []int{3, 2}},
		{"i,j->ij", kit.Ascending(2), kit.Ascending(3), func(at []int) float64 { return float64(at[0] * at[1]) },
			[]int{2, 3}},
		{"ij,k->k", a, kit.Ascending(2), func(at []int) float64 { return 15 * float64(at[0]) }, []int{2}},
		{"bij,bjk->bik", kit.Ascending(2, 1, 2), kit.Ascending(2, 2, 1),
			func(at []int) float64 { return []float64{1, 13}[at[0]] },
			[]int{2, 1, 1}},
	} {
		kit.SameArray(t, c.formula, nx.Einsum(c.formula, c.a.Tensor(), c.b.Tensor()), kit.BuildArray(c.shape, c.want))
	}
	kit.SameArray(t, "ij->ji", nx.Einsum("ij->ji", a.Tensor()),
		kit.BuildArray([]int{3, 2}, func(at []int) float64 { return a.At([]int{at[1], at[0]}) }))
	kit.SameArray(t, "ij->j", nx.Einsum("ij->j", a.Tensor()), kit.ArrayOf([]int{3}, []float64{3, 5, 7}))
	named := nx.Einsum("ij,jk->ki", a.Tensor("row", "in"), b.Tensor("x", "out"))
	if s := named.Spec().String(); s != "f64[out: 4][row: 2]" {
		t.Error(s)
	}
}
