package emulator

import (
	"errors"
	"math/rand/v2"
	"testing"

	. "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
	"github.com/go-nx/nx/internal/cpu/asm/softfloat"
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
		var access *memory.AccessError
		if err := m.Exec(&s.Inst, 0x100, 8); err != nil && !errors.As(err, &access) &&
			!errors.Is(err, ErrDivide) && !errors.Is(err, ErrTrap) && !errors.Is(err, ErrTileConfig) &&
			!errors.Is(err, ErrUndefinedFlag) {
			t.Errorf("%s: %v", s.Inst, err)
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
		TDPBUUD: {4, false, false, nil}, TDPBF16PS: {2, true, true, bf16},
	} {
		e := softfloat.Environment{}
		number := func(signed bool) (float64, uint64) {
			v := r.IntN(100)
			if signed && r.IntN(2) == 0 {
				v = -v
			}
			if c.f == nil {
				return float64(v), uint64(v)
			}
			return float64(v), e.FromInt(c.f, v < 0, uint64(max(v, -v)))
		}
		w := 4 / c.perGroup
		var a [m][k * 4]float64
		var b [k * 4][n]float64
		data := make([]byte, 4096)
		for i := range m {
			for j := range k * c.perGroup {
				v, bits := number(c.aSigned)
				a[i][j] = v
				memory.Store(data[i*64+j*w:], w, bits)
			}
		}
		for j := range k * c.perGroup {
			for i := range n {
				v, bits := number(c.bSigned)
				b[j][i] = v
				memory.Store(data[1024+j/c.perGroup*64+i*4+j%c.perGroup*w:], w, bits)
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
		s.Emit(TILELOADD, T(2), MemIndex(RDI, RAX, 1, 1024))
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
				bits := memory.Load(data[2048+i*64+j*4:], 4)
				got := float64(int32(bits))
				if c.f != nil {
					got = float64(softfloat.AsF32(bits))
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
			a.Emit(CMOVE, RAX, RCX)
		}, ErrUndefinedFlag},
		"division by 0": {func(a *Assembler) {
			a.Emit(XOR, GP32(1), GP32(1))
			a.Emit(DIV, RCX)
		}, ErrDivide},
		"trap": {func(a *Assembler) { a.Emit(INT3) }, ErrTrap},
		"end of memory": {func(a *Assembler) {
			a.Emit(VMOVUPS, Z(0), Mem(RDI, 1))
		}, &memory.AccessError{At: 0x20001, Bytes: 64, What: "are read outside of mapped memory"}},
		"read-only memory": {func(a *Assembler) {
			a.Emit(MOV, Mem(RIP, -7), RAX)
		}, &memory.AccessError{At: 0x10000, Bytes: 8, What: "are read-only"}},
		"alignment": {func(a *Assembler) { a.Emit(VMOVAPS, X(0), Mem(RDI, 8)) },
			&memory.AccessError{At: 0x20008, Bytes: 16, What: "are not aligned"}},
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
		var want *memory.AccessError
		if errors.As(c.want, &want) {
			var got *memory.AccessError
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
