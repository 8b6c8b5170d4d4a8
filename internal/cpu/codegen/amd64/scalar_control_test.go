package amd64_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Buffers of the random programs of TestScalarControl: 32-bit numbers, the first of which are in the file, and arrays
// in memory.
const (
	controlNumbers = 8 // 64 bytes each: the first number is the counter of the outer loop
	controlTests   = 2 // booleans
	controlArrays  = 3 // 1,600 bytes each
	controlBufs    = controlNumbers + controlTests + controlArrays
)

// controlProgram adds a random program of windows, copies, kernels in tiles, branches and loops.
type controlProgram struct {
	*rand.Rand
	g codegen.Generator // of kernels in tiles
	c codegen.ScalarCompiler
}

func (p *controlProgram) number() int { return 1 + p.IntN(controlNumbers-1) }
func (p *controlProgram) array() int  { return controlNumbers + controlTests + p.IntN(controlArrays) }

func (p *controlProgram) all() error {
	const outer = controlNumbers
	for i := range controlBufs - controlArrays {
		p.c.Reserve(i, 64)
		p.c.Fill(codegen.Move{From: i, To: i, Bytes: 64})
	}
	err := p.c.Loop(outer, func() error { return p.c.Kernel(counterKernel(kernel.LT, 3), []int{0, outer}) },
		func() error {
			if err := p.block(6, 2); err != nil {
				return err
			}
			return p.c.Kernel(counterKernel(kernel.Add, 1), []int{0, 0})
		})
	for i := range controlNumbers {
		p.c.Spill(codegen.Move{From: i, To: i, Bytes: 64})
	}
	return err
}

func (p *controlProgram) block(n, depth int) error {
	for range n {
		if err := p.node(depth); err != nil {
			return err
		}
	}
	return nil
}

func (p *controlProgram) node(depth int) error {
	switch kind := p.IntN(10); {
	case kind == 9:
		return p.reduce()
	case kind < 1 && p.IntN(4) == 0:
		const array = controlNumbers + controlTests
		p.c.Window(codegen.Window{Array: array, Part: array + 1 + p.IntN(2), Bytes: 1 + p.IntN(1600), Elem: 1})
	case kind < 2:
		p.c.Window(p.window(p.IntN(2) == 0))
	case kind < 3:
		a, b := p.number(), p.number()
		bytes := int64(1 + p.IntN(64))
		p.c.Copy(codegen.Move{From: a, To: b, Bytes: bytes}, codegen.Move{From: b, To: a, Bytes: bytes})
	case kind < 4:
		return p.tiles()
	case kind < 5 && depth > 0:
		var blocks []func() error
		isBool := p.IntN(2) == 0
		for range 2 + p.IntN(2) {
			blocks = append(blocks, func() error { return p.block(2, depth-1) })
		}
		if isBool {
			return p.c.Branch(controlNumbers, true, blocks[:2])
		}
		return p.c.Branch(p.number(), false, blocks)
	case kind < 6 && depth > 0: // a loop that ends when the number has grown, or at once
		at := p.number()
		const test = controlNumbers + 1
		return p.c.Loop(test, func() error { return p.c.Kernel(counterKernel(kernel.LT, 4), []int{at, test}) },
			func() error {
				for range p.IntN(6) {
					if err := p.straight(at); err != nil {
						return err
					}
				}
				return p.c.Kernel(counterKernel(kernel.Add, 1), []int{at, at})
			})
	}
	return p.kernel(p.number())
}

// kernel adds a kernel that writes a number.
func (p *controlProgram) kernel(to int) error {
	if p.IntN(4) == 0 { // elements that are not finite bail out
		k := &kernel.Kernel{Name: "sine", Params: []kernel.Param{{Type: dtype.F32, Elems: 1},
			{Type: dtype.F32, Elems: 1}}}
		x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: &kernel.Access{}})
		y := k.Body.Add(kernel.Instr{Op: kernel.Sin, Type: dtype.F32, Args: [3]kernel.Value{x}})
		k.Stores = []kernel.Store{{Value: y, Type: dtype.F32, At: kernel.Access{Param: 1}}}
		return p.c.Kernel(k, []int{p.number(), to})
	}
	op := []kernel.Op{kernel.Add, kernel.Sub, kernel.Mul, kernel.Xor, kernel.And, kernel.Div, kernel.Rem}[p.IntN(7)]
	return p.c.Kernel(counterKernel(op, uint64(p.IntN(7))), []int{p.number(), to})
}

// straight adds a kernel, or simultaneous copies of two numbers, that does not write one number: the numbers are
// loop-carried.
func (p *controlProgram) straight(except int) error {
	a, b := p.number(), p.number()
	if a == except || b == except || p.IntN(3) > 0 {
		if a == except {
			a = except%(controlNumbers-1) + 1
		}
		return p.kernel(a)
	}
	bytes := int64([]int{4, 8, 4, 1 + p.IntN(64)}[p.IntN(4)])
	p.c.Copy(codegen.Move{From: a, To: b, Bytes: bytes}, codegen.Move{From: b, To: a, Bytes: bytes})
	return nil
}

// indexTypes are the index types of windows, some more frequent than others.
var indexTypes = []dtype.Type{dtype.S32, dtype.S32, dtype.S32, dtype.S64, dtype.S64, dtype.U32, dtype.U64, dtype.S8,
	dtype.U8, dtype.S16, dtype.U16}

// window returns a random window of an array.
func (p *controlProgram) window(store bool) codegen.Window {
	w := codegen.Window{Array: p.array(), Part: p.number(), Bytes: 4 * (1 + p.IntN(16)), Elem: 4, Store: store}
	switch p.IntN(6) {
	case 0:
		w.Bytes, w.Elem = 1+p.IntN(60), 1
	case 1:
		w.Bytes = 4 * (1 + p.IntN(4))
		w.Runs, w.ArrayStep, w.PartStep = 2+p.IntN(2), 4*p.IntN(10), 16
	}
	for range 1 + p.IntN(2) {
		w.Indices = append(w.Indices, codegen.WindowIndex{Buf: p.number(), Type: indexTypes[p.IntN(len(indexTypes))],
			Offset: 8 * p.IntN(8), Limit: p.IntN(60), Stride: 4 * (1 + p.IntN(3))})
	}
	w.Drop = store && p.IntN(3) == 0
	if store && w.Elem == 4 && w.Runs == 0 && p.IntN(3) == 0 { // updates elements instead of replacing them
		w.Bytes = 4 * (1 + p.IntN(6))
		w.By, w.Like = []rt.CombineOp{rt.CombineSum, rt.CombineProd, rt.CombineMax}[p.IntN(3)], int32(0)
		w.Combine = func(dst, src unsafe.Pointer, n int) {
			for i := range n {
				x := (*int32)(unsafe.Add(dst, 4*i))
				*x = codetest.Combined(w.By, *x, *(*int32)(unsafe.Add(src, 4*i)))
			}
		}
	}
	return w
}

// tiles adds a kernel that doubles numbers of an array, of a window, or at a looked-up offset.
func (p *controlProgram) tiles() error {
	n := int64(1 + p.IntN(16))
	k := &kernel.Kernel{Name: "double", Dims: []int64{n},
		Params: []kernel.Param{{Type: dtype.S32, Elems: n}, {Type: dtype.S32, Elems: n}}}
	bufs, windows, from := []int{p.number(), p.array()}, map[int]codegen.Window{}, &kernel.Access{Strides: []int64{1}}
	if p.IntN(3) == 0 {
		limit, stride := p.Int64N(60), 1+p.Int64N(3)
		t := []dtype.Type{dtype.S32, dtype.S64}[p.IntN(2)]
		at := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t,
			At: &kernel.Access{Param: 2, Offset: p.Int64N(8), Strides: []int64{0}}})
		from.Lookups = []kernel.Lookup{{Index: at, Limit: limit, Stride: stride}}
		k.Params[0].Elems += limit * stride
		k.Params = append(k.Params, kernel.Param{Type: t, Elems: 8})
		bufs = append(bufs, p.number())
		bufs[0] = p.array()
	}
	x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.S32, At: from})
	y := k.Body.Add(kernel.Instr{Op: kernel.Add, Type: dtype.S32, Args: [3]kernel.Value{x, x}})
	k.Stores = []kernel.Store{{Value: y, Type: dtype.S32, At: kernel.Access{Param: 1, Strides: []int64{1}}}}
	c, err := codegen.Compile(p.g, k, plan.Of(k))
	if err != nil {
		return err
	}
	if p.IntN(2) == 0 {
		w := p.window(false)
		w.Bytes, w.Elem, w.Runs = int(4*k.Params[0].Elems), 4, 0
		if windows[p.IntN(2)] = w; w.Bytes > 64 { // the memory after it is in bounds
			windows = map[int]codegen.Window{1: w}
		}
	}
	array := bufs[0]
	if w, ok := windows[0]; ok {
		array = w.Array
	}
	next := func(array int) int {
		return controlNumbers + controlTests + (array-controlNumbers-controlTests+1)%controlArrays
	}
	if w, ok := windows[1]; ok && w.Array == array { // operands must not be written
		w.Array = next(array)
		windows[1] = w
	} else if bufs[1] == array {
		bufs[1] = next(array)
	}
	p.c.Tiles(c, p.g.NewScratch, bufs, windows)
	return nil
}

// table adds a kernel that adds the numbers of a table with contiguous or strided rows, and a row or a column.
func (p *controlProgram) table() error {
	n, rows := int64(1+p.IntN(20)), int64(2+p.IntN(8))
	if p.IntN(2) == 0 {
		n, rows = n+128, 2 // longer ones are read in place
	}
	strides := [][]int64{{0, 1}, {1, 0}, {n, 1}, {n + 3, 1}, {1, rows}, {0, 0}}
	k := &kernel.Kernel{Name: "table", Dims: []int64{rows, n}}
	var x [3]kernel.Value
	for i := range 2 {
		at := kernel.Access{Param: i, Offset: p.Int64N(8), Strides: strides[p.IntN(len(strides))]}
		k.Params = append(k.Params, kernel.Param{Type: dtype.S32, Elems: 400})
		x[i] = k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.S32, At: &at})
	}
	if p.IntN(3) == 0 {
		x[0] = k.Body.Add(kernel.Instr{Op: kernel.Index, Type: dtype.S32,
			At: &kernel.Access{Param: -1, Offset: p.Int64N(8), Strides: strides[p.IntN(len(strides))]}})
	}
	y := k.Body.Add(kernel.Instr{Op: kernel.Add, Type: dtype.S32, Args: x})
	k.Params = append(k.Params, kernel.Param{Type: dtype.S32, Elems: 400})
	k.Stores = []kernel.Store{{Value: y, Type: dtype.S32,
		At: kernel.Access{Param: 2, Offset: p.Int64N(8), Strides: []int64{n + p.Int64N(2), 1}}}}
	c, err := codegen.Compile(p.g, k, plan.Of(k))
	if err != nil {
		return err
	}
	const array = controlNumbers + controlTests
	p.c.Tiles(c, p.g.NewScratch, []int{array, array + 1, array + 2}, nil)
	return nil
}

// reduceRows adds a kernel that reduces the rows, or the columns, of a table.
func (p *controlProgram) reduceRows() error {
	rows := int64(2 + p.IntN(11))
	n := int64(1 + p.IntN(int(380/rows)))
	strides := [][]int64{{n, 1}, {1, rows}}[p.IntN(2)]
	kind := []kernel.Op{kernel.Add, kernel.Mul, kernel.Max, kernel.Xor}[p.IntN(4)]
	k := &kernel.Kernel{Name: "reduce", Dims: []int64{rows, n}, NumReduced: 1, Params: []kernel.Param{
		{Type: dtype.S32, Elems: rows*n + 7}, {Type: dtype.S32, Elems: 3}, {Type: dtype.S32, Elems: rows + 3}}}
	x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.S32,
		At: &kernel.Access{Offset: p.Int64N(8), Strides: strides}})
	combine, result := kernel.ReduceBy(kind, dtype.S32)
	k.Reduces = []kernel.Reduction{{Values: []kernel.Value{x}, Types: []dtype.Type{dtype.S32},
		Inits:   []kernel.Access{{Param: 1, Offset: p.Int64N(3), Strides: []int64{0}}},
		Combine: combine, Results: []kernel.Value{result}, Kind: kind,
		At: []kernel.Access{{Param: 2, Offset: p.Int64N(4), Strides: []int64{1}}}}}
	c, err := codegen.Compile(p.g, k, plan.Of(k))
	if err != nil {
		return err
	}
	p.c.Tiles(c, p.g.NewScratch, []int{p.array(), p.number(), p.number()}, nil)
	return nil
}

// reduce adds a kernel that reduces numbers of an array, or of a window, to one.
func (p *controlProgram) reduce() error {
	switch p.IntN(4) {
	case 0:
		return p.table()
	case 1:
		return p.reduceRows()
	}
	n := int64(1 + p.IntN(300)) // also more than are inlined
	t, kinds := dtype.S32, []kernel.Op{kernel.Add, kernel.Mul, kernel.Max, kernel.Min, kernel.And, kernel.Or,
		kernel.Xor}
	if p.IntN(3) == 0 {
		t, kinds = dtype.F32, kinds[2:4]
	}
	init, offset := p.number(), p.Int64N(8)
	k := &kernel.Kernel{Name: "reduce", Dims: []int64{n}, NumReduced: 1,
		Params: []kernel.Param{{Type: dtype.S32, Elems: n + 7}, {Type: t, Elems: 3}, {Type: t, Elems: 2}}}
	x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.S32,
		At: &kernel.Access{Offset: offset, Strides: []int64{1}}})
	if t == dtype.F32 { // results must not be NaN, whose bits may differ, or large negative loop counts
		init = controlNumbers + 1
		mask := k.Body.Add(kernel.Instr{Op: kernel.Const, Type: dtype.S32, Bits: [2]uint64{31}})
		x = k.Body.Add(kernel.Instr{Op: kernel.And, Type: dtype.S32, Args: [3]kernel.Value{x, mask}})
		x = k.Body.Add(kernel.Instr{Op: kernel.Convert, Type: t, From: dtype.S32, Args: [3]kernel.Value{x}})
	}
	kind := kinds[p.IntN(len(kinds))]
	combine, result := kernel.ReduceBy(kind, t)
	k.Reduces = []kernel.Reduction{{Values: []kernel.Value{x}, Types: []dtype.Type{t},
		Inits:   []kernel.Access{{Param: 1, Offset: p.Int64N(3)}},
		Combine: combine, Results: []kernel.Value{result}, Kind: kind,
		At: []kernel.Access{{Param: 2, Offset: p.Int64N(2)}}}}
	c, err := codegen.Compile(p.g, k, plan.Of(k))
	if err != nil {
		return err
	}
	windows := map[int]codegen.Window{}
	if n < 200 && p.IntN(2) == 0 { // the memory after the window is in bounds
		w := p.window(false)
		w.Bytes, w.Elem, w.Runs = int(4*(n+7)), 4, 0
		windows[0] = w
	}
	p.c.Tiles(c, p.g.NewScratch, []int{p.array(), init, p.number()}, windows)
	return nil
}

// TestScalarControl compares random programs of scalar code with those of plain Go.
func TestScalarControl(t *testing.T) {
	numCompiled := 0
	for seed := range uint64(200) {
		mem := make([][]byte, controlBufs)
		for i := range mem {
			mem[i] = make([]byte, 64)
			if i >= controlNumbers+controlTests {
				mem[i] = make([]byte, 1600)
			}
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			for j := range len(mem[i]) / 4 {
				dtype.S32.StoreInt(mem[i], j, r.Int64N(30)-5)
			}
		}
		clear(mem[0])
		clear(mem[controlNumbers+1])
		program := func(g, ofTiles codegen.Generator) codegen.ScalarCompiler {
			p := &controlProgram{rand.New(rand.NewPCG(seed, 99)), ofTiles, g.NewScalarCompiler()}
			if err := p.all(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return p.c
		}
		want := run(t, program(fallbackTier, fallbackTier), mem)
		for _, w := range []target.Width{target.V256, target.V512} {
			g := amd64.Generator{Generator: fallbackTier, Width: w}
			compare := func(how string, got [][]byte) {
				for i := range got {
					if i != controlNumbers && i != controlNumbers+1 && !bytes.Equal(got[i], want[i]) {
						t.Fatalf("seed %d, %s %s: buffer %d: % x, want % x", seed, how, w, i, got[i], want[i])
					}
				}
			}
			of, err := g.NewSession()
			if err != nil {
				t.Fatal(err)
			}
			runs := w.CanRun() == nil
			ofTiles := codegen.Generator(of)
			if !runs { // code that is not inlined must run
				ofTiles = fallbackTier
			}
			compiled := program(of, ofTiles)
			if err := of.Seal(); err != nil {
				t.Fatal(err)
			}
			emulated := clone(mem)
			var failed error
			code, err := amd64.EmulatedScalar(compiled, func(code, file []byte) error {
				failed = emulateScalar(code, file, emulated)
				return failed
			})
			if errors.Is(err, target.ErrUnsupported) {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			numCompiled++
			runScalar(code, emulated)
			if failed != nil {
				t.Fatalf("seed %d: %v", seed, failed)
			}
			compare("emulated", emulated)
			if !runs {
				continue
			}
			of, err = g.NewSession()
			if err != nil {
				t.Fatal(err)
			}
			c := program(of, of)
			if code, err = c.Done(); err == nil {
				err = of.Seal()
			}
			if err != nil {
				t.Fatal(err)
			}
			ran := clone(mem)
			runScalar(code, ran)
			compare("run", ran)
		}
	}
	t.Logf("%d programs", numCompiled)
	if numCompiled < 250 {
		t.Errorf("%d programs of 400 are machine code", numCompiled)
	}
}

func run(t *testing.T, c codegen.ScalarCompiler, mem [][]byte) [][]byte {
	t.Helper()
	code, err := c.Done()
	if err != nil {
		t.Fatal(err)
	}
	out := clone(mem)
	runScalar(code, out)
	return out
}

// TestScalarCancel: an endless loop ends soon after it is cancelled, also a nested one.
func TestScalarCancel(t *testing.T) {
	for _, w := range codetest.Widths(t) {
		for _, inner := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %v", w, inner), func(t *testing.T) {
				g, err := amd64.Generator{Generator: fallbackTier, Width: w}.NewSession()
				if err != nil {
					t.Fatal(err)
				}
				c := g.NewScalarCompiler()
				for i := range 2 {
					c.Reserve(i, 8)
				}
				always := func() error { return c.Kernel(counterKernel(kernel.NE, 7), []int{0, 1}) }
				count := func() error { return c.Kernel(counterKernel(kernel.Add, 2), []int{0, 0}) }
				body := count
				if inner {
					body = func() error { return c.Loop(1, always, count) }
				}
				if err := c.Loop(1, always, body); err != nil {
					t.Fatal(err)
				}
				code, err := c.Done()
				if err == nil {
					err = g.Seal()
				}
				if err != nil {
					t.Fatal(err)
				}
				var cancel atomic.Bool
				time.AfterFunc(time.Millisecond, func() { cancel.Store(true) })
				mem := make([]byte, 16)
				code.NewFile([]unsafe.Pointer{unsafe.Pointer(&mem[0]), unsafe.Pointer(&mem[8])}).Run(&cancel)
			})
		}
	}
}

// TestScalarSwap: two numbers that a loop reads and swaps are carried in each other's registers.
func TestScalarSwap(t *testing.T) {
	program := func(g codegen.Generator) codegen.ScalarCompiler {
		const count, a, b, test = 0, 1, 2, 5
		c := g.NewScalarCompiler()
		for i := range test + 1 {
			c.Reserve(i, 4)
			c.Fill(codegen.Move{From: i, To: i, Bytes: 4})
		}
		below := func() error { return c.Kernel(counterKernel(kernel.LT, 5), []int{count, test}) }
		if err := c.Loop(test, below, func() error {
			for i := range 2 {
				if err := c.Kernel(counterKernel(kernel.Mul, 3), []int{a + i, 3 + i}); err != nil {
					return err
				}
			}
			c.Copy(codegen.Move{From: a, To: b, Bytes: 4}, codegen.Move{From: b, To: a, Bytes: 4})
			return c.Kernel(counterKernel(kernel.Add, 1), []int{count, count})
		}); err != nil {
			t.Fatal(err)
		}
		for i := range test {
			c.Spill(codegen.Move{From: i, To: i, Bytes: 4})
		}
		return c
	}
	mem := [][]byte{{0, 0, 0, 0}, {3, 0, 0, 0}, {7, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}
	want := run(t, program(fallbackTier), mem)
	for _, w := range codetest.Widths(t) {
		g, err := amd64.Generator{Generator: fallbackTier, Width: w}.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		code, err := program(g).Done()
		if err == nil {
			err = g.Seal()
		}
		if err != nil {
			t.Fatal(err)
		}
		got := clone(mem)
		runScalar(code, got)
		for i := range got[:5] {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("%s: buffer %d: % x, want % x", w, i, got[i], want[i])
			}
		}
	}
}
