package vmap

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/conformance/random"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// TestPrograms batches the programs of testdata, one or more for each row, over every choice of
// their arguments, and compares with running them element by element.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no programs", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := stablehlo.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Verify(); err != nil {
			t.Fatal(err)
		}
		for f := range m.Funcs() {
			if f.Str("sym_visibility") == "private" {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(file), ".mlir")+"/"+f.Name(), func(t *testing.T) {
				n := len(f.Args())
				for choice := 1; choice < 1<<n; choice++ {
					for _, size := range []int64{3, 1, 0} {
						compare(t, m, f.Name(), size, uint64(choice), func(i int) bool { return choice>>i&1 == 1 })
					}
				}
			})
		}
	}
}

// TestRandomPrograms does the same with random programs, each over one choice.
func TestRandomPrograms(t *testing.T) {
	seeds := uint64(400)
	if testing.Short() {
		seeds = 60
	}
	for seed := range seeds {
		p, err := random.New(seed)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 1))
		f, _ := p.Module.Func("main")
		chosen := make([]bool, len(f.Args()))
		for i := range chosen {
			chosen[i] = r.IntN(2) == 0
		}
		if compare(t, p.Module, "main", int64(r.IntN(4)), seed, func(i int) bool { return chosen[i] }); t.Failed() {
			t.Fatalf("seed %d, batched %v:\n%s", seed, chosen, p.Module)
		}
	}
}

// compare batches a function over some of its arguments, along random axes, and compares
// the results with those for each element.
func compare(t *testing.T, m *stablehlo.Module, entry string, size int64, seed uint64, isBatched func(arg int) bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	f, _ := m.Func(entry)
	axis := func(typ stablehlo.Type) int { return r.IntN(typ.(*stablehlo.TensorType).Rank() + 1) }
	in, out := make([]int, len(f.Args())), make([]int, len(f.Type().Outs))
	for i, a := range f.Args() {
		if in[i] = Shared; isBatched(i) {
			in[i] = axis(a.Type())
		}
	}
	for i, typ := range f.Type().Outs {
		out[i] = axis(typ)
	}
	b, err := Batch(m, entry, size, in, out)
	if err == nil {
		err = b.Verify()
	}
	if err != nil {
		t.Errorf("size %d, axes %v: %v\n%s", size, in, err, b)
		return
	}
	single := m.Clone()
	if entry != "main" { // random arguments are for @main
		for g := range single.Funcs() {
			if g.Name() == entry {
				g.SetAttr("sym_name", stablehlo.StringAttr("main"))
			}
		}
		entry = "main"
	}
	g, _ := single.Func("main")
	prepare(single, g) // other executors round compositions differently
	elements := make([][][]byte, size)
	want := make([][][]byte, size)
	for k := range elements {
		elements[k] = random.Arguments(single, seed*1000+uint64(k))
		for i := range in {
			if in[i] == Shared {
				elements[k][i] = random.Arguments(single, seed*1000)[i]
			}
		}
		want[k] = call(t, single, "main", elements[k])
	}
	args := make([][]byte, len(in))
	for i, a := range f.Args() {
		if in[i] == Shared {
			args[i] = random.Arguments(single, seed*1000)[i]
			continue
		}
		parts := make([][]byte, size)
		for k := range parts {
			parts[k] = elements[k][i]
		}
		args[i] = stack(parts, a.Tensor(), in[i])
	}
	got := call(t, b, f.Name(), args)
	for i, typ := range f.Type().Outs {
		parts := make([][]byte, size)
		for k := range parts {
			parts[k] = want[k][i]
		}
		x := typ.(*stablehlo.TensorType)
		if err := same(x, stack(parts, x, out[i]), got[i]); err != nil {
			t.Errorf("size %d, axes %v -> %v: result %d: %v\n%s", size, in, out, i, err, b)
		}
	}
}

// stack joins the elements of a batch along an axis.
func stack(parts [][]byte, t *stablehlo.TensorType, axis int) []byte {
	inner := int64(t.DType().Size())
	for _, d := range t.Dims[axis:] {
		inner *= d
	}
	outer := int64(1)
	for _, d := range t.Dims[:axis] {
		outer *= d
	}
	var out []byte
	for o := range outer {
		for _, p := range parts {
			out = append(out, p[o*inner:(o+1)*inner]...)
		}
	}
	return out
}

func call(t *testing.T, m *stablehlo.Module, entry string, args [][]byte) [][]byte {
	t.Helper()
	it, err := interp.New(m)
	if err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	f, _ := m.Func(entry)
	values := make([]interp.Value, len(args))
	for i, a := range f.Args() {
		if values[i], err = interp.NewTensor(a.Tensor(), args[i]); err != nil {
			t.Fatal(err)
		}
	}
	results, err := it.Call(context.Background(), entry, values...)
	if err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	out := make([][]byte, len(results))
	for i, r := range results {
		out[i] = r.(*interp.Tensor).Data
	}
	return out
}

// same compares results: the same bits, except for NaN and the order of sums.
func same(t *stablehlo.TensorType, want, got []byte) error {
	d := t.DType()
	if len(want) != len(got) {
		return fmt.Errorf("%d bytes, want %d", len(got), len(want))
	}
	if bytes.Equal(want, got) {
		return nil
	}
	size := d.Size()
	for i := range len(want) / size {
		if bytes.Equal(want[i*size:(i+1)*size], got[i*size:(i+1)*size]) {
			continue
		}
		if d.IsFloat() && math.IsNaN(d.LoadFloat(want, i)) && math.IsNaN(d.LoadFloat(got, i)) {
			continue
		}
		return fmt.Errorf("element %d is %s, want %s", i, text(d, got, i), text(d, want, i))
	}
	return nil
}

func text(d dtype.Type, data []byte, i int) string {
	switch {
	case d.IsFloat():
		return fmt.Sprint(d.LoadFloat(data, i))
	case d.IsComplex():
		return fmt.Sprint(d.LoadComplex(data, i))
	}
	return fmt.Sprint(d.LoadInt(data, i))
}

// notBatched lists the ops without a row, with the reason.
var notBatched = map[string]string{
	"builtin.module": "holds functions", "func.func": "is batched entirely", "func.return": "ends a function",
	"func.call": "is expanded first", "stablehlo.return": "ends a region",
	"stablehlo.constant": "has no operands", "chlo.constant": "has no operands", "stablehlo.iota": "has no operands",
	"stablehlo.partition_id": "has no operands", "stablehlo.replica_id": "has no operands",
	"stablehlo.after_all": "only orders effects", "stablehlo.create_token": "only orders effects",
	"stablehlo.tuple": "is flattened first", "stablehlo.get_tuple_element": "is flattened first",
	"stablehlo.async_start": "is flattened first", "stablehlo.async_done": "is flattened first",
	"stablehlo.dynamic_broadcast_in_dim": "must have static sizes", "stablehlo.dynamic_conv": "must have static sizes",
	"stablehlo.dynamic_gather": "must have static sizes", "stablehlo.dynamic_iota": "must have static sizes",
	"stablehlo.dynamic_pad": "must have static sizes", "stablehlo.dynamic_reshape": "must have static sizes",
	"stablehlo.real_dynamic_slice": "must have static sizes", "stablehlo.set_dimension_size": "makes sizes dynamic",
	"stablehlo.infeed": "has effects", "stablehlo.outfeed": "has effects",
	"stablehlo.recv": "has effects", "stablehlo.send": "has effects",
	"sdy.mesh": "is a symbol", "sdy.return": "ends a region",
}

// TestTableIsComplete requires a row, or a reason, for every op.
func TestTableIsComplete(t *testing.T) {
	for c := range stablehlo.Ops() {
		name := c.String()
		_, reason := notBatched[name]
		if rowOf(c) != nil && isComposition(c) {
			t.Errorf("%s: has a row, but is decomposed", name)
		}
		if dialect := c.Info().Dialect(); dialect == "check" || dialect == "interpreter" {
			reason = true // they have effects
		}
		if has := rowOf(c) != nil || isComposition(c); has == reason {
			t.Errorf("%s: has a row: %v; has a reason instead: %v", name, has, reason)
		}
	}
}
