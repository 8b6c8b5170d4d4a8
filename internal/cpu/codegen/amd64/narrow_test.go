package amd64_test

import (
	"bytes"
	"fmt"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// TestNarrowFloats rounds numbers to narrow floats, and converts them from and to their bits, for all upper halves:
// every exponent, midpoints and their neighbours, too large, infinite and NaN.
func TestNarrowFloats(t *testing.T) {
	const n = 1 << 16
	kernels := map[string]*kernel.Kernel{}
	add := func(name string, from, to dtype.Type, steps ...kernel.Instr) {
		k := &kernel.Kernel{Name: name, Dims: []int64{n},
			Params: []kernel.Param{{Type: from, Elems: n}, {Type: to, Elems: n}}}
		v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: from, At: &kernel.Access{Strides: []int64{1}}})
		for _, in := range steps {
			in.Args = [3]kernel.Value{v}
			v = k.Body.Add(in)
		}
		k.Stores = []kernel.Store{{At: kernel.Access{Param: 1, Strides: []int64{1}}, Value: v, Type: to}}
		kernels[name] = k
	}
	for _, short := range []dtype.Type{dtype.F8E3M4, dtype.F8E4M3, dtype.F8E4M3FN, dtype.F8E4M3FNUZ,
		dtype.F8E4M3B11FNUZ, dtype.F8E5M2, dtype.F8E5M2FNUZ, dtype.F16, dtype.BF16} {
		add(fmt.Sprintf("f32_%s", short), dtype.F32, dtype.F32,
			kernel.Instr{Op: kernel.Convert, Type: short, From: dtype.F32},
			kernel.Instr{Op: kernel.Convert, Type: dtype.F32, From: short})
		add(fmt.Sprintf("f32_stored_%s", short), dtype.F32, short,
			kernel.Instr{Op: kernel.Convert, Type: short, From: dtype.F32})
		words := []dtype.Type{dtype.U16, dtype.S16, dtype.BF16, dtype.F16}
		if short.Size() == 1 {
			words = []dtype.Type{dtype.U8, dtype.S8, dtype.F8E4M3FN, dtype.F8E5M2}
		}
		for _, word := range words {
			if word == short {
				continue
			}
			add(fmt.Sprintf("%s_%s", word, short), word, dtype.F32,
				kernel.Instr{Op: kernel.Bitcast, Type: short, From: word},
				kernel.Instr{Op: kernel.Convert, Type: dtype.F32, From: short})
			add(fmt.Sprintf("%s_%s", short, word), short, word,
				kernel.Instr{Op: kernel.Bitcast, Type: word, From: short})
		}
	}
	for name, k := range kernels {
		if err := k.Verify(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p := plan.Of(k)
		for _, w := range codetest.Widths(t) {
			code, s := compiled(t, w, k, p)
			if why := code.Describe().Why; why != "" {
				t.Errorf("%s, %s: compiled by the fallback tier: %s", name, w, why)
			}
			for _, low := range []uint32{0, 1, 0x7fff, 0x8000, 0x8001, 0xffff} {
				params := [][]byte{make([]byte, n*k.Params[0].Type.Size()), make([]byte, n*k.Params[1].Type.Size())}
				if k.Params[0].Type == dtype.F32 {
					for i, x := 0, unsafe.Slice((*uint32)(unsafe.Pointer(&params[0][0])), n); i < n; i++ {
						x[i] = uint32(i)<<16 | low
					}
				} else if k.Params[0].Type.Size() == 1 {
					for i := range params[0] {
						params[0][i] = byte(i)
					}
				} else {
					for i, x := 0, unsafe.Slice((*uint16)(unsafe.Pointer(&params[0][0])), n); i < n; i++ {
						x[i] = uint16(i)
					}
				}
				want := clone(params)
				if err := eval.Run(k, p, want, fused); err != nil {
					t.Fatal(err)
				}
				runAll(code, p, params, s)
				check(t, fmt.Sprintf("%s, %s, %#x", w, name, low), k, params, want, func() string { return "" })
			}
		}
	}
}

// TestMovesOfNarrowTypes transposes all bits of narrow floats, including signalling NaN: they do not change.
func TestMovesOfNarrowTypes(t *testing.T) {
	for _, typ := range []dtype.Type{dtype.F16, dtype.BF16, dtype.F8E4M3FN, dtype.F8E5M2, dtype.F8E8M0FNU,
		dtype.F8E3M4} {
		rows, columns := int64(256), int64(1)<<(8*typ.Size()-8)
		n := rows * columns
		k := &kernel.Kernel{Name: "move", Dims: []int64{columns, rows},
			Params: []kernel.Param{{Type: typ, Elems: n}, {Type: typ, Elems: n}}}
		v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &kernel.Access{Strides: []int64{1, columns}}})
		k.Stores = []kernel.Store{{At: kernel.Access{Param: 1, Strides: []int64{rows, 1}}, Value: v, Type: typ}}
		if err := k.Verify(); err != nil {
			t.Fatal(err)
		}
		in, want := make([]byte, n*int64(typ.Size())), make([]byte, n*int64(typ.Size()))
		for i := range int(n) {
			typ.StoreBits(in, i, uint64(i))
		}
		for i := range int(n) {
			typ.StoreBits(want, i, typ.LoadBits(in, i%int(rows)*int(columns)+i/int(rows)))
		}
		p := plan.Of(k)
		run := func(how string, code codegen.Code, s codegen.Scratch) {
			got := make([]byte, len(want))
			runAll(code, p, [][]byte{in, got}, s)
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %s: bits have changed", typ, how)
			}
		}
		for _, w := range codetest.Widths(t) {
			code, s := compiled(t, w, k, p)
			run(w.String(), code, s)
		}
		code, err := codegen.Compile(fallbackTier, k, p)
		if err != nil {
			t.Fatal(err)
		}
		run("portable", code, fallbackTier.NewScratch())
	}
}
