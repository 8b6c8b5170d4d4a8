package neon_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	emulator64 "github.com/go-nx/nx/internal/cpu/asm/amd64/emulator"
	"github.com/go-nx/nx/internal/cpu/asm/arm64/emulator"
	"github.com/go-nx/nx/internal/cpu/codegen/neon"
)

// The memory of a program: its arguments, which are all registers before and after it, spill memory, and data.
const (
	argsAt, spillsAt, dataAt, codeAt = 0x1000_0000, 0x2000_0000, 0x3000_0000, 0x4000_0000

	generalAt = 16 * 32
	flagsAt   = generalAt + 16*8
	argsBytes = flagsAt + 64
	dataBytes = 4096
)

// state is the memory of a program.
type state struct{ args, data []byte }

func (s *state) clone() *state { return &state{bytes.Clone(s.args), bytes.Clone(s.data)} }

// saved are the general registers that a program loads and stores.
var saved = []int{0, 1, 2, 3, 5, 8, 9, 10, 11, 12, 13, 14, 15}

// program returns code that loads all registers, runs instructions, and stores all registers and the conditions of
// flags.
func program(ins []amd64.Inst, conditions []amd64.Op) ([]byte, int, error) {
	var a amd64.Assembler
	for i := range 16 {
		a.Emit(amd64.VMOVUPS, amd64.Y(i), amd64.Mem(amd64.RDI, 32*i))
	}
	for _, i := range saved {
		a.Emit(amd64.MOV, amd64.GP(i), amd64.Mem(amd64.RDI, generalAt+8*i))
	}
	for _, in := range ins {
		a.Inst(in)
	}
	for i, op := range conditions {
		next := a.NewLabel()
		a.Emit(op, next)
		a.Emit(amd64.MOV, amd64.Mem(amd64.RDI, flagsAt+4*i).Sized(4), amd64.Imm(1))
		a.Bind(next)
	}
	for i := range 16 {
		a.Emit(amd64.VMOVUPS, amd64.Mem(amd64.RDI, 32*i), amd64.Y(i))
	}
	for _, i := range saved {
		a.Emit(amd64.MOV, amd64.Mem(amd64.RDI, generalAt+8*i), amd64.GP(i))
	}
	a.Emit(amd64.VZEROUPPER)
	a.Emit(amd64.RET)
	n := a.Len()
	code, err := a.Finish()
	return code, n, err
}

// runSource runs code for AVX2.
func runSource(code []byte, s *state) error {
	m := emulator64.New()
	m.Map(argsAt, s.args, true)
	m.Map(spillsAt, make([]byte, 4096), true)
	m.Map(dataAt, s.data, true)
	m.Map(codeAt, code, false)
	m.GP[7], m.GP[6] = argsAt, spillsAt
	return m.Call(codeAt, 10_000)
}

// runTarget runs translated code.
func runTarget(code []byte, s *state) error {
	var m emulator.Machine
	m.Map(argsAt, s.args, true)
	m.Map(spillsAt, make([]byte, 4096+neon.SpillBytes), true)
	m.Map(dataAt, s.data, true)
	m.Map(codeAt, code, false)
	m.X[0], m.X[1] = argsAt, spillsAt
	return m.Call(codeAt, 100_000)
}

// hard are numbers that conversions and comparisons treat in special ways, as bits of floats and integers.
var hard = []uint64{0, 1 << 63, 1 << 31, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001, 0x7f800000,
	0xff800000, 0x7fc00000, 0xffc00001, 0x3f800000, 0xbf800000, 0x3ff0000000000000, 0x4f000000, 0xcf000000, 0x4f7fffff,
	0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x41dfffffffe00000,
	0x4effffff, 0x7fffffff, 0xffffffff, 0xffffffffffffffff, 0x00000001, 0x007fffff, 0x3f000000, 0x3fc00000, 0x40200000,
	0x7c00, 0xfc00, 0x7e00, 0x3c00, 0x0001, 0x8000, 0x80, 0x7f, 0xff, 31, 32, 33, 63, 64, 65, 255, 256}

// randomState fills the registers and the data.
func randomState(r *rand.Rand) *state {
	s := &state{make([]byte, argsBytes), make([]byte, dataBytes)}
	for _, b := range [][]byte{s.args[:flagsAt], s.data} {
		for i := 0; i < len(b); i += 8 {
			v := r.Uint64()
			switch r.IntN(6) {
			case 0:
				v = hard[r.IntN(len(hard))]
			case 1:
				v = hard[r.IntN(len(hard))]<<32 | hard[r.IntN(len(hard))]&0xffffffff
			case 2:
				v = uint64(math.Float32bits(float32(r.NormFloat64())))<<32 |
					uint64(math.Float32bits(float32(r.NormFloat64()*1000)))
			case 3:
				v = math.Float64bits(r.NormFloat64() * math.Exp2(float64(r.IntN(80)-40)))
			case 4:
				v = uint64(r.IntN(64)) | uint64(r.IntN(64))<<32
			}
			binary.LittleEndian.PutUint64(b[i:], v)
		}
	}
	return s
}

// equalButNaN reports whether bytes are equal, or floats of a width that are both NaNs.
func equalButNaN(x, y []byte, isFloat bool) bool {
	if bytes.Equal(x, y) {
		return true
	}
	if !isFloat {
		return false
	}
	for i := 0; i < len(x); i += 8 {
		a, b := binary.LittleEndian.Uint64(x[i:]), binary.LittleEndian.Uint64(y[i:])
		if a == b || isNaN64(a) && isNaN64(b) {
			continue
		}
		for shift := 0; shift < 64; shift += 32 {
			c, d := uint32(a>>shift), uint32(b>>shift)
			nan := func(v uint32) bool { return v&0x7f800000 == 0x7f800000 && v&0x7fffff != 0 }
			if c == d || nan(c) && nan(d) {
				continue
			}
			for half := 0; half < 32; half += 16 {
				e, f := c>>half&0xffff, d>>half&0xffff
				nan := func(v uint32) bool { return v&0x7c00 == 0x7c00 && v&0x3ff != 0 }
				if e != f && (!nan(e) || !nan(f)) {
					return false
				}
			}
		}
	}
	return true
}

func isNaN64(v uint64) bool { return math.IsNaN(math.Float64frombits(v)) }

// compare runs a program on both processors.
func compare(r *rand.Rand, ins []amd64.Inst, conditions []amd64.Op, prepare func(s *state)) error {
	code, n, err := program(ins, conditions)
	if err != nil {
		return err
	}
	translated, _, err := neon.Translate(code, n)
	if err != nil {
		return err
	}
	isFloat := false
	for _, in := range ins {
		name := in.Op.String()
		for _, suffix := range []string{"ps", "pd", "ss", "sd", "ph"} {
			isFloat = isFloat || strings.HasSuffix(name, suffix)
		}
	}
	states := 20
	if testing.Short() {
		states = 4
	}
	for range states {
		before := randomState(r)
		prepare(before)
		want, got := before.clone(), before.clone()
		if err := runSource(code, want); err != nil {
			return fmt.Errorf("source: %w", err)
		}
		if err := runTarget(translated, got); err != nil {
			return fmt.Errorf("target: %w", err)
		}
		if !equalButNaN(want.args, got.args, isFloat) || !equalButNaN(want.data, got.data, isFloat) {
			where := ""
			for i := 0; i < argsBytes; i += 8 {
				if a, b := want.args[i:i+8], got.args[i:i+8]; !equalButNaN(a, b, isFloat) {
					where += fmt.Sprintf("\n at %d: want % x, got % x", i, a, b)
				}
			}
			for i := 0; i < dataBytes; i += 8 {
				if a, b := want.data[i:i+8], got.data[i:i+8]; !equalButNaN(a, b, isFloat) {
					where += fmt.Sprintf("\n data at %d: want % x, got % x", i, a, b)
				}
			}
			return fmt.Errorf("results differ:%s", where)
		}
	}
	return nil
}

// aim makes an instruction access the data: its base is RBX, its index RCX or a vector.
func aim(r *rand.Rand, in *amd64.Inst) (isVector bool) {
	for i := range in.Args {
		m := &in.Args[i]
		if m.Kind != amd64.MemArg || m.Reg == amd64.RIP {
			continue
		}
		m.Reg, m.Val = amd64.RBX, int64(r.IntN(64)*[]int{1, 4, 32}[r.IntN(3)])
		switch {
		case m.Index != 0 && m.Index.Class() >= amd64.XMM:
			isVector = true
		case m.Index != 0:
			m.Index = amd64.RCX
		}
		switch in.Op {
		case amd64.VMOVAPS, amd64.VMOVAPD, amd64.VMOVNTPS, amd64.VMOVNTPD: // aligned
			m.Index, m.Scale, m.Val = 0, 0, m.Val&^31
		}
		if r.IntN(40) == 0 {
			m.Val = 1<<15 + m.Val // the base is as much lower
		}
	}
	return isVector
}

// TestInstructions compares every instruction that is translated, with random operands, with the instruction itself.
func TestInstructions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	unsupported := map[string]int{}
	compared := map[amd64.Op]int{}
	const avx2 = amd64.AVX | amd64.AVX2 | amd64.FMA | amd64.F16C | amd64.BMI1 | amd64.BMI2
	for _, s := range amd64.Samples(r, 6) {
		in := s.Inst
		if s.Needs&^avx2 != 0 || !neon.Translates(in.Op) || isControl(in.Op) {
			continue
		}
		isVector := aim(r, &in)
		far := in // the displacement of the source is too large for one of the target
		for i := range far.Args {
			far.Args[i].Val &= 1<<15 - 1
		}
		if !isUsable(far) {
			continue
		}
		ins := []amd64.Inst{in}
		if in.Op == amd64.DIV || in.Op == amd64.IDIV {
			continue
		}
		err := compare(r, ins, nil, func(s *state) {
			offset := int64(0)
			for _, a := range in.Args {
				if a.Kind == amd64.MemArg && a.Val >= 1<<15 {
					offset = 1 << 15
				}
			}
			binary.LittleEndian.PutUint64(s.args[generalAt+8*3:], uint64(dataAt+1024-offset))
			binary.LittleEndian.PutUint64(s.args[generalAt+8*1:], uint64(r.IntN(32)))
			if isVector {
				for _, a := range in.Args {
					if a.Kind == amd64.MemArg {
						at := 32 * a.Index.Num()
						for i := at; i < at+32; i++ {
							if wide := strings.Contains(in.Op.String(), "gatherq"); i%8 == 0 || !wide && i%4 == 0 {
								s.args[i] = byte(r.IntN(100))
							} else {
								s.args[i] = 0
							}
						}
					}
				}
			}
		})
		if errors.Is(err, neon.ErrUnsupported) {
			unsupported[in.Op.String()]++
			continue
		}
		compared[in.Op]++
		if err != nil {
			t.Errorf("%s: %v", in, err)
		}
	}
	t.Logf("operands without a translation: %v", unsupported)
	for op := range amd64.Ops() {
		isDivision := op == amd64.DIV || op == amd64.IDIV // see TestDivisions
		if neon.Translates(op) && !isControl(op) && !isDivision && compared[op] == 0 {
			t.Errorf("%s has not been compared", op)
		}
	}
}

// isControl reports whether an instruction is tested in programs.
func isControl(op amd64.Op) bool {
	return op >= amd64.JO && op <= amd64.POPFQ || op >= amd64.CMOVO && op <= amd64.CMOVG
}
