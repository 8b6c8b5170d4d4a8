package portable

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/functions"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// allRegisters lists the register types.
var allRegisters = append(slices.Clone(registers), dtype.C64, dtype.C128)

var narrowTypes = []dtype.Type{dtype.S2, dtype.S4, dtype.U2, dtype.U4, dtype.F16, dtype.BF16, dtype.F8E4M3FN,
	dtype.F8E5M2, dtype.F4E2M1FN}

// instance is an instruction as it may appear in a kernel, with the register types of its operands. Not all instances
// are defined.
type instance struct {
	in   kernel.Instr
	args []dtype.Type
}

func (c *instance) String() string {
	return c.in.String()
}

// instances returns an operation with operands of every type.
func instances(op kernel.Op) []instance {
	var out []instance
	add := func(in kernel.Instr, args ...dtype.Type) {
		in.Op, in.Args = op, [3]kernel.Value{0, 1, 2}
		out = append(out, instance{in: in, args: args})
	}
	same := func(in kernel.Instr) { add(in, slices.Repeat([]dtype.Type{in.Type}, op.NumArgs())...) }
	names := func(names ...string) {
		for _, name := range names {
			for _, t := range allRegisters {
				same(kernel.Instr{Type: t, Func: name})
			}
		}
	}
	switch op {
	case kernel.Convert, kernel.Bitcast:
		for _, from := range allRegisters {
			for _, to := range allRegisters {
				if op == kernel.Convert || from.Size() == to.Size() {
					add(kernel.Instr{Type: to, From: from}, from)
				}
			}
			for _, to := range narrowTypes {
				if op == kernel.Convert && to.IsFloat() && !from.IsComplex() {
					add(kernel.Instr{Type: to, From: from}, from)
				}
				if op == kernel.Bitcast && to.Bits() == from.Bits() {
					add(kernel.Instr{Type: to, From: from}, from)
					add(kernel.Instr{Type: from, From: to}, kernel.Register(to))
				}
			}
		}
		for _, from := range narrowTypes {
			for _, to := range narrowTypes {
				if op == kernel.Bitcast && from.Bits() == to.Bits() {
					add(kernel.Instr{Type: to, From: from}, kernel.Register(from))
				}
			}
		}
	case kernel.Round:
		for _, t := range narrowTypes {
			add(kernel.Instr{Type: t}, kernel.Register(t))
		}
	case kernel.ReducePrecision:
		for _, t := range append(slices.Clone(narrowTypes), dtype.F32, dtype.F64) {
			if t.IsFloat() {
				add(kernel.Instr{Type: t, ExponentBits: 3, MantissaBits: 2}, kernel.Register(t))
			}
		}
	case kernel.NextAfter:
		for _, t := range append(slices.Clone(narrowTypes), dtype.F32, dtype.F64) {
			if r := kernel.Register(t); t.IsFloat() {
				add(kernel.Instr{Type: t}, r, r)
			}
		}
	case kernel.Select:
		for _, t := range allRegisters {
			add(kernel.Instr{Type: t}, dtype.Bool, t, t)
		}
	case kernel.Real, kernel.Imag:
		for _, t := range []dtype.Type{dtype.F32, dtype.F64} {
			add(kernel.Instr{Type: t, From: t.Complex()}, t.Complex())
		}
	case kernel.Complex:
		for _, t := range []dtype.Type{dtype.F32, dtype.F64} {
			add(kernel.Instr{Type: t.Complex(), From: t}, t, t)
		}
	case kernel.Call:
		names(functions.Names(op)...)
	case kernel.Call2:
		names(functions.Names(op)...)
	default:
		for _, t := range allRegisters {
			switch {
			case op.IsCompare():
				add(kernel.Instr{Type: dtype.Bool, From: t}, slices.Repeat([]dtype.Type{t}, op.NumArgs())...)
				continue
			case op == kernel.Abs && t.IsComplex():
				add(kernel.Instr{Type: t.Real(), From: t}, t)
				continue
			case op.DependsOnWidth() && t == dtype.S8:
				add(kernel.Instr{Type: dtype.S4}, slices.Repeat([]dtype.Type{t}, op.NumArgs())...)
			case op.DependsOnWidth() && t == dtype.U8:
				add(kernel.Instr{Type: dtype.U4}, slices.Repeat([]dtype.Type{t}, op.NumArgs())...)
			}
			same(kernel.Instr{Type: t})
		}
	}
	return out
}

// compile compiles the instruction to fill register 0 from registers 1, 2 and 3.
func (i *instance) compile(uniform [3]bool, dst bool) (*Code, step, error) {
	c := &compiler{Code: &Code{Plan: &plan.Plan{}}}
	refs := make([]ref, 3)
	c.newPointer()
	for k := range refs {
		refs[k] = ref{c.newPointer(), uniform[k]}
	}
	s, err := c.instr(&i.in, ref{0, dst}, refs, -1)
	return c.Code, s, err
}

// TestInstructions runs every instruction on operands of every type and form, in memory with guard pages: with separate
// registers, with one register for two operands, and with the result in the register of each operand that regClass
// allows. All give the same bits.
func TestInstructions(t *testing.T) {
	var memory [4]*guard.Region
	for i := range memory {
		memory[i] = guard.NewRegion(t, 4096)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for op := kernel.Const; op.String() != kernel.Invalid.String(); op++ {
		if op.NumArgs() == 0 { // they have no operands to overwrite
			continue
		}
		t.Run(op.String(), func(t *testing.T) {
			if op == kernel.FMA {
				t.Skip("kernels cannot have it, and this tier does not compile it")
			}
			if !checkInstances(t, memory, r, instances(op)) {
				t.Error("it is defined for no type")
			}
		})
	}
}

func checkInstances(t *testing.T, memory [4]*guard.Region, r *rand.Rand, list []instance) (anyDefined bool) {
	for _, c := range list {
		for _, n := range []int{1, 5, 71} {
			anyDefined = checkInstance(t, memory, r, c, n) || anyDefined
		}
	}
	return anyDefined
}

func checkInstance(t *testing.T, memory [4]*guard.Region, r *rand.Rand, c instance, n int) (hasMeaning bool) {
	k := len(c.args)
	var data [3][]byte
	for i, a := range c.args {
		data[i] = operand(r, a, n)
	}
	for mask := range 1 << k {
		var uniform [3]bool
		for i := range k {
			uniform[i] = mask>>i&1 == 1
		}
		all := mask == 1<<k-1
		code, s, err := c.compile(uniform, all)
		if err != nil { // the op is not defined for this type
			return false
		}
		out := n
		if all {
			out = 1
		}
		size := c.in.Register().Size()
		// shared[i] is the register of operand i; 0 is the result's.
		run := func(shared [3]int, data [3][]byte, e guard.Edge) []byte {
			var scratch Scratch
			m := scratch.prepare(code, nil)
			m.regs[0] = unsafe.Pointer(unsafe.SliceData(memory[0].Bytes(out*size, e)))
			for i := range k {
				if reg := shared[i]; reg == i+1 {
					b := data[i]
					if uniform[i] {
						b = b[:c.args[i].Size()]
					}
					m.regs[reg] = unsafe.Pointer(unsafe.SliceData(guard.Copy(memory[reg], b, e)))
				} else {
					m.regs[i+1] = m.regs[reg]
				}
				if shared[i] == 0 {
					copy(unsafe.Slice((*byte)(m.regs[0]), out*size), data[i])
				}
			}
			what := fmt.Sprintf("%s, %d elements, uniform %03b, in registers %v, %s", &c, n, mask, shared[:k], e)
			if err := guard.Run(func() { s(m, n) }); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if err := memory[0].Check(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			return slices.Clone(unsafe.Slice((*byte)(m.regs[0]), out*size))
		}
		for _, e := range guard.Edges {
			separate := [3]int{1, 2, 3}
			want := run(separate, data, e)
			for i := range k {
				at, in := separate, data
				if c.args[i].Size() == size && uniform[i] == all {
					at[i] = 0
					if got := run(at, in, e); !guard.Same(got, want) {
						t.Fatalf("%s, %d elements, uniform %03b: in place of operand %d, the result is %x, want %x",
							&c, n, mask, i, got, want)
					}
				}
				for j := range i {
					if c.args[i] != c.args[j] || uniform[i] != uniform[j] {
						continue
					}
					at, in := separate, data
					at[i], in[i] = j+1, in[j]
					want := run(separate, in, e)
					if got := run(at, in, e); !guard.Same(got, want) {
						t.Fatalf(
							"%s, %d elements, uniform %03b: with operands %d and %d in one register, the result is %x, want %x",
							&c, n, mask, j, i, got, want)
					}
					if c.args[i].Size() == size && uniform[i] == all {
						at[i], at[j] = 0, 0
						if got := run(at, in, e); !guard.Same(got, want) {
							t.Fatalf(
								"%s, %d elements, uniform %03b: in place of operands %d and %d, the result is %x, want %x",
								&c, n, mask, j, i, got, want)
						}
					}
				}
			}
		}
	}
	return true
}

// A varying result never shares the register of an invariant operand.
func TestUniformOperandKeepsItsRegister(t *testing.T) {
	const rows, cols = 3, 200
	for _, typ := range []dtype.Type{dtype.F32, dtype.F64} {
		for _, first := range []bool{true, false} {
			k := &kernel.Kernel{Name: "powers", Dims: []int64{rows, cols}}
			x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ,
				At: &kernel.Access{Param: 0, Strides: []int64{cols, 1}}})
			i := k.Body.Add(kernel.Instr{Op: kernel.Index, Type: typ, At: &kernel.Access{Strides: []int64{1, 0}}})
			args := [3]kernel.Value{x, i}
			if first {
				args = [3]kernel.Value{i, x}
			}
			p := k.Body.Add(kernel.Instr{Op: kernel.Pow, Type: typ, Args: args})
			n := k.Body.Add(kernel.Instr{Op: kernel.Neg, Type: typ, Args: [3]kernel.Value{p}})
			k.Stores = []kernel.Store{{Value: n, Type: typ, At: kernel.Access{Param: 1, Strides: []int64{cols, 1}}}}
			c, err := Generator{}.compile(k, plan.Of(k))
			if err != nil {
				t.Fatal(err)
			}
			in, out := make([]byte, rows*cols*typ.Size()), make([]byte, rows*cols*typ.Size())
			for j := range rows * cols {
				typ.StoreFloat(in, j, 2)
			}
			params := []unsafe.Pointer{unsafe.Pointer(&in[0]), unsafe.Pointer(&out[0])}
			for j := range c.NumChunks() {
				c.RunChunk(j, params, nil, nil, &Scratch{})
			}
			for j := range rows * cols {
				row := float64(j / cols)
				want := -[]float64{1, 2, 4}[j/cols]
				if first {
					want = -row * row
				}
				if got := typ.LoadFloat(out, j); got != want {
					t.Fatalf("%s, index first %v: element %d is %v, want %v", typ, first, j, got, want)
				}
			}
		}
	}
}
