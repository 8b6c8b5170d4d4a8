package portable

import (
	"bytes"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// TestScalarOps compares scalar code with the oracle of kernels, for every operation and type, with operands in memory
// and in registers.
func TestScalarOps(t *testing.T) {
	count := 0
	for op := range kernel.Ops() {
		for _, c := range instances(op) {
			if op.NumArgs() == 0 {
				continue
			}
			k := scalarKernel(c)
			if k.Verify() != nil {
				continue // is not defined
			}
			if _, err := (Generator{}).compile(k, plan.Of(k)); err != nil { // tiles have no loop for it either
				if err := (Generator{}).NewScalarCompiler().Kernel(k, []int{0, 1, 2, 3}); err == nil {
					t.Errorf("compiled\n%s", k)
				}
				continue
			}
			count++
			for i := range 60 {
				if !agrees(t, k, c.args, i) {
					t.Errorf("of\n%s", k)
					break
				}
			}
		}
	}
	if count < 500 {
		t.Errorf("%d instances", count)
	}
}

// scalarKernel returns a kernel of one point that stores the result of an instruction on the elements of its
// parameters.
func scalarKernel(c instance) *kernel.Kernel {
	k := &kernel.Kernel{Name: "scalar"}
	narrow := c.in.Op.DependsOnWidth() && kernel.NeedsRound(c.in.Type)
	for i, arg := range c.args {
		if narrow {
			arg = c.in.Type
		}
		k.Params = append(k.Params, kernel.Param{Type: arg, Elems: 1})
		k.Body.Add(kernel.Instr{Op: kernel.Load, Type: arg, At: &kernel.Access{Param: i}})
	}
	v := k.Body.Add(c.in)
	if narrow {
		v = k.Body.Add(kernel.Instr{Op: kernel.Round, Type: c.in.Type, Args: [3]kernel.Value{v}})
	}
	k.Params = append(k.Params, kernel.Param{Type: c.in.Type, Elems: 1})
	k.Stores = []kernel.Store{{Value: v, Type: c.in.Type, At: kernel.Access{Param: len(c.args)}}}
	return k
}

// agrees compares the results of the kernel for one choice of operands.
func agrees(t *testing.T, k *kernel.Kernel, args []dtype.Type, choice int) bool {
	t.Helper()
	params := make([][]byte, len(k.Params))
	for i, p := range k.Params {
		params[i] = make([]byte, 16)[:p.Type.Size()]
		if i < len(args) {
			n := len(specialNumbers)
			setNumber(p.Type, params[i], specialNumbers[(choice*(i*7+1)+choice/n*i)%n])
		}
	}
	last := len(params) - 1
	want := make([]byte, len(params[last]))
	pl := plan.Of(k)
	if err := eval.Run(k, pl, append(slices.Clone(params[:last]), want), eval.Options{}); err != nil {
		_, refused := runScalar(k, params, "memory")
		if refused == nil {
			t.Errorf("the oracle returns an error: %v", err)
		}
		return refused != nil
	}
	for _, mode := range []string{"memory", "file", "in place", "constant"} {
		if mode == "in place" && (len(args) == 0 || args[0] != k.Params[last].Type) {
			continue
		}
		got, err := runScalar(k, params, mode)
		if err != nil {
			t.Errorf("%s: %v", mode, err)
			return false
		}
		if !bytes.Equal(got, want) && !sameNaNs(k.Params[last].Type, got, want) {
			t.Errorf("%s: % x, want % x from % x", mode, got, want, params[:last])
			return false
		}
	}
	return true
}

func runScalar(k *kernel.Kernel, params [][]byte, mode string) ([]byte, error) {
	last := len(params) - 1
	if mode == "constant" { // the last operand
		one := *k
		one.Body.Instrs = slices.Clone(k.Body.Instrs)
		c := kernel.Instr{Op: kernel.Const, Type: k.Body.Instrs[last-1].Type}
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&c.Bits)), 16), params[last-1])
		one.Body.Instrs[last-1] = c
		k = &one
	}
	s := Generator{}.NewScalarCompiler()
	bufs, numbers := make([]unsafe.Pointer, len(params)), make([]int, len(params))
	out := slices.Clone(params[last])
	for i := range params {
		bufs[i], numbers[i] = unsafe.Pointer(&params[i][0]), i
	}
	bufs[last] = unsafe.Pointer(&out[0])
	if mode != "memory" && mode != "constant" {
		for i := range params {
			s.Reserve(i, int64(len(params[i])))
			s.Fill(move(i, i, int64(len(params[i]))))
		}
	}
	if mode == "in place" {
		numbers[last] = 0
	}
	if err := s.Kernel(k, numbers); err != nil {
		return nil, err
	}
	if mode != "memory" && mode != "constant" {
		s.Spill(move(numbers[last], last, int64(len(out))))
	}
	code, err := s.Done()
	if err != nil {
		return nil, err
	}
	code.NewFile(bufs).Run(nil)
	return out, nil
}

var specialNumbers = []float64{0, 1, -1, 2, 3, 7, -3, 0.5, -2.75, 31, 32, 33, 63, 64, 127, -128, 255, 1e9, -1e9,
	math.MaxInt32, math.MinInt32,
	math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1e-40, 6e-8, 65504, 3e38, 1e300,
	1 << 40, 1 << 62, -(1 << 62)}

func setNumber(t dtype.Type, mem []byte, x float64) {
	switch {
	case t == dtype.Bool:
		if x > 0 {
			mem[0] = 1
		}
	case t.IsComplex():
		t.StoreComplex(mem, 0, complex(x, 1-x))
	case t.IsFloat():
		t.StoreFloat(mem, 0, x)
	default:
		if t.Bits() < 8 {
			x = math.Mod(x, 2)
		}
		if x != x || math.Abs(x) > 1<<62 {
			x = 5
		}
		t.StoreInt(mem, 0, int64(x))
	}
}

func sameNaNs(t dtype.Type, a, b []byte) bool {
	if !t.IsFloat() && !t.IsComplex() {
		return false
	}
	r := t.Real()
	for i := range len(a) / r.Size() {
		x, y := r.LoadFloat(a, i), r.LoadFloat(b, i)
		if r.LoadBits(a, i) != r.LoadBits(b, i) && (x == x || y == y) {
			return false
		}
	}
	return true
}

// TestScalarControl runs loops and branches over reserved buffers, with copies that exchange two of them.
func TestScalarControl(t *testing.T) {
	s32 := kernel.Param{Type: dtype.S32, Elems: 1}
	binary := func(op kernel.Op, by uint64) *kernel.Kernel {
		k := &kernel.Kernel{Name: op.String(), Params: []kernel.Param{s32, s32}}
		x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.S32, At: &kernel.Access{}})
		c := k.Body.Add(kernel.Instr{Op: kernel.Const, Type: dtype.S32, Bits: [2]uint64{by}})
		in := kernel.Instr{Op: op, Type: dtype.S32, Args: [3]kernel.Value{x, c}}
		if op.IsCompare() {
			in.Type, in.From = dtype.Bool, dtype.S32
			k.Params[1].Type = dtype.Bool
		}
		k.Stores = []kernel.Store{{Value: k.Body.Add(in), Type: in.Type, At: kernel.Access{Param: 1}}}
		return k
	}
	const i, a, b, test, odd = 0, 1, 2, 3, 4
	s := Generator{}.NewScalarCompiler()
	for buf := range 5 {
		s.Reserve(buf, 4)
	}
	s.Fill(move(i, i, 4), move(a, a, 4), move(b, b, 4))
	err := s.Loop(test, func() error { return s.Kernel(binary(kernel.LT, 5), []int{i, test}) }, func() error {
		if err := s.Kernel(binary(kernel.And, 1), []int{i, odd}); err != nil {
			return err
		}
		if err := s.Branch(odd, false, []func() error{
			func() error { return s.Kernel(binary(kernel.Add, 10), []int{a, a}) },
			func() error { s.Copy(move(a, b, 4), move(b, a, 4)); return nil },
		}); err != nil {
			return err
		}
		return s.Kernel(binary(kernel.Add, 1), []int{i, i})
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Spill(move(a, a, 4), move(b, b, 4))
	mem := []int32{0, 1, 2, 0, 0}
	bufs := make([]unsafe.Pointer, len(mem))
	for n := range mem {
		bufs[n] = unsafe.Pointer(&mem[n])
	}
	code, err := s.Done()
	if err != nil {
		t.Fatal(err)
	}
	cancel := new(atomic.Bool)
	f := code.NewFile(bufs)
	f.Run(nil)
	if mem[a] != 21 || mem[b] != 12 { // (11, 2) (2, 11) (12, 11) (11, 12) (21, 12)
		t.Errorf("a = %d, b = %d", mem[a], mem[b])
	}
	mem[i] = math.MinInt32
	cancel.Store(true)
	f.Run(cancel) // ends at once
}

func move(from, to int, sizeBytes int64) codegen.Move {
	return codegen.Move{From: from, To: to, Bytes: sizeBytes}
}

// TestScalarKnownElements checks that a memory element stored from a reserved buffer, or computed from one, keeps its
// value when the buffer is overwritten.
func TestScalarKnownElements(t *testing.T) {
	unary := func(op kernel.Op, results int) *kernel.Kernel { // stores op of its operand, or the operand, results times
		k := &kernel.Kernel{Name: "k", Params: slices.Repeat([]kernel.Param{{Type: dtype.F32, Elems: 1}}, 1+results)}
		v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: &kernel.Access{}})
		if op != kernel.Load {
			v = k.Body.Add(kernel.Instr{Op: op, Type: dtype.F32, Args: [3]kernel.Value{v}})
		}
		for i := range results {
			k.Stores = append(k.Stores, kernel.Store{Value: v, Type: dtype.F32, At: kernel.Access{Param: 1 + i}})
		}
		return k
	}
	const reserved, memory, out = 0, 1, 2
	for name, first := range map[string]struct {
		k    *kernel.Kernel
		bufs []int
		want float32
	}{
		"copied":   {unary(kernel.Load, 1), []int{reserved, memory}, 3},
		"computed": {unary(kernel.Neg, 2), []int{reserved, reserved, memory}, -3},
	} {
		t.Run(name, func(t *testing.T) {
			s := Generator{}.NewScalarCompiler()
			s.Reserve(reserved, 4)
			s.Fill(move(reserved, reserved, 4))
			for _, step := range []struct {
				k    *kernel.Kernel
				bufs []int
			}{
				{first.k, first.bufs},
				{unary(kernel.Sqrt, 1), []int{reserved, reserved}},
				{unary(kernel.Load, 1), []int{memory, out}},
			} {
				if err := s.Kernel(step.k, step.bufs); err != nil {
					t.Fatal(err)
				}
			}
			code, err := s.Done()
			if err != nil {
				t.Fatal(err)
			}
			mem := []float32{3, 0, 0}
			code.NewFile([]unsafe.Pointer{unsafe.Pointer(&mem[0]), unsafe.Pointer(&mem[1]),
				unsafe.Pointer(&mem[2])}).Run(nil)
			if mem[out] != first.want {
				t.Errorf("memory holds %v, want %v", mem[out], first.want)
			}
		})
	}
}
