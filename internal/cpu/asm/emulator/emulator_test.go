package emulator

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// TestComplete looks for mnemonics that are not implemented.
func TestComplete(t *testing.T) {
	for op := range Ops() {
		if execFuncs[op] == nil {
			t.Errorf("%s is not implemented", op)
		}
	}
}

// TestRunsAllRows runs instructions of every row, including those that this processor does not support: none may panic.
func TestRunsAllRows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, s := range Samples(r, 1) {
		m := New()
		for i := range m.V {
			fill(r, m.V[i][:])
		}
		m.GP[4] = 0x1000
		m.Map(0, make([]byte, 0x2000), true)
		var access *AccessError
		if err := m.Exec(&s.Inst, 0x100, 8); err != nil && !errors.As(err, &access) &&
			!errors.Is(err, ErrDivide) && !errors.Is(err, ErrTrap) && !errors.Is(err, ErrTileConfig) &&
			!errors.Is(err, ErrUndefinedFlag) {
			t.Errorf("%s: %v", s.Inst, err)
		}
	}
}

// TestHalf compares f16 with f64, which represents sums and products of halves exactly and has more than twice the bits
// for quotients and roots: rounding its results again is correct.
func TestHalf(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 15_000 {
		a, b, c := randomFloat(r, f16), randomFloat(r, f16), randomFloat(r, f16)
		if f16.isNaN(a) || f16.isNaN(b) || f16.isNaN(c) {
			continue
		}
		e := environment{mode: nearest}
		x, y, z := asF64(e.toFloat(f64, f16, a)), asF64(e.toFloat(f64, f16, b)), asF64(e.toFloat(f64, f16, c))
		// All of MXCSR except the rounding is ignored.
		daz := environment{mode: nearest, daz: true, ftz: true}
		for name, got := range map[string][2]uint64{
			"add": {daz.add(f16, a, b), of64(x + y)}, "sub": {daz.sub(f16, a, b), of64(x - y)},
			"mul": {daz.mul(f16, a, b), of64(x * y)}, "div": {daz.div(f16, a, b), of64(x / y)},
			"sqrt": {daz.sqrt(f16, a), of64(math.Sqrt(x))}, "fma": {daz.fma(f16, a, b, c), of64(math.FMA(x, y, z))},
		} {
			if want := e.toFloat(f16, f64, got[1]); got[0] != want && !(f16.isNaN(got[0]) && f16.isNaN(want)) {
				t.Fatalf("%s of %#x, %#x and %#x is %#x, want %#x", name, a, b, c, got[0], want)
			}
		}
		for mode := nearest; mode <= toZero; mode++ {
			e.mode = mode
			if got, want := e.mul(f16, a, b), e.toFloat(f16, f64, of64(x*y)); got != want && !f16.isNaN(want) {
				t.Fatalf("%#x times %#x, rounded by %d, is %#x, want %#x", a, b, mode, got, want)
			}
		}
	}
}

// TestTiles multiplies tiles of small integers, which are exact in all formats, and compares with plain loops.
func TestTiles(t *testing.T) {
	const m, n, k = 11, 13, 9 // rows, columns, groups of 4 bytes
	r := rand.New(rand.NewPCG(6, 6))
	for op, c := range map[Op]struct {
		perGroup         int
		aSigned, bSigned bool
		f                *format
	}{
		TDPBSSD: {4, true, true, nil}, TDPBSUD: {4, true, false, nil}, TDPBUSD: {4, false, true, nil},
		TDPBUUD:   {4, false, false, nil},
		TDPBF16PS: {2, true, true, bf16}, TDPFP16PS: {2, true, true, f16},
	} {
		e := environment{}
		number := func(signed bool) (float64, uint64) {
			v := r.IntN(100)
			if signed && r.IntN(2) == 0 {
				v = -v
			}
			if c.f == nil {
				return float64(v), uint64(v)
			}
			return float64(v), e.fromInt(c.f, v < 0, uint64(max(v, -v)))
		}
		w := 4 / c.perGroup
		var a [m][k * 4]float64
		var b [k * 4][n]float64
		data := make([]byte, 4096)
		for i := range m {
			for j := range k * c.perGroup {
				v, bits := number(c.aSigned)
				a[i][j] = v
				putN(data[i*64+j*w:], w, bits)
			}
		}
		for j := range k * c.perGroup {
			for i := range n {
				v, bits := number(c.bSigned)
				b[j][i] = v
				putN(data[1024+j/c.perGroup*64+i*4+j%c.perGroup*w:], w, bits)
			}
		}
		config := data[3072:]
		config[0] = 1
		for i, shape := range [][2]int{{m, 4 * n}, {m, 4 * k}, {k, 4 * n}} {
			config[48+i] = byte(shape[0])
			config[16+2*i] = byte(shape[1])
		}
		var s Assembler
		s.Emit(LDTILECFG, Mem(RDI, 3072))
		s.Emit(MOV, RAX, Imm(64))
		s.Emit(TILEZERO, T(0))
		s.Emit(TILELOADD, T(1), MemIndex(RDI, RAX, 1, 0))
		s.Emit(TILELOADDT1, T(2), MemIndex(RDI, RAX, 1, 1024))
		s.Emit(op, T(0), T(1), T(2))
		s.Emit(op, T(0), T(1), T(2))
		s.Emit(TILESTORED, MemIndex(RDI, RAX, 1, 2048), T(0))
		s.Emit(STTILECFG, Mem(RDI, 3072+128))
		s.Emit(TILERELEASE)
		s.Emit(RET)
		code, err := s.Finish()
		if err != nil {
			t.Fatal(err)
		}
		machine := New()
		machine.Map(0x10000, code, false)
		machine.Map(0x20000, data, true)
		machine.GP[7] = 0x20000
		if err := machine.Call(0x10000, 100); err != nil {
			t.Fatal(err)
		}
		for i := range m {
			for j := range n {
				want := 0.0
				for l := range k * c.perGroup {
					want += 2 * a[i][l] * b[l][j]
				}
				bits := getN(data[2048+i*64+j*4:], 4)
				got := float64(int32(bits))
				if c.f != nil {
					got = float64(asF32(bits))
				}
				if got != want {
					t.Fatalf("%s: element %d, %d is %g, want %g", op, i, j, got, want)
				}
			}
		}
		if string(config[:64]) != string(data[3072+128:3072+192]) {
			t.Errorf("%s: the configuration reads back as % x", op, data[3072+128:3072+192])
		}
		// Unconfigured tiles and mismatched shapes are errors.
		for _, in := range []Inst{
			{Op: op, Args: [4]Arg{RegOperand(T(3)), RegOperand(T(1)), RegOperand(T(2))}},
			{Op: op, Args: [4]Arg{RegOperand(T(1)), RegOperand(T(0)), RegOperand(T(2))}},
			{Op: TILEZERO, Args: [4]Arg{RegOperand(T(5))}},
		} {
			copy(machine.Tiles.Config[:], config)
			if err := machine.Exec(&in, 0, 5); !errors.Is(err, ErrTileConfig) {
				t.Errorf("%s: error %v", in, err)
			}
		}
	}
}

// TestErrors runs code that violates the rules of the emulator.
func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		write func(a *Assembler)
		want  error
	}{
		"undefined flag": {func(a *Assembler) {
			a.Emit(IMUL, RAX, RCX)
			a.Emit(SETE, MakeReg(R8, 0))
		}, ErrUndefinedFlag},
		"division by 0": {func(a *Assembler) {
			a.Emit(XOR, GP32(1), GP32(1))
			a.Emit(DIV, RCX)
		}, ErrDivide},
		"trap": {func(a *Assembler) { a.Emit(UD2) }, ErrTrap},
		"end of memory": {func(a *Assembler) {
			a.Emit(VMOVUPS, Z(0), Mem(RDI, 1))
		}, &AccessError{0x20001, 64, "are read outside of mapped memory"}},
		"read-only memory": {func(a *Assembler) {
			a.Emit(MOV, Mem(RIP, -7), RAX)
		}, &AccessError{0x10000, 8, "are read-only"}},
		"alignment": {func(a *Assembler) { a.Emit(VMOVAPS, X(0), Mem(RDI, 8)) },
			&AccessError{0x20008, 16, "are not aligned"}},
		"endless loop": {func(a *Assembler) {
			top := a.NewLabel()
			a.Bind(top)
			a.Emit(JMP, top)
		}, ErrSteps},
		"no return": {func(a *Assembler) { a.Emit(NOP) }, ErrUnknown},
	} {
		var a Assembler
		c.write(&a)
		if name != "no return" {
			a.Emit(RET)
		}
		code, err := a.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if name == "no return" {
			code = append(code, 0x06)
		}
		m := New()
		m.Map(0x10000, code, false)
		m.Map(0x20000, make([]byte, 64), true)
		m.GP[7] = 0x20000
		err = m.Call(0x10000, 1000)
		var want *AccessError
		if errors.As(c.want, &want) {
			var got *AccessError
			if !errors.As(err, &got) || *got != *want {
				t.Errorf("%s: error %v, want %v", name, err, want)
			}
		} else if !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
	m := New()
	m.Map(16, make([]byte, 16), true)
	for _, at := range []uint64{1, 16, 31} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("memory is mapped at %d over other memory", at)
				}
			}()
			m.Map(at, make([]byte, 16), true)
		}()
	}
}
