package amd64

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// samples are [Samples] of a seed.
func samples(seed uint64, n int) []Inst {
	var all []Inst
	for _, s := range Samples(rand.New(rand.NewPCG(seed, 1)), n) {
		all = append(all, s.Inst)
	}
	return all
}

// TestRoundTrip decodes encoded instructions: the same instruction comes back.
func TestRoundTrip(t *testing.T) {
	for _, in := range samples(3, 4) {
		checkRoundTrip(t, in)
	}
}

func checkRoundTrip(t *testing.T, in Inst) {
	t.Helper()
	b, err := in.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	got, n, err := Decode(append(b, 0xcc, 0xcc))
	if err != nil || n != len(b) || got != in {
		t.Fatalf("% x is %s; decoded as %s of %d bytes, error %v\n%+v\n%+v", b, in, got, n, err, in, got)
	}
	for cut := range b {
		if _, _, err := Decode(b[:cut]); err == nil {
			// A prefix of an instruction may be an instruction itself.
			if short, n, _ := Decode(b[:cut]); n > cut {
				t.Fatalf("% x, truncated to %d bytes, is decoded as %s of %d", b, cut, short, n)
			}
		} else if !errors.Is(err, ErrUnknown) {
			t.Fatal(err)
		}
	}
}

// FuzzEncode generates instructions of any row from a seed and decodes their bytes.
func FuzzEncode(f *testing.F) {
	f.Add(uint64(1), 0)
	f.Fuzz(func(t *testing.T, seed uint64, row int) {
		r := sampler{rand.New(rand.NewPCG(seed, 5))}
		table := tables[uint(row)%uint(len(tables))]
		form := &table[uint(row>>4)%uint(len(table))]
		for l := range form.forLengths {
			checkRoundTrip(t, r.inst(form, l))
		}
	})
}

// FuzzDecode decodes any bytes and encodes the result to the same bytes.
func FuzzDecode(f *testing.F) {
	for _, in := range samples(11, 1) {
		b, _ := in.Append(nil)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, code []byte) {
		in, n, err := Decode(code)
		if err != nil {
			if !errors.Is(err, ErrUnknown) {
				t.Fatal(err)
			}
			return
		}
		encoded, err := in.Append(nil)
		if err != nil || !bytes.Equal(encoded, code[:n]) {
			t.Fatalf("% x is decoded as %s, encoded as % x, error %v", code[:n], in, encoded, err)
		}
		if _, err := in.Needs(); err != nil || in.String() == "" {
			t.Fatal(in, err)
		}
	})
}

// TestDecodeRandomBytes is FuzzDecode on random bytes behind each opcode.
func TestDecodeRandomBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 200_000 {
		code := make([]byte, 12)
		for i := range code {
			code[i] = byte(r.Uint32())
		}
		switch r.IntN(3) {
		case 0:
			code[0], code[1], code[2] = 0x62, code[1]&0xf7, code[2]|4
		case 1:
			code[0], code[1] = 0xc4, code[1]&0xe3
		}
		in, n, err := Decode(code)
		if err != nil {
			continue
		}
		read++
		if encoded, err := in.Append(nil); err != nil || !bytes.Equal(encoded, code[:n]) {
			t.Fatalf("% x is decoded as %s, encoded as % x, error %v", code[:n], in, encoded, err)
		}
	}
	if read < 1000 {
		t.Errorf("only %d of the byte strings were instructions", read)
	}
}

func TestOperandErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Inst
		want string
	}{
		{"mixed lengths", inst(VADDPS, Z(0), Y(1), Z(2)), "no form"},
		{"too few", inst(VADDPS, Z(0), Z(1)), "no form"},
		{"not this kind", inst(VADDPS, RAX, RCX, RDX), "no form"},
		{"two memories", inst(MOV, Mem(RAX, 0), Mem(RCX, 0)), "no form"},
		{"size of memory", inst(ADD, Mem(RAX, 0), Imm(1)), "must have a size"},
		{"size of memory behind a vector", inst(VCVTPD2PS, X(0), Mem(RAX, 0)), "must have a size"},
		{"size of broadcast memory", inst(VCVTPD2PS, X(0), Mem(RAX, 0).Broadcast(8)), "must have a size"},
		{"wrong size", inst(VADDPS, Z(0), Z(1), Mem(RAX, 0).Sized(32)), "no form"},
		{"element of a broadcast", inst(VADDPS, Z(0), Z(1), Mem(RAX, 0).Broadcast(8)), "no form"},
		{"broadcast without EVEX", inst(VMASKMOVPS, Y(0), Y(1), Mem(RAX, 0).Broadcast(4)), "no form"},
		{"registers above 15 without EVEX", inst(VMASKMOVPS, Y(16), Y(1), Mem(RAX, 0)), "no form"},
		{"index rsp", inst(LEA, RAX, MemIndex(RAX, RSP, 1, 0)), "no form"},
		{"scale", inst(LEA, RAX, MemIndex(RAX, RCX, 3, 0)), "no form"},
		{"index of rip", inst(LEA, RAX, MemIndex(RIP, RCX, 1, 0)), "no form"},
		{"displacement", inst(LEA, RAX, Mem(RAX, 1<<31)), "no form"},
		{"immediate", inst(SHL, RAX, Imm(256)), "no form"},
		{"negative immediate", inst(VPSLLD, Z(0), Z(0), Imm(-1)), "no form"},
		{"immediate of 64 bits", inst(ADD, RAX, Imm(1<<31)), "no form"},
		{"mask of a VEX form", masked(inst(VMASKMOVPS, Y(0), Y(1), Mem(RAX, 0)), K(1), false), "no form"},
		{"mask 0", masked(inst(VADDPS, Z(0), Z(1), Z(2)), K(0), false), "no form"},
		{"zeroing a store", masked(inst(VMOVUPS, Mem(RAX, 0), Z(0)), K(1), true), "no form"},
		{"zeroing without a mask", Inst{Op: VADDPS, Args: inst(VADDPS, Z(0), Z(1), Z(2)).Args, Zero: true}, "no form"},
		{"gather without a mask", inst(VPGATHERDD, Z(0), MemIndex(RAX, Z(1), 4, 0)), "no form"},
		{"gather of its index", masked(inst(VPGATHERDD, Z(1), MemIndex(RAX, Z(1), 4, 0)), K(1), false), "no form"},
		{"gather without an index", masked(inst(VPGATHERDD, Z(1), Mem(RAX, 0)), K(1), false), "no form"},
		{"vector index elsewhere", inst(VMOVUPS, Z(1), MemIndex(RAX, Z(2), 4, 0)), "no form"},
		{"one tile twice", inst(TDPBF16PS, T(1), T(1), T(2)), "no form"},
		{"tile at rip", inst(TILELOADD, T(1), Mem(RIP, 0)), "no form"},
		{"rounding of memory", rounded(inst(VADDPS, Z(0), Z(1), Mem(RAX, 0)), Up), "no form"},
		{"rounding of 256 bits", rounded(inst(VADDPS, Y(0), Y(1), Y(2)), Up), "no form"},
		{"unsupported rounding", rounded(inst(VMAXPS, Z(0), Z(1), Z(2)), Up), "no form"},
		{"only no exceptions", rounded(inst(VADDPS, Z(0), Z(1), Z(2)), NoExceptions), "no form"},
		{"no mnemonic", Inst{}, "no form"},
		{"mnemonic out of range", Inst{Op: numOps}, "no form"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := c.in.Append([]byte{1})
			var typed *OperandError
			if !errors.As(err, &typed) || !strings.Contains(err.Error(), c.want) || len(b) != 1 {
				t.Errorf("%s: bytes % x, error %v, want one with %q", c.in, b, err, c.want)
			}
			if _, err := c.in.Needs(); err == nil {
				t.Error("it has features")
			}
		})
	}
}

func inst(op Op, operands ...Operand) Inst {
	in := Inst{Op: op}
	for i, x := range operands {
		in.Args[i] = argOf(x)
	}
	return in
}

func masked(in Inst, k Reg, zero bool) Inst {
	in.Mask, in.Zero = k, zero
	return in
}

func rounded(in Inst, r Rounding) Inst {
	in.Round = r
	return in
}

func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		in   Inst
		want Feature
	}{
		{inst(ADD, RAX, RCX), X64},
		{inst(VADDPS, Y(0), Y(1), Y(15)), AVX},
		{inst(VPADDD, Y(0), Y(1), Y(15)), AVX2},
		{inst(VADDPS, Y(0), Y(1), Y(16)), AVX512F | AVX512VL},
		{inst(VADDPS, Z(0), Z(1), Z(2)), AVX512F},
		{inst(VADDSS, X(0), X(1), X(16)), AVX512F},
		{inst(VMOVD, X(16), GP32(1)), AVX512F},
		{inst(VMOVDDUP, X(16), X(1)), AVX512F | AVX512VL},
		{inst(VPMULLQ, X(0), X(1), X(2)), AVX512DQ | AVX512VL},
		{inst(VPDPBUSD, Z(0), Z(1), Z(2)), AVX512VNNI},
		{inst(VEX_VPDPBUSD, Y(0), Y(1), Y(2)), AVXVNNI},
		{inst(VCVTPH2PSX, Z(0), Y(1)), AVX512FP16},
		{inst(TDPBF16PS, T(0), T(1), T(2)), AMXBF16},
	} {
		if got, err := c.in.Needs(); err != nil || got != c.want {
			t.Errorf("%s needs %q, error %v; want %q", c.in, got, err, c.want)
		}
	}
}

func TestLabels(t *testing.T) {
	var a Assembler
	top, end := a.NewLabel(), a.NewLabel()
	a.Bind(top)
	a.Emit(DEC, RCX)
	a.Emit(JE, end)
	a.Emit(JMP, top)
	for range 40 {
		a.Emit(LEA, RAX, Mem(RAX, 1))
	}
	a.Emit(JNE, top)
	a.Bind(end)
	a.Emit(VADDPS, Z(1), Z(1), a.Const(Float32(1)).Broadcast(4))
	a.Emit(VADDPS, X(1), X(1), a.Const(make([]byte, 16)))
	a.Emit(VADDPS, Z(1), Z(1), a.Const(Float32(1)).Broadcast(4))
	a.Emit(RET)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	var jumps []int
	var consts [][]byte
	n := a.Len()
	for at := 0; at < n; {
		in, size, err := Decode(code[at:n])
		if err != nil {
			t.Fatalf("at %d: %v", at, err)
		}
		at += size
		for _, x := range in.Args {
			switch {
			case in.Op == DEC || in.Op == LEA:
			case x.Kind == ImmArg:
				jumps = append(jumps, at+int(x.Val))
			case x.Kind == MemArg:
				consts = append(consts, code[at+int(x.Val):][:4])
				if x.Elem == 0 && (at+int(x.Val))%16 != 0 {
					t.Errorf("a constant of 16 bytes is at %d", at+int(x.Val))
				}
			}
		}
	}
	// dec is 3 bytes, je 6, jmp 2, lea 4 each, jne 6.
	if want := []int{3 + 6 + 2 + 160 + 6, 0, 0}; len(jumps) != 3 || jumps[0] != want[0] || jumps[1] != 0 ||
		jumps[2] != 0 {
		t.Errorf("jumps to %d, want %d", jumps, want)
	}
	if !bytes.Equal(consts[0], Float32(1)) || !bytes.Equal(consts[1], make([]byte, 4)) ||
		&consts[0][0] != &consts[2][0] {
		t.Errorf("constants % x; the first and the third must be shared", consts)
	}
}

func TestAlign(t *testing.T) {
	for offset := range 65 {
		var a Assembler
		for range offset {
			a.Emit(RET)
		}
		a.Align(64)
		code, err := a.Finish()
		if err != nil || len(code) != (offset+63)&^63 {
			t.Fatalf("%d bytes become %d, error %v", offset, len(code), err)
		}
		for at := offset; at < len(code); {
			in, n, err := Decode(code[at:])
			if err != nil || in.Op != NOP {
				t.Fatalf("% x: %s, error %v", code[offset:], in, err)
			}
			at += n
		}
	}
}

func TestAssemblerErrors(t *testing.T) {
	for name, write := range map[string]func(a *Assembler){
		"unbound label":       func(a *Assembler) { a.Emit(JMP, a.NewLabel()) },
		"label of other code": func(a *Assembler) { a.Emit(JMP, Label(3)) },
		"label bound twice":   func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Bind(l) },
		"label as an operand": func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Emit(ADD, RAX, l) },
		"five operands":       func(a *Assembler) { a.Emit(ADD, RAX, RAX, RAX, RAX, RAX) },
		"operands":            func(a *Assembler) { a.Emit(VADDPS, RAX); a.Emit(RET) },
		"unknown label bound": func(a *Assembler) { a.Bind(Label(1)) },
	} {
		var a Assembler
		write(&a)
		if code, err := a.Finish(); err == nil {
			t.Errorf("%s: no error, code % x", name, code)
		}
	}
}

func TestListing(t *testing.T) {
	var a Assembler
	end := a.NewLabel()
	a.Emit(VADDPS, Y(0), Y(1), a.Const(Float32(1)).Sized(32))
	a.Emit(JE, end)
	a.Bind(end)
	a.Emit(RET)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	want := "    0  c5f4580538000000         vaddps ymm0, ymm1, ymmword ptr [rip+56]\n" +
		"    8  0f8400000000             je 0xe\n" +
		"    e  c3                       ret\n"
	if got := Listing(code[:a.Len()], a.Len()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	got := Listing(code, a.Len())
	if want += "    f  00 00"; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "   3f  00 00 00 80 3f\n") {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := Listing([]byte{0xc3, 6, 7}, 3); got != "    0  c3                       ret\n    1  06 07\n" {
		t.Errorf("got\n%s", got)
	}
}

func TestRegisterNames(t *testing.T) {
	for r, want := range map[Reg]string{
		RAX: "rax", GP(8): "r8", GP32(9): "r9d", MakeReg(R16, 3): "bx", MakeReg(R8, 4): "spl", MakeReg(R8, 15): "r15b",
		X(31): "xmm31", Y(0): "ymm0", Z(7): "zmm7", K(3): "k3", T(2): "tmm2", RIP: "rip", X(5).As(ZMM): "zmm5",
		0: "none",
	} {
		if r.String() != want {
			t.Errorf("%d is %s, want %s", r, r, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("register zmm32 does not exist")
		}
	}()
	Z(32)
}

// TestEmitAllocates writes code into allocated memory: operands must not allocate.
func TestEmitAllocates(t *testing.T) {
	var a Assembler
	a.code = make([]byte, 0, 1000)
	c := a.Const(Float32(2)).Broadcast(4)
	allocs := testing.AllocsPerRun(100, func() {
		a.code, a.fixes = a.code[:0], a.fixes[:0]
		a.Emit(VFMADD231PS, Z(1), Z(2), Mem(RDI, 64))
		a.Masked(K(1), true, VADDPS, Z(1), Z(2), c)
		a.Emit(ADD, RAX, Imm(5))
	})
	if allocs != 0 || a.err != nil {
		t.Errorf("%g allocations, error %v", allocs, a.err)
	}
}

func BenchmarkEmit(b *testing.B) {
	b.ReportAllocs()
	var a Assembler
	for b.Loop() {
		a.code = a.code[:0]
		for range 100 {
			a.Emit(VFMADD231PS, Z(1), Z(2), Mem(RDI, 64))
		}
	}
}
