package emulator

import (
	"math/bits"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
)

// byWidth are the mnemonics of an operation on integers of 1, 2, 4 and 8 bytes, 0 if there is none.
type byWidth [4]amd64.Op

func (b byWidth) each(yield func(w int, op amd64.Op) bool) {
	for i, op := range b {
		if op != 0 && !yield(1<<i, op) {
			return
		}
	}
}

func ones(w int) uint64 { return ^uint64(0) >> (64 - 8*w) }

func init() {
	for _, c := range []struct {
		ops byWidth
		f   func(w int, a, b uint64) uint64
	}{
		{byWidth{amd64.VPADDB, amd64.VPADDW, amd64.VPADDD, amd64.VPADDQ},
			func(_ int, a, b uint64) uint64 { return a + b }},
		{byWidth{amd64.VPSUBB, amd64.VPSUBW, amd64.VPSUBD, amd64.VPSUBQ},
			func(_ int, a, b uint64) uint64 { return a - b }},
		{byWidth{0, amd64.VPMULLW, amd64.VPMULLD, amd64.VPMULLQ}, func(_ int, a, b uint64) uint64 { return a * b }},
		{byWidth{amd64.VPMINSB, amd64.VPMINSW, amd64.VPMINSD, amd64.VPMINSQ},
			func(w int, a, b uint64) uint64 { return uint64(min(signExtend(a, w), signExtend(b, w))) }},
		{byWidth{amd64.VPMAXSB, amd64.VPMAXSW, amd64.VPMAXSD, amd64.VPMAXSQ},
			func(w int, a, b uint64) uint64 { return uint64(max(signExtend(a, w), signExtend(b, w))) }},
		{byWidth{amd64.VPMINUB, amd64.VPMINUW, amd64.VPMINUD, amd64.VPMINUQ},
			func(_ int, a, b uint64) uint64 { return min(a, b) }},
		{byWidth{amd64.VPMAXUB, amd64.VPMAXUW, amd64.VPMAXUD, amd64.VPMAXUQ},
			func(_ int, a, b uint64) uint64 { return max(a, b) }},
		{byWidth{0, 0, 0, amd64.VPMULUDQ}, func(_ int, a, b uint64) uint64 { return a & ones(4) * (b & ones(4)) }},
		{byWidth{0, 0, amd64.VPSLLVD, amd64.VPSLLVQ}, shiftLeft},
		{byWidth{0, 0, amd64.VPSRLVD, amd64.VPSRLVQ}, shiftRight},
		{byWidth{0, 0, amd64.VPSRAVD, amd64.VPSRAVQ}, shiftSigned},
		{byWidth{0, 0, amd64.VPANDD, amd64.VPANDQ}, func(_ int, a, b uint64) uint64 { return a & b }},
		{byWidth{0, 0, amd64.VPORD, amd64.VPORQ}, func(_ int, a, b uint64) uint64 { return a | b }},
		{byWidth{0, 0, amd64.VPXORD, amd64.VPXORQ}, func(_ int, a, b uint64) uint64 { return a ^ b }},
		{byWidth{0, 0, 0, amd64.VPAND}, func(_ int, a, b uint64) uint64 { return a & b }},
		{byWidth{0, 0, 0, amd64.VPANDN}, func(_ int, a, b uint64) uint64 { return ^a & b }},
		{byWidth{0, 0, 0, amd64.VPOR}, func(_ int, a, b uint64) uint64 { return a | b }},
		{byWidth{0, 0, 0, amd64.VPXOR}, func(_ int, a, b uint64) uint64 { return a ^ b }},
	} {
		for w, op := range c.ops.each {
			def(op, lanes2(w, func(_ *exec, a, b uint64) uint64 { return c.f(w, a, b) }))
		}
	}

	for w, op := range (byWidth{amd64.VPABSB, amd64.VPABSW, amd64.VPABSD, amd64.VPABSQ}).each {
		def(op, lanes1(w, func(_ *exec, a uint64) uint64 {
			s := signExtend(a, w)
			if s < 0 {
				s = -s
			}
			return uint64(s)
		}))
	}

	for _, c := range []struct {
		ops byWidth
		f   func(w int, a, b uint64) uint64
	}{
		{byWidth{0, amd64.VPSLLW, amd64.VPSLLD, amd64.VPSLLQ}, shiftLeft},
		{byWidth{0, amd64.VPSRLW, amd64.VPSRLD, amd64.VPSRLQ}, shiftRight},
		{byWidth{0, amd64.VPSRAW, amd64.VPSRAD, amd64.VPSRAQ}, shiftSigned},
		{byWidth{0, 0, amd64.VPROLD, amd64.VPROLQ}, rotateLeft},
	} {
		for w, op := range c.ops.each {
			def(op, shiftByOne(w, c.f))
		}
	}

	for _, c := range []struct {
		ops byWidth
		f   func(w int, a, b uint64) bool
	}{
		{byWidth{amd64.VPCMPEQB, amd64.VPCMPEQW, amd64.VPCMPEQD, amd64.VPCMPEQQ},
			func(_ int, a, b uint64) bool { return a == b }},
		{byWidth{amd64.VPCMPGTB, amd64.VPCMPGTW, amd64.VPCMPGTD, amd64.VPCMPGTQ},
			func(w int, a, b uint64) bool { return signExtend(a, w) > signExtend(b, w) }},
		{byWidth{0, 0, amd64.VPTESTMD, amd64.VPTESTMQ}, func(_ int, a, b uint64) bool { return a&b != 0 }},
	} {
		for w, op := range c.ops.each {
			def(op, compare(w, func(_ *exec, a, b uint64) bool { return c.f(w, a, b) }))
		}
	}
	for w, op := range (byWidth{amd64.VPCMPB, amd64.VPCMPW, amd64.VPCMPD, amd64.VPCMPQ}).each {
		def(op, compare(w, func(x *exec, a, b uint64) bool {
			return ordered(x.imm(), signExtend(a, w), signExtend(b, w))
		}))
	}
	for w, op := range (byWidth{amd64.VPCMPUB, amd64.VPCMPUW, amd64.VPCMPUD, amd64.VPCMPUQ}).each {
		def(op, compare(w, func(x *exec, a, b uint64) bool { return ordered(x.imm(), a, b) }))
	}

	def(amd64.VPTERNLOGD, lanes3(4, func(x *exec, a, b, d uint64) uint64 {
		var r uint64
		for i := range 32 {
			r |= x.imm() >> (d>>i&1<<2 | a>>i&1<<1 | b>>i&1) & 1 << i
		}
		return r
	}))
	def(amd64.VPMADDWD, lanes2(4, func(_ *exec, a, b uint64) uint64 {
		return uint64(signExtend(a, 2)*signExtend(b, 2) + signExtend(a>>16, 2)*signExtend(b>>16, 2))
	}))
	def(amd64.VPMADDUBSW, lanes2(2, func(_ *exec, a, b uint64) uint64 {
		return saturate(int64(a&0xff)*signExtend(b, 1)+int64(a>>8)*signExtend(b>>8, 1), 2)
	}))
	def(amd64.VPTEST, testBits)
	def(amd64.VPSLLDQ, shiftBytes(1))
	def(amd64.VPSRLDQ, shiftBytes(-1))
}

func shiftLeft(w int, a, n uint64) uint64 {
	if n >= uint64(8*w) {
		return 0
	}
	return a << n
}

func shiftRight(w int, a, n uint64) uint64 {
	if n >= uint64(8*w) {
		return 0
	}
	return a >> n
}

func shiftSigned(w int, a, n uint64) uint64 {
	return uint64(signExtend(a, w) >> min(n, uint64(8*w-1)))
}

func rotateLeft(w int, a, n uint64) uint64 {
	if w == 4 {
		return uint64(bits.RotateLeft32(uint32(a), int(n&31)))
	}
	return bits.RotateLeft64(a, int(n&63))
}

// shiftByOne shifts all elements by one count: an immediate, or the lower half of a vector.
func shiftByOne(w int, f func(w int, a, n uint64) uint64) execFunc {
	return func(x *exec) error {
		n := x.vl / w
		var count uint64
		a, err := vec{}, error(nil)
		if x.in.Args[2].Kind == amd64.ImmArg {
			count = x.imm()
			a, err = x.read(1, w, n)
		} else {
			var c vec
			if c, err = x.vector(2); err != nil {
				return err
			}
			count = c.get(0, 8)
			a, err = x.vector(1)
		}
		if err != nil {
			return err
		}
		var r vec
		for i := range n {
			r.put(i, w, f(w, a.get(i, w), count))
		}
		return x.write(&r, w, n)
	}
}

// ordered compares by the immediate of VPCMP.
func ordered[T int64 | uint64](imm uint64, a, b T) bool {
	switch imm & 7 {
	case 0:
		return a == b
	case 1:
		return a < b
	case 2:
		return a <= b
	case 3:
		return false
	case 4:
		return a != b
	case 5:
		return a >= b
	case 6:
		return a > b
	}
	return true
}

// testBits compares the bits of two vectors: ZF tells that none is in both, CF that none is only in the second.
func testBits(x *exec) error {
	a, b, err := x.vectors(0)
	if err != nil {
		return err
	}
	flags := uint64(ZF | CF)
	for i := range x.vl / 8 {
		if a.get(i, 8)&b.get(i, 8) != 0 {
			flags &^= ZF
		}
		if ^a.get(i, 8)&b.get(i, 8) != 0 {
			flags &^= CF
		}
	}
	x.m.setFlags(AllFlags, flags)
	return nil
}

// shiftBytes shifts each 16-byte lane by a number of bytes.
func shiftBytes(direction int) execFunc {
	return func(x *exec) error {
		a, err := x.vector(1)
		if err != nil {
			return err
		}
		by := int(min(x.imm(), 16)) * direction
		var r vec
		for i := range x.vl {
			if from := i%16 - by; from >= 0 && from < 16 {
				r[i] = a[i/16*16+from]
			}
		}
		return x.write(&r, 1, x.vl)
	}
}
