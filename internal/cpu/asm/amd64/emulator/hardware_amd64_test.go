package emulator

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	. "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

var (
	seed   = flag.Uint64("seed", 1, "of the instructions and states compared with the processor")
	perRow = flag.Int("per-row", 1, "how many instructions of each row and length are compared with the processor")
	narrow = flag.Bool("narrow", false, "leave AVX-512 out, as on a machine without it")
	states = flag.Int("states", 8, "on how many states each is compared")
)

// state is the processor state before or after an instruction, in the layout of the code around it.
type state struct {
	gp    [16]uint64
	flags uint64
	mxcsr uint64
	_     [48]byte
	k     [8]uint64
	v     [32][64]byte
	tiles Tiles // of AMX instructions, on processors with AMX
}

const (
	offFlags  = 128
	offMXCSR  = 136
	offK      = 192
	offV      = 256
	offConfig = offV + 32*64
	offTiles  = offConfig + 64
	rsp       = 4
	rdi       = 7
)

// around writes code that loads a state from RDI, runs one instruction, and stores the resulting state. All general
// registers except RSP are data for the instruction. The return address is on top of the stack as in any leaf: a fault
// is a panic. Saved values are in the spill memory above it.
func around(a *Assembler, in Inst, wide bool) (at, size int) {
	vectors := func(each func(reg Reg, mem Arg)) {
		for i := range 32 {
			if wide {
				each(Z(i), Mem(RAX, offV+64*i))
			} else if i < 16 {
				each(Y(i), Mem(RAX, offV+64*i))
			}
		}
	}
	a.Emit(MOV, Mem(RSP, 16), RDI)
	a.Emit(MOV, RAX, RDI)
	a.Emit(LDMXCSR, Mem(RAX, offMXCSR))
	vectors(func(reg Reg, mem Arg) { a.Emit(VMOVUPS, reg, mem) })
	if wide {
		for i := range 8 {
			a.Emit(KMOVQ, K(i), Mem(RAX, offK+8*i))
		}
	}
	if usesTiles(in.Op) {
		loadTiles(a)
	}
	a.Emit(PUSH, Mem(RAX, offFlags).Sized(8))
	a.Emit(POPFQ)
	for i := range 16 {
		if i != rsp && i != rdi && i != 0 {
			a.Emit(MOV, GP(i), Mem(RDI, 8*i))
		}
	}
	a.Emit(MOV, RAX, Mem(RDI, 0))
	a.Emit(MOV, RDI, Mem(RDI, 8*rdi))
	at = a.Len()
	a.Inst(in)
	size = a.Len() - at
	a.Emit(MOV, Mem(RSP, 24), RAX)
	a.Emit(MOV, RAX, Mem(RSP, 16))
	for i := range 16 {
		if i != rsp && i != 0 {
			a.Emit(MOV, Mem(RAX, 8*i), GP(i))
		}
	}
	a.Emit(PUSHFQ)
	a.Emit(POP, Mem(RAX, offFlags).Sized(8))
	a.Emit(PUSH, Mem(RSP, 24))
	a.Emit(POP, Mem(RAX, 0).Sized(8))
	vectors(func(reg Reg, mem Arg) { a.Emit(VMOVUPS, mem, reg) })
	if wide {
		for i := range 8 {
			a.Emit(KMOVQ, Mem(RAX, offK+8*i), K(i))
		}
	}
	if usesTiles(in.Op) {
		storeTiles(a)
	}
	a.Emit(STMXCSR, Mem(RAX, offMXCSR))
	a.Emit(RET)
	return at, size
}

// trial is an instruction to compare.
type trial struct {
	Sample
	at, size int // in the code
	code     *rt.Function
	wide     bool
}

// needsProgram lists the instructions that change RSP or jump: TestPrograms compares them.
func needsProgram(op Op) bool {
	return op >= JO && op <= JG || slices.Contains([]Op{JMP, RET, PUSH, POP, PUSHFQ, POPFQ}, op)
}

// isTrap lists the instructions that end the process.
func isTrap(op Op) bool { return op == INT3 }

// isComparable reports whether the instruction can be placed in the code of around: registers determine its addresses,
// and RSP is not data.
func isComparable(in *Inst) bool {
	for i, a := range in.Args {
		if a.Kind == RegArg && a.Reg.Class() <= R64 && a.Reg.Num() == rsp || a.Kind == MemArg && a.Reg == RSP {
			return false
		}
		if a.Kind != MemArg || in.Op == LEA {
			continue
		}
		if a.Reg == RIP {
			// Constants are behind the code, which is read-only.
			if i == 0 || a.Bytes > 64 {
				return false
			}
			continue
		}
		if a.Reg == 0 && (a.Index == 0 || a.Index.Class() != R64 || a.Scale > 1) || a.Reg == a.Index {
			return false
		}
		for j, b := range in.Args { // the address would have to be the data as well
			if j != i && b.Kind == RegArg && b.Reg.Class() <= R64 &&
				(b.Reg.Num() == a.Reg.Num() || b.Reg.Num() == a.Index.Num() && a.Index.Class() == R64) {
				return false
			}
		}
		// The operands that are not written.
		for _, n := range []int{0, 1, 2} {
			implicit := in.Op == DIV || in.Op == IDIV || n == 1 && in.NumArgs() > 1
			if implicit && (a.Reg.Num() == n || a.Index.Class() == R64 && a.Index.Num() == n) {
				return false
			}
		}
	}
	return true
}

const dataBytes = 512

// hostFeatures returns the features of this machine, and whether it has the complete state: 32 vectors of 512 bits and
// masks of 64 bits.
func hostFeatures() (host Feature, wide bool) {
	host = rt.HostFeatures()
	if *narrow || host&AVX512BW == 0 {
		return host & (AVX512F - 1), false
	}
	return host, true
}

// TestHardware compares each form that this processor supports with it.
func TestHardware(t *testing.T) {
	if err := rt.CanRunCode(); err != nil {
		t.Skip(err)
	}
	host, wide := hostFeatures()
	r := rand.New(rand.NewPCG(*seed, 2))
	arena, err := rt.NewCodeArena()
	if err != nil {
		t.Fatal(err)
	}
	seen := make([]bool, Rows())
	unsupported := map[Feature]map[int]bool{}
	traps := map[int]bool{}
	var trials []*trial
	isUnsupported := func(s Sample) bool {
		missing := s.Needs &^ host
		if missing != 0 && unsupported[missing] == nil {
			unsupported[missing] = map[int]bool{}
		}
		if missing != 0 {
			unsupported[missing][s.Row] = true
		}
		return missing != 0
	}
	for _, s := range Samples(r, *perRow) {
		if isUnsupported(s) {
			continue
		}
		switch {
		case needsProgram(s.Op):
			seen[s.Row] = true
			continue
		case isTrap(s.Op):
			traps[s.Row] = true
			continue
		}
		for range 300 {
			if isComparable(&s.Inst) {
				break
			}
			s = resample(r, s)
		}
		if isUnsupported(s) { // other registers of the row need more
			continue
		}
		if !isComparable(&s.Inst) {
			t.Errorf("%s: row %d cannot be compared", s.Op, s.Row)
			continue
		}
		trials = append(trials, newTrial(t, arena, s, r, wide))
	}
	data := make([]byte, 3*dataBytes) // including space that the processor must not touch
	rows := make([]byte, 3*tileDataBytes)
	var release *rt.Function
	if host&AMXTILE != 0 {
		runtime.LockOSThread() // whose tiles are released after a fault
		defer runtime.UnlockOSThread()
		release = releaseTiles(t, arena)
	}
	if err := arena.Seal(); err != nil {
		t.Fatal(err)
	}
	bad := 0
	for _, c := range trials {
		done := 0
		for n := 0; n < *states || done == 0 && n < 50*(*states); n++ {
			memory := data
			if usesTiles(c.Op) {
				memory = rows
			}
			ran, err := c.compare(r, memory)
			if usesTiles(c.Op) {
				release.Call(nil)
			}
			if err != nil {
				if bad++; bad <= 60 {
					t.Error(err)
				}
				break
			}
			if ran {
				done++
			}
		}
		if done > 0 {
			seen[c.Row] = true
		}
	}
	count := 0
	for _, ok := range seen {
		if ok {
			count++
		}
	}
	for _, rows := range unsupported {
		for row := range rows {
			if seen[row] {
				delete(rows, row)
			}
		}
	}
	t.Logf("%d of %d rows were compared with this processor; %d differ", count, len(seen), bad)
	t.Logf("not run: %d rows that trap", len(traps))
	for _, f := range slices.Sorted(maps.Keys(unsupported)) {
		if n := len(unsupported[f]); n > 0 {
			t.Logf("not run: %d rows, unsupported: %s", n, f)
		}
	}
	for row, ok := range seen {
		missing := slices.ContainsFunc(slices.Collect(maps.Values(unsupported)),
			func(m map[int]bool) bool { return m[row] })
		if !ok && !missing && !traps[row] {
			t.Errorf("row %d was not compared although the processor supports it", row)
		}
	}
}

// resample returns another instruction of the row.
func resample(r *rand.Rand, s Sample) Sample {
	in := Resample(r, s.Row, s.Inst)
	needs, _ := in.Needs()
	return Sample{Inst: in, Row: s.Row, Needs: needs}
}

func newTrial(t *testing.T, arena *rt.CodeArena, s Sample, r *rand.Rand, wide bool) *trial {
	t.Helper()
	var a Assembler
	in := s.Inst
	for i := range in.Args {
		if x := &in.Args[i]; x.Kind == MemArg && x.Reg == RIP && in.Op != LEA {
			bytes := make([]byte, 64)
			fill(r, bytes)
			if in.Op == LDMXCSR {
				binary.LittleEndian.PutUint32(bytes, randomMXCSR(r))
			}
			elem, n := x.Elem, x.Bytes
			*x = a.Const(bytes)
			x.Elem, x.Bytes = elem, n
		}
	}
	at, size := around(&a, in, wide)
	code, err := a.Finish()
	if err != nil {
		t.Fatalf("%s: %v", s.Inst, err)
	}
	read, n, err := Decode(code[at:])
	if err != nil || n != size {
		t.Fatalf("%s: %v", s.Inst, err)
	}
	f, err := arena.Add(s.Inst.String(), code, a.Len())
	if err != nil {
		t.Fatal(err)
	}
	s.Inst = read
	return &trial{s, at, size, f, wide}
}

// compare runs the instruction once on both. It skips instructions that the emulator rejects.
func (c *trial) compare(r *rand.Rand, data []byte) (ran bool, err error) {
	var s state
	base := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(data))))
	fill(r, data)
	randomState(r, &s, c.wide)
	tiled := usesTiles(c.Op)
	if tiled {
		c.randomTiles(r, &s.tiles)
		c.aimTiles(r, &s, data, base)
	} else {
		c.aim(r, &s, base+dataBytes)
	}
	if c.Op == LDMXCSR {
		for i := 0; i < len(data); i += 4 {
			binary.LittleEndian.PutUint32(data[i:], randomMXCSR(r))
		}
	}

	m := New()
	m.GP, m.K, m.V, m.Flags, m.MXCSR, m.Tiles = s.gp, s.k, s.v, s.flags&AllFlags, uint32(s.mxcsr), s.tiles
	emulated := slices.Clone(data)
	m.Map(base, emulated, true)
	code, _ := c.code.Code()
	start := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(code))))
	m.Map(start, code, false)
	before, old := s, slices.Clone(data)
	refused := m.Exec(&c.Inst, start+uint64(c.at), c.size)
	switch {
	case errors.Is(refused, errors.ErrUnsupported):
		return false, refused
	case errors.Is(refused, ErrTileConfig) && c.Op != LDTILECFG: // not a panic on the processor, but the end
		return false, fmt.Errorf("%s: %w: the test's tiles do not fit", c.Inst, refused)
	}
	fault := c.run(&s)
	switch {
	case (refused != nil) != (fault != nil):
		return false, fmt.Errorf("%s: emulator: %v, processor: %v; memory is at %#x", c.Inst, refused, fault, base)
	case fault != nil && fault.Offset != c.at:
		return false, fmt.Errorf("%s: %v, want a fault at %#x", c.Inst, fault, c.at)
	case fault != nil:
		return false, nil
	}

	var diff []string
	for i := range 16 {
		if i != rsp && s.gp[i] != m.GP[i] {
			diff = append(diff,
				fmt.Sprintf("%s: processor %#x, emulator %#x, before %#x", GP(i), s.gp[i], m.GP[i], before.gp[i]))
		}
	}
	if check := AllFlags &^ m.Undefined(); (s.flags^m.Flags)&check != 0 {
		diff = append(diff, fmt.Sprintf("flags: processor %#x, emulator %#x, compared %#x", s.flags&AllFlags, m.Flags,
			check))
	}
	if hw := uint32(s.mxcsr); (hw^m.MXCSR)&^0x3f != 0 {
		diff = append(diff, fmt.Sprintf("mxcsr: processor %#x, emulator %#x", hw, m.MXCSR))
	}
	for i := range 8 {
		if s.k[i] != m.K[i] {
			diff = append(diff, fmt.Sprintf("k%d: processor %#x, emulator %#x, before %#x", i, s.k[i], m.K[i],
				before.k[i]))
		}
	}
	for i := range 32 {
		if s.v[i] != m.V[i] {
			diff = append(diff,
				fmt.Sprintf("v%d: processor %x\n      emulator  %x\n      before    %x", i, s.v[i], m.V[i],
					before.v[i]))
		}
	}
	if tiled {
		diff = append(diff, compareTiles(&s.tiles, &m.Tiles, &before.tiles)...)
	}
	if c.Op == STMXCSR { // exception flags are not tracked
		for i := range data {
			if data[i] != emulated[i] && (data[i]^emulated[i])&^0x3f == 0 {
				data[i] = emulated[i]
			}
		}
	}
	if !slices.Equal(data, emulated) {
		i := 0
		for data[i] == emulated[i] {
			i++
		}
		diff = append(diff, fmt.Sprintf("memory at %d: processor %x\nemulator %x\n before %x", i,
			data[i:min(i+64, len(data))], emulated[i:min(i+64, len(data))], old[i:min(i+64, len(data))]))
	}
	if len(diff) == 0 {
		return true, nil
	}
	for _, x := range c.Inst.Args {
		if x.Kind == RegArg && isVector(x.Reg) {
			diff = append(diff, fmt.Sprintf("%s was %x", x.Reg, before.v[x.Reg.Num()][:x.Reg.Class().Bytes()]))
		}
		if x.Kind == RegArg && x.Reg.Class() <= R64 {
			diff = append(diff, fmt.Sprintf("%s was %x", x.Reg, before.gp[x.Reg.Num()]))
		}
		if x.Kind == MemArg {
			e := exec{m: New()}
			e.m.GP = before.gp
			if at := e.address(&x) - base; at < uint64(len(old)) {
				diff = append(diff, fmt.Sprintf("memory was %x", old[at:min(int(at)+64, len(old))]))
			}
		}
	}
	return false, fmt.Errorf("%s (mxcsr %#x, mask %#x)\n  %s", c.Inst, before.mxcsr, before.k[c.Inst.Mask.Num()],
		strings.Join(diff, "\n  "))
}

// run runs the code and returns the fault, if there is one.
func (c *trial) run(s *state) (fault *rt.CodeFault) {
	defer func() {
		if err, ok := recover().(error); ok && !errors.As(err, &fault) {
			panic(err)
		}
	}()
	c.code.CallFlushing(unsafe.Pointer(s))
	return nil
}

// aim sets registers so that memory operands lie in the data.
func (c *trial) aim(r *rand.Rand, s *state, at uint64) {
	for _, a := range c.Args {
		if a.Kind != MemArg || a.Reg == RIP || c.Op == LEA {
			continue
		}
		target := at + uint64(r.IntN(dataBytes-128))
		switch {
		case c.Op == LDMXCSR:
			target &^= 3
		case r.IntN(2) == 0:
			target &^= 63
		}
		switch {
		case a.Index.Class() >= XMM:
			v := (*vec)(&s.v[a.Index.Num()])
			w := indexBytes(c.Op)
			for i := range a.Index.Class().Bytes() / w {
				v.put(i, w, uint64(r.IntN(60)-30))
			}
		case a.Index != 0 && a.Reg != 0:
			index := uint64(r.IntN(1 << 20))
			s.gp[a.Index.Num()] = index
			target -= index * uint64(a.Scale)
		case a.Index != 0: // times 1
			s.gp[a.Index.Num()] = target - uint64(a.Val)
			continue
		}
		s.gp[a.Reg.Num()] = target - uint64(a.Val)
	}
}

// indexBytes returns the size of the indices of a gather.
func indexBytes(op Op) int {
	if strings.Contains(op.String(), "gatherd") {
		return 4
	}
	return 8
}

func randomMXCSR(r *rand.Rand) uint32 {
	v := uint32(DefaultMXCSR) | r.Uint32N(4)<<13
	return v | [4]uint32{0, FTZ | DAZ, FTZ, DAZ}[r.IntN(4)]
}

// randomState fills a state; without AVX-512 it has no masks and vectors of 256 bits.
func randomState(r *rand.Rand, s *state, wide bool) {
	for i := range s.gp {
		s.gp[i] = r.Uint64() >> r.IntN(64)
		if r.IntN(2) == 0 {
			s.gp[i] = -s.gp[i]
		}
	}
	s.flags = r.Uint64()&AllFlags | 0x202
	s.mxcsr = uint64(randomMXCSR(r))
	if !wide {
		for i := range 16 {
			fill(r, s.v[i][:32])
		}
		return
	}
	for i := range s.k {
		s.k[i] = [4]uint64{r.Uint64(), r.Uint64(), ^uint64(0), 0}[r.IntN(4)]
	}
	for i := range s.v {
		fill(r, s.v[i][:])
	}
}
