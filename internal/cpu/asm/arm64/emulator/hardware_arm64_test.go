package emulator

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	. "github.com/go-nx/nx/internal/cpu/asm/arm64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var (
	perForm = flag.Int("per-form", 3, "how many instructions of each form are executed")
	states  = flag.Int("states", 2, "how many states of the registers each is executed on")
)

// state are the registers before and after an instruction.
type state struct {
	x     [32]uint64 // of which 27 is the address of the state
	v     [32][16]byte
	flags uint64
	fpcr  uint64
}

// The general registers of code that is tested: the others are the system's, Go's, and the state's address.
func isFree(r Reg) bool {
	switch r.Class() {
	case ClassX, ClassW:
		n := r.Num()
		return n <= 26 && n != 18 || n == 31
	case ClassSP, ClassWSP:
		return false
	}
	return true
}

// needsMore are mnemonics that a test of single instructions cannot execute: jumps, traps, system registers.
var needsMore = []Op{B, BL, BEQ, BNE, BHS, BLO, BMI, BPL, BVS, BVC, BHI, BLS, BGE, BLT, BGT, BLE, CBZ, CBNZ, TBZ,
	TBNZ, BR, BLR, RET, BRK, MRS, MSR, ADR}

// memoryOf returns the operand in memory.
func memoryOf(in *Inst) *Arg {
	for i := range in.Args {
		if in.Args[i].Kind == MemArg {
			return &in.Args[i]
		}
	}
	return nil
}

// canExecute reports whether the test can execute an instruction: its registers are free, and it is not one of those
// whose result the manual leaves open.
func canExecute(in *Inst) bool {
	if slices.Contains(needsMore, in.Op) {
		return false
	}
	mem := memoryOf(in)
	loads := map[Reg]bool{}
	for i, n := 0, in.NumArgs(); i < n; i++ {
		a := &in.Args[i]
		switch {
		case a.Kind == ImmArg && in.Op == LDR:
			return false // a literal
		case a.Kind == RegArg && !isFree(a.Reg), a.Kind == MemArg && !isFree(a.Reg), a.Index != 0 && !isFree(a.Index):
			return false
		case a.Kind == RegArg && mem != nil && a.Reg.Class() <= ClassW:
			if a.Reg.Num() == mem.Reg.Num() && mem.Mode != Offset {
				return false
			}
		}
		if a.Kind == RegArg && in.Op == LDP {
			if loads[a.Reg] {
				return false
			}
			loads[a.Reg] = true
		}
	}
	return mem == nil || mem.Index == 0 || mem.Index.Num() != mem.Reg.Num()
}

// function returns code that loads a state, executes an instruction, and stores the state.
func function(t *testing.T, arena *rt.CodeArena, in Inst) (f *rt.Function, offset int) {
	t.Helper()
	var a Assembler
	var s state
	general := func(op Op) {
		for i := range 27 {
			if i != 18 {
				a.Emit(op, X(i), Mem(X(27), 8*i))
			}
		}
	}
	vectors := func(op Op) {
		for i := range 32 {
			a.Emit(op, Q(i), Mem(X(27), int(unsafe.Offsetof(s.v))+16*i))
		}
	}
	flags, fpcr := Mem(X(27), int(unsafe.Offsetof(s.flags))), Mem(X(27), int(unsafe.Offsetof(s.fpcr)))
	a.Emit(ORR, X(27), XZR, X(0))
	a.Emit(LDR, X(9), fpcr)
	a.Emit(MSR, FPCR, X(9))
	a.Emit(LDR, X(9), flags)
	a.Emit(MSR, NZCV, X(9))
	vectors(LDR)
	general(LDR)
	offset = a.Len()
	a.Inst(in)
	general(STR)
	vectors(STR)
	a.Emit(MRS, X(9), NZCV)
	a.Emit(STR, X(9), flags)
	a.Emit(MSR, FPCR, XZR)
	a.Emit(RET, X(30))
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if f, err = arena.Add(in.String(), code, a.Len()); err != nil {
		t.Fatal(err)
	}
	return f, offset
}

// TestHardware executes every form on the processor, or on qemu in its place, and here, and compares all registers and
// the memory.
func TestHardware(t *testing.T) {
	if err := rt.CanRunCode(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 5))
	host := rt.ARM64Features()
	arena, err := rt.NewCodeArena()
	if err != nil {
		t.Fatal(err)
	}
	type trial struct {
		Inst
		f      *rt.Function
		offset int
	}
	var trials []trial
	skipped := map[string]bool{}
	seen := map[int]bool{}
	for _, s := range Samples(r, *perForm) {
		if s.Needs&^host != 0 {
			skipped[s.Op.String()+" ("+(s.Needs&^host).String()+")"] = true
			continue
		}
		if !canExecute(&s.Inst) {
			if slices.Contains(needsMore, s.Op) {
				skipped[s.Op.String()] = true
			}
			continue
		}
		seen[s.Row] = true
		f, offset := function(t, arena, s.Inst)
		trials = append(trials, trial{s.Inst, f, offset})
	}
	if err := arena.Seal(); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 192<<10)
	fill(r, buffer)
	before := bytes.Clone(buffer)
	bad := map[Op]int{}
	for _, c := range trials {
		for range *states {
			s := randomState(r)
			if mem := memoryOf(&c.Inst); mem != nil {
				s.x[mem.Reg.Num()] = uint64(uintptr(unsafe.Pointer(&buffer[64<<10+r.IntN(64)])))
				if mem.Index != 0 {
					s.x[mem.Index.Num()] = uint64(r.IntN(1000))
				}
			}
			m := Machine{FPCR: uint32(s.fpcr), Flags: Flags(s.flags >> 28)}
			copy(m.X[:27], s.x[:27])
			m.V = s.v
			m.OfProcess = true
			start := s
			c.f.Call(unsafe.Pointer(&s))
			after := bytes.Clone(buffer)
			copy(buffer, before)
			code, _ := c.f.Code()
			at := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(code)))) + uint64(c.offset)
			if err := m.Exec(&c.Inst, at); err != nil {
				t.Fatal(err)
			}
			diff := differences(&s, &m)
			if !bytes.Equal(after, buffer) {
				diff = append(diff, "memory")
			}
			copy(buffer, before)
			if len(diff) > 0 {
				if bad[c.Op]++; bad[c.Op] <= 2 {
					t.Errorf("%s (fpcr %#x, flags %#x):\n%s\nbefore:%s", c.Inst, start.fpcr, start.flags,
						strings.Join(diff, "\n"), operandsOf(&c.Inst, &start))
				}
			}
		}
	}
	t.Logf("%d instructions of %d of %d rows, on %d states each; not executed: %v", len(trials), len(seen), Rows(), *states,
		slices.Sorted(maps.Keys(skipped)))
}

// randomState returns registers with random contents, and often modes of floats besides the default.
func randomState(r *rand.Rand) (s state) {
	for i := range s.x {
		var b [8]byte
		fill(r, b[:])
		s.x[i] = *(*uint64)(unsafe.Pointer(&b))
	}
	for i := range s.v {
		fill(r, s.v[i][:])
	}
	s.flags = r.Uint64() & (15 << 28)
	if r.IntN(2) == 0 {
		s.fpcr = r.Uint64() & (3<<22 | FZ | FZ16)
	}
	return s
}

// differences lists the registers that differ between the processor and the emulator.
func differences(s *state, m *Machine) (diff []string) {
	for i := range 27 {
		if i != 18 && s.x[i] != m.X[i] {
			diff = append(diff, fmt.Sprintf("  x%d: processor %#x, emulator %#x", i, s.x[i], m.X[i]))
		}
	}
	for i := range s.v {
		if s.v[i] != m.V[i] {
			diff = append(diff, fmt.Sprintf("  v%d: processor %x, emulator %x", i, s.v[i], m.V[i]))
		}
	}
	if Flags(s.flags>>28) != m.Flags {
		diff = append(diff, fmt.Sprintf("  flags: processor %#x, emulator %#x", s.flags>>28, m.Flags))
	}
	return diff
}

// operandsOf lists the contents of an instruction's registers.
func operandsOf(in *Inst, s *state) string {
	var b strings.Builder
	for _, a := range in.Args[:in.NumArgs()] {
		switch n := a.Reg.Num(); {
		case a.Kind != RegArg:
		case isVector(a.Reg):
			fmt.Fprintf(&b, " v%d=%x", n, s.v[n])
		case n < 31:
			fmt.Fprintf(&b, " x%d=%#x", n, s.x[n])
		}
	}
	return b.String()
}
