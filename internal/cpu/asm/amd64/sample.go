package amd64

import "math/rand/v2"

// Sample is a random instruction for tests.
type Sample struct {
	Inst
	Row   int // number of the table row
	Needs Feature
}

// Samples returns instructions of every row and vector length, n of each. The first one of each is encoded by that row;
// others may be encoded by an earlier row.
func Samples(r *rand.Rand, n int) []Sample {
	var all []Sample
	row := 0
	for _, t := range tables {
		for i := range t {
			for l := range t[i].forLengths {
				for k := range n {
					in := sampler{r}.inst(&t[i], l)
					for tries := 0; k == 0 && tries < 200; tries++ {
						if f, _, err := in.find(); err == nil && f == &t[i] {
							break
						}
						in = sampler{r}.inst(&t[i], l)
					}
					needs, _ := in.Needs()
					all = append(all, Sample{in, row, needs})
				}
			}
			row++
		}
	}
	return all
}

// Resample returns another instruction of the same row and vector length.
func Resample(r *rand.Rand, row int, in Inst) Inst {
	f := rowOf(row)
	_, l, err := in.find()
	if err != nil {
		panic(err)
	}
	for {
		other := sampler{r}.inst(f, l)
		if g, m, err := other.find(); err == nil && g == f && m == l {
			return other
		}
	}
}

// rowOf returns a row by its number.
func rowOf(row int) *form {
	for _, t := range tables {
		if row < len(t) {
			return &t[row]
		}
		row -= len(t)
	}
	panic("amd64: the table has no such row")
}

// Rows returns the number of rows of the table.
func Rows() int {
	n := 0
	for _, t := range tables {
		n += len(t)
	}
	return n
}

// sampler generates random instructions of a form.
type sampler struct{ *rand.Rand }

// inst returns an instruction that the form accepts at a vector length.
func (r sampler) inst(f *form, l length) Inst {
	in := Inst{Op: f.op}
	useMem := r.IntN(2) == 0
	for i, a := range f.args {
		in.Args[i] = r.arg(f, a, l, useMem)
	}
	if f.args[0] == rel32 && f.op.isJump() && r.IntN(4) == 0 {
		in.Args[0] = Arg{Kind: ImmArg, Val: int64(int8(r.Uint32())), Bytes: 4}
	}
	if f.attrs&mask != 0 && (f.attrs&needsMask != 0 || r.IntN(2) == 0) {
		in.Mask = K(1 + r.IntN(7))
		in.Zero = f.attrs&zero != 0 && r.IntN(2) == 0 && in.Args[0].Kind != MemArg
	}
	if !in.hasMemory() && (l == len512 || f.lens == lig) {
		switch {
		case f.attrs&er != 0 && r.IntN(2) == 0:
			in.Round = ToNearest + Rounding(r.IntN(4))
		case f.attrs&sae != 0 && r.IntN(2) == 0:
			in.Round = NoExceptions
		}
	}
	if f.attrs&distinct != 0 && !in.areDistinct() {
		return r.inst(f, l)
	}
	return in
}

func (in *Inst) hasMemory() bool {
	for i := range in.Args {
		if in.Args[i].Kind == MemArg {
			return true
		}
	}
	return false
}

// number returns a register number, often the lowest or the highest.
func (r sampler) number(f *form, c Class) int {
	n := c.Count()
	if f.enc != evex {
		n = min(n, 16)
	}
	switch r.IntN(6) {
	case 0:
		return n - 1
	case 1:
		return r.IntN(min(n, 8))
	}
	return r.IntN(n)
}

func (r sampler) arg(f *form, a arg, l length, useMem bool) Arg {
	if a == 0 {
		return Arg{}
	}
	switch a & roleBits {
	case inImm, relative:
		return Imm(r.immediate(a))
	case fixed:
		switch a & classBits {
		case size1:
			return Imm(1)
		case ofCL:
			return RegOperand(MakeReg(R8, 1))
		}
		return RegOperand(MakeReg(a.class(l), 0))
	}
	c := a.class(l)
	if c == NoClass || useMem && a&memBits != 0 {
		return r.memory(f, a, l)
	}
	return RegOperand(MakeReg(c, r.number(f, c)))
}

func (r sampler) immediate(a arg) int64 {
	v := int64(r.Uint64()) >> r.IntN(64)
	switch a & classBits {
	case size8:
		return v & 0xff
	case size8s:
		return int64(int8(v))
	case size16:
		return int64(int16(v))
	case size32, size32s:
		return int64(int32(v))
	}
	return v
}

func (r sampler) memory(f *form, a arg, l length) Arg {
	bytes, unit := a.access(l)
	m := Arg{Kind: MemArg, Bytes: uint16(bytes)}
	if a.bcast() != 0 && r.IntN(2) == 0 {
		m.Elem = uint8(a.bcast())
		unit = a.bcast()
	}
	needsIndex := a.index(l) != R64
	kind := r.IntN(8)
	if kind == 0 && a&memBits != toTile && !needsIndex {
		m.Reg, m.Val = RIP, int64(int32(r.Uint64())>>r.IntN(32))
		return m
	}
	if kind > 1 || !needsIndex && a&memBits == toTile {
		m.Reg = GP(r.IntN(16))
	}
	if kind > 4 || needsIndex {
		c := a.index(l)
		n := r.number(f, c)
		if c == R64 && n == RSP.Num() {
			n = 5
		}
		m.Index, m.Scale = MakeReg(c, n), 1<<r.IntN(4)
		if m.Index.Class() == R64 && m.Reg == 0 && m.Scale < 2 {
			m.Scale = 4 // one register times 1 is encoded as a base, times 2 as both
		}
	}
	switch r.IntN(4) {
	case 0:
		m.Val = int64(int8(r.Uint64()))
	case 1:
		m.Val = int64(int8(r.Uint64())) * int64(unit)
	case 2:
		m.Val = int64(int32(r.Uint64()) >> r.IntN(32))
	}
	return m
}
