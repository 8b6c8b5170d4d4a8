package arm64

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestDecode: what is decoded encodes to the same word, and every instruction is decoded as itself.
func TestDecode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	known := 0
	for range 200_000 {
		code := binary.LittleEndian.AppendUint32(nil, r.Uint32())
		in, err := Decode(code)
		if err != nil {
			if !errors.Is(err, ErrUnknown) {
				t.Fatal(err)
			}
			continue
		}
		known++
		if encoded, err := in.Append(nil); err != nil || string(encoded) != string(code) {
			t.Fatalf("% x is decoded as %s, which is % x, error %v", code, in, encoded, err)
		}
	}
	if known < 1000 {
		t.Errorf("only %d of 200,000 words are instructions", known)
	}
	for _, s := range Samples(r, 20) {
		code, err := s.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		in, err := Decode(code)
		if err != nil || in != s.Inst {
			t.Fatalf("%s: decoded as %s, error %v", s, in, err)
		}
		if needs, err := s.Inst.Needs(); err != nil || needs != s.Needs {
			t.Fatalf("%s needs %q, want %q, error %v", s, needs, s.Needs, err)
		}
	}
	for n := range 4 {
		if _, err := Decode(make([]byte, n)); !errors.Is(err, ErrUnknown) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// TestImmediates: every bit mask and float of 8 bits has one encoding, and other numbers have none.
func TestImmediates(t *testing.T) {
	for _, width := range []int{32, 64} {
		masks := map[uint64]bool{}
		for n := range uint32(1 << 13) {
			v := decodeBitMask(n, width)
			if v == 0 {
				continue
			}
			masks[v] = true
			m, ok := encodeBitMask(v, width)
			if back := decodeBitMask(m, width); !ok || back != v {
				t.Fatalf("%#x of %d bits is encoded as %#x, which is %#x", v, width, m, back)
			}
		}
		// The runs of ones shorter than an element, at each position, of elements of 2 to width bits.
		want := 0
		for size := 2; size <= width; size *= 2 {
			want += size * (size - 1)
		}
		if len(masks) != want {
			t.Errorf("%d masks of %d bits, want %d", len(masks), width, want)
		}
	}
	for _, v := range []uint64{0, math.MaxUint64, 5, 0x1_0000_0000_0001, 0x123456789} {
		if n, ok := encodeBitMask(v, 64); ok {
			t.Errorf("%#x is not a mask, but is encoded as %#x", v, n)
		}
	}
	if _, ok := encodeBitMask(0x1_0000_0001, 32); ok {
		t.Error("a mask of 33 bits is encoded in 32")
	}
	for n := range uint32(256) {
		if m, ok := encodeFloat8(decodeFloat8(n)); !ok || m != n {
			t.Errorf("float %#x (%v) is encoded as %#x", n, decodeFloat8(n), m)
		}
		if m, ok := encodeByteMask(decodeByteMask(n)); !ok || m != n {
			t.Errorf("mask of bytes %#x is encoded as %#x", n, m)
		}
	}
	if decodeFloat8(0x70) != 1 || decodeFloat8(0) != 2 || decodeFloat8(0xc0) != -0.125 {
		t.Errorf("floats of 8 bits: %v %v %v", decodeFloat8(0x70), decodeFloat8(0), decodeFloat8(0xc0))
	}
	for _, x := range []float64{0, math.NaN(), math.Inf(1), 1.03, 32} {
		if n, ok := encodeFloat8(x); ok {
			t.Errorf("%v is encoded as %#x", x, n)
		}
	}
}

// TestAssembler: labels in both directions, constants, and alignment.
func TestAssembler(t *testing.T) {
	var a Assembler
	loop, end := a.NewLabel(), a.NewLabel()
	one := []byte{0, 0, 128, 63}
	a.Emit(LDR, S(1), a.Const(one))
	a.Emit(LDR, Q(2), a.Const(make([]byte, 16)))
	a.Emit(LDR, S(3), a.Const(one))
	a.Emit(CBZ, X(2), end)
	a.Align(16)
	a.Bind(loop)
	a.Emit(LDR, Q(0), Post(X(0), 16))
	a.Emit(FMLA, V4S(4), V4S(0), Elem(ElemS, 1, 0))
	a.Emit(SUBS, X(2), X(2), Imm(1))
	a.Emit(BNE, loop)
	a.Bind(end)
	a.Emit(ADR, X(3), end)
	a.Emit(RET, X(30))
	n := a.Len()
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	const want = `
    0  1c000181 ldr s1, 0x30
    4  9c0001e2 ldr q2, 0x40
    8  1c000143 ldr s3, 0x30
    c  b40000a2 cbz x2, 0x20
   10  3cc10400 ldr q0, [x0], #16
   14  4f811004 fmla v4.4s, v0.4s, v1.s[0]
   18  f1000442 subs x2, x2, #1
   1c  54ffffa1 b.ne 0x10
   20  10000003 adr x3, 0x20
   24  d65f03c0 ret x30
   28  00 00 00 00 00 00 00 00 00 00 80 3f 00 00 00 00
   38  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
   48  00 00 00 00 00 00 00 00
`
	if got := "\n" + Listing(code, n); got != want {
		t.Errorf("got%s", got)
	}
}

// TestAssemblerErrors: a mistake is the error of Finish, and names the instruction.
func TestAssemblerErrors(t *testing.T) {
	for want, emit := range map[string]func(a *Assembler){
		"add x0, x1, #5000: no form":      func(a *Assembler) { a.Emit(ADD, X(0), X(1), Imm(5000)) },
		"fadd v0.4s, v1.4s, v2.2d":        func(a *Assembler) { a.Emit(FADD, V4S(0), V4S(1), V2D(2)) },
		"ldr q0, [x1, #8]":                func(a *Assembler) { a.Emit(LDR, Q(0), Mem(X(1), 8)) },
		"ldr x0, [xzr]":                   func(a *Assembler) { a.Emit(LDR, X(0), Mem(XZR, 0)) },
		"lsl #64":                         func(a *Assembler) { a.Emit(ADD, X(0), X(1), Shifted(X(2), LSL, 64)) },
		"6 operands":                      func(a *Assembler) { a.Emit(ADD, X(0), X(0), X(0), X(0), X(0), X(0)) },
		"label 1 is not bound":            func(a *Assembler) { a.Emit(B, a.NewLabel()) },
		"label 7 is not of this code":     func(a *Assembler) { a.Emit(B, Label(7)) },
		"is already bound":                func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Bind(l) },
		"invalid":                         func(a *Assembler) { a.Emit(numOps) },
		"the target is 32768 bytes away":  func(a *Assembler) { farBranch(a, 8191) },
		"v3.s[4]: no form of the instruc": func(a *Assembler) { a.Emit(FMLA, V4S(0), V4S(1), Elem(ElemS, 3, 4)) },
		"v16.h[0]":                        func(a *Assembler) { a.Emit(FMLA, V8H(0), V8H(1), Elem(ElemH, 16, 0)) },
	} {
		var a Assembler
		emit(&a)
		_, err := a.Finish()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	var near Assembler
	farBranch(&near, 8190)
	if _, err := near.Finish(); err != nil {
		t.Error(err)
	}
}

// farBranch emits a test of a bit that branches over n instructions.
func farBranch(a *Assembler, n int) {
	l := a.NewLabel()
	a.Emit(TBZ, X(0), Imm(3), l)
	for range n {
		a.Emit(NOP)
	}
	a.Bind(l)
	a.Emit(NOP)
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0xc0, 0x03, 0x5f, 0xd6}, uint8(4))
	f.Fuzz(func(t *testing.T, code []byte, n uint8) {
		if in, err := Decode(code); err == nil {
			if back, err := in.Append(nil); err != nil || string(back) != string(code[:4]) {
				t.Fatalf("%s: % x, %v; want % x", in, back, err, code[:4])
			}
		}
		_ = Listing(code, min(int(n), len(code)))
	})
}
