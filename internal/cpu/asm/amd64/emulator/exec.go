package emulator

import (
	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
)

// exec is an instruction being executed.
type exec struct {
	m  *Machine
	in *amd64.Inst
	vl int // vector length in bytes
	softfloat.Environment
}

// vec is the contents of a vector register.
type vec [64]byte

func (v *vec) get(i, w int) uint64    { return memory.Load(v[i*w:], w) }
func (v *vec) put(i, w int, x uint64) { memory.Store(v[i*w:], w, x) }

// vectorBytes returns the vector length of an instruction: that of its longest register or memory.
func vectorBytes(in *amd64.Inst) int {
	n := 0
	for i := range in.Args {
		switch a := &in.Args[i]; {
		case a.Kind == amd64.RegArg && isVector(a.Reg):
			n = max(n, a.Reg.Class().Bytes())
		case a.Kind == amd64.MemArg:
			n = max(n, int(a.Bytes))
		}
	}
	return n
}

func isVector(r amd64.Reg) bool { c := r.Class(); return c >= amd64.XMM && c <= amd64.ZMM }

// setRounding sets the rounding and flushing of the instruction.
func (x *exec) setRounding() {
	x.Environment = softfloat.Environment{
		Mode: softfloat.Rounding(x.m.MXCSR >> 13 & 3), DAZ: x.m.MXCSR&DAZ != 0, FTZ: x.m.MXCSR&FTZ != 0,
	}
	if r := x.in.Round; r >= amd64.ToNearest && r <= amd64.ToZero {
		x.Mode = softfloat.Rounding(r - amd64.ToNearest)
	}
}

// imm returns the immediate, the last operand.
func (x *exec) imm() uint64 { return uint64(x.in.Args[x.in.NumArgs()-1].Val) }

// isActive reports whether element i of the result is computed.
func (x *exec) isActive(i int) bool {
	return x.in.Mask == 0 || x.m.K[x.in.Mask.Num()]>>i&1 != 0
}

// address returns the address of a memory operand without its vector index.
func (x *exec) address(a *amd64.Arg) uint64 {
	at := uint64(a.Val)
	switch {
	case a.Reg == amd64.RIP:
		at += x.m.ip
	case a.Reg != 0:
		at += x.m.GP[a.Reg.Num()]
	}
	if a.Index.Class() == amd64.R64 {
		at += x.m.GP[a.Index.Num()] * uint64(a.Scale)
	}
	return at
}

// vector returns all of operand i; memory is read entirely, or broadcast.
func (x *exec) vector(i int) (vec, error) { return x.read(i, 0, 0) }

// vectors returns all of operands i and i+1.
func (x *exec) vectors(i int) (a, b vec, err error) {
	if a, err = x.vector(i); err == nil {
		b, err = x.vector(i + 1)
	}
	return a, b, err
}

// scalars returns all of operand 1 and the first element of operand 2, of width w.
func (x *exec) scalars(w int) (a, b vec, err error) {
	if a, err = x.vector(1); err == nil {
		b, err = x.read(2, w, 1)
	}
	return a, b, err
}

// read returns operand i. If w is not 0, it only reads the active elements of memory of that width, of n elements, as
// elementwise instructions do.
func (x *exec) read(i, w, n int) (vec, error) {
	var v vec
	a := &x.in.Args[i]
	if a.Kind == amd64.RegArg {
		if isVector(a.Reg) {
			v = x.m.V[a.Reg.Num()]
			clear(v[a.Reg.Class().Bytes():])
		}
		return v, nil
	}
	at := x.address(a)
	if a.Elem != 0 {
		e := int(a.Elem)
		if w != 0 && !x.anyActive(n) {
			return v, nil
		}
		b, err := x.m.Bytes(at, e, false)
		if err != nil {
			return v, err
		}
		for j := 0; j < int(a.Bytes)/e; j++ {
			copy(v[j*e:], b)
		}
		return v, nil
	}
	if w == 0 || x.in.Mask == 0 {
		b, err := x.m.Bytes(at, int(a.Bytes), false)
		copy(v[:], b)
		return v, err
	}
	for j := range n {
		if !x.isActive(j) {
			continue
		}
		b, err := x.m.Bytes(at+uint64(j*w), w, false)
		if err != nil {
			return v, err
		}
		copy(v[j*w:], b)
	}
	return v, nil
}

func (x *exec) anyActive(n int) bool {
	for i := range n {
		if x.isActive(i) {
			return true
		}
	}
	return false
}

// write writes the first n elements of width w to operand 0: the active ones. In a register the others become 0 or are
// unchanged, and the bits after them become 0.
func (x *exec) write(v *vec, w, n int) error {
	a := &x.in.Args[0]
	if a.Kind == amd64.MemArg {
		at := x.address(a)
		if x.in.Mask == 0 {
			b, err := x.m.Bytes(at, n*w, true)
			copy(b, v[:n*w])
			return err
		}
		for i := range n {
			if !x.isActive(i) {
				continue
			}
			if err := x.m.Store(at+uint64(i*w), w, v.get(i, w)); err != nil {
				return err
			}
		}
		return nil
	}
	d := (*vec)(&x.m.V[a.Reg.Num()])
	if x.in.Mask != 0 {
		for i := range n {
			switch {
			case x.isActive(i):
				d.put(i, w, v.get(i, w))
			case x.in.Zero:
				d.put(i, w, 0)
			}
		}
	} else {
		copy(d[:n*w], v[:])
	}
	clear(d[n*w:])
	return nil
}

// writeScalar writes element 0 to operand 0; the rest of its XMM register is that of upper.
func (x *exec) writeScalar(r uint64, w int, upper *vec) error {
	d := (*vec)(&x.m.V[x.in.Args[0].Reg.Num()])
	switch {
	case x.isActive(0):
	case x.in.Zero:
		r = 0
	default:
		r = d.get(0, w)
	}
	*d = *upper
	clear(d[16:])
	d.put(0, w, r)
	return nil
}

// writeMask writes the first n bits to operand 0, a mask register; inactive bits become 0.
func (x *exec) writeMask(bits uint64, n int) error {
	if n < 64 {
		bits &= 1<<n - 1
	}
	if x.in.Mask != 0 {
		bits &= x.m.K[x.in.Mask.Num()]
	}
	x.m.K[x.in.Args[0].Reg.Num()] = bits
	return nil
}

// Elementwise instructions. Functions of elements get the bits of the operands in order, those of the destination last.

// lanes1 is an instruction on one operand.
func lanes1(w int, f func(x *exec, a uint64) uint64) execFunc {
	return convert(w, w, f)
}

// convert is an instruction on one operand whose elements have a different width than the result.
func convert(to, from int, f func(x *exec, a uint64) uint64) execFunc {
	return func(x *exec) error {
		n := x.vl / max(to, from)
		a, err := x.read(1, from, n)
		if err != nil {
			return err
		}
		var r vec
		for i := range n {
			if x.isActive(i) {
				r.put(i, to, f(x, a.get(i, from)))
			}
		}
		return x.write(&r, to, n)
	}
}

// lanes2 is an instruction on two operands.
func lanes2(w int, f func(x *exec, a, b uint64) uint64) execFunc {
	return lanes3(w, func(x *exec, a, b, _ uint64) uint64 { return f(x, a, b) })
}

// lanes3 is an instruction on two operands and the destination.
func lanes3(w int, f func(x *exec, a, b, d uint64) uint64) execFunc {
	return func(x *exec) error {
		n := x.vl / w
		a, err := x.read(1, w, n)
		if err != nil {
			return err
		}
		b, err := x.read(2, w, n)
		if err != nil {
			return err
		}
		d, err := x.vector(0)
		if err != nil {
			return err
		}
		var r vec
		for i := range n {
			if x.isActive(i) {
				r.put(i, w, f(x, a.get(i, w), b.get(i, w), d.get(i, w)))
			}
		}
		return x.write(&r, w, n)
	}
}

// scalar is an instruction on the first elements: the other elements of the result are those of the second operand.
func scalar(w int, f func(x *exec, a, b, d uint64) uint64) execFunc {
	return func(x *exec) error {
		a, b, err := x.scalars(w)
		if err != nil {
			return err
		}
		d := vec(x.m.V[x.in.Args[0].Reg.Num()])
		r := d.get(0, w)
		if x.isActive(0) {
			r = f(x, a.get(0, w), b.get(0, w), r)
		}
		return x.writeScalar(r, w, &a)
	}
}

// compare is an instruction whose result is a mask, or a vector of elements of all ones or zero.
func compare(w int, f func(x *exec, a, b uint64) bool) execFunc {
	return func(x *exec) error {
		n := x.vl / w
		a, err := x.read(1, w, n)
		if err != nil {
			return err
		}
		b := vec{}
		if x.in.Args[2].Kind != amd64.ImmArg {
			if b, err = x.read(2, w, n); err != nil {
				return err
			}
		}
		var bits uint64
		var r vec
		for i := range n {
			if x.isActive(i) && f(x, a.get(i, w), b.get(i, w)) {
				bits |= 1 << i
				r.put(i, w, ^uint64(0))
			}
		}
		if x.in.Args[0].Reg.Class() == amd64.Mask {
			return x.writeMask(bits, n)
		}
		return x.write(&r, w, n)
	}
}

// shuffle is an instruction whose result elements depend on any operand elements: it reads all of them, whatever the
// mask. Width w is that of the masked elements.
func shuffle(w int, f func(x *exec, r *vec, s [3]vec)) execFunc {
	return func(x *exec) error {
		var s [3]vec
		for i := 1; i < x.in.NumArgs(); i++ {
			if x.in.Args[i].Kind == amd64.ImmArg {
				continue
			}
			var err error
			if s[i-1], err = x.vector(i); err != nil {
				return err
			}
		}
		var r vec
		f(x, &r, s)
		return x.write(&r, w, x.vl/w)
	}
}
