package emulator

import (
	"math/bits"

	"github.com/go-nx/nx/internal/cpu/asm/arm64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
)

// limits returns the smallest and the largest number of some bytes.
func limits(bytes int, isSigned bool) (low, high int64) {
	if isSigned {
		high = 1<<(8*bytes-1) - 1
		return -high - 1, high
	}
	return 0, int64(truncated(^uint64(0), bytes))
}

// saturated returns a number in the limits of some bytes, at most 4.
func saturated(v int64, bytes int, isSigned bool) uint64 {
	low, high := limits(bytes, isSigned)
	return uint64(max(low, min(high, v)))
}

// addSaturated adds numbers of the lanes' bytes, or subtracts them.
func addSaturated(isSigned, subtract bool) execFunc {
	return lanes(func(l *lane) uint64 {
		if l.wd < 8 {
			a, b := int64(l.a), int64(l.b)
			if isSigned {
				a, b = l.signedA(), l.signedB()
			}
			if subtract {
				b = -b
			}
			return saturated(a+b, l.wd, isSigned)
		}
		sum, carry := bits.Add64(l.a, l.b, 0)
		if subtract {
			sum, carry = bits.Sub64(l.a, l.b, 0)
		}
		if !isSigned {
			switch {
			case carry == 0:
				return sum
			case subtract:
				return 0
			}
			return ^uint64(0)
		}
		b := l.b
		if subtract {
			b = ^b
		}
		if int64((l.a^sum)&(b^sum)) < 0 { // overflow
			return uint64(int64(l.a)>>63) ^ (1<<63 - 1)
		}
		return sum
	})
}

// halved adds numbers, or subtracts them, and halves the result, which has a further bit.
func halved(isSigned bool, f func(a, b int64) int64) execFunc {
	return lanes(func(l *lane) uint64 {
		if isSigned {
			return uint64(f(l.signedA(), l.signedB()) >> 1)
		}
		return uint64(f(int64(l.a), int64(l.b)) >> 1)
	})
}

// shiftBy shifts a number to the left by a signed number of bits, the lowest byte of an operand; a shift to the right
// may round, one to the left may saturate.
func shiftBy(isSigned, rounds, saturates bool) execFunc {
	return lanes(func(l *lane) uint64 {
		by := int(int8(l.b))
		if l.x.arg(2).Kind == arm64.ImmArg {
			by = int(l.b)
		}
		return shifted(l.a, l.wd, by, isSigned, rounds, saturates)
	})
}

// shifted returns a number of some bytes after a shift to the left by a signed number of bits.
func shifted(v uint64, bytes, by int, isSigned, rounds, saturates bool) uint64 {
	low, high := limits(bytes, isSigned)
	// Wide enough for all results: the number is high·2^64 + v.
	neg := isSigned && signed(v, bytes) < 0
	switch {
	case by <= 0:
		n := -by
		x := int64(v)
		if isSigned {
			x = signed(v, bytes)
		}
		round := uint64(0)
		if rounds && n > 0 && n <= 64 {
			if n <= 63 || !isSigned {
				round = uint64(x) >> (n - 1) & 1
			} else {
				round = uint64(x>>63) & 1
			}
		}
		switch {
		case n >= 64 && neg:
			if rounds && n == 64 {
				return uint64(x>>63) + round
			}
			if rounds {
				return 0
			}
			return ^uint64(0)
		case n >= 64:
			return round
		case isSigned:
			return uint64(x>>n) + round
		}
		return uint64(x)>>n + round
	case !saturates:
		if by >= 64 {
			return 0
		}
		return v << by
	}
	if truncated(v, bytes) == 0 {
		return 0
	}
	if isSigned {
		x := signed(v, bytes)
		if by >= 8*bytes || x<<by>>by != x || x<<by > high || x<<by < low {
			if neg {
				return uint64(low)
			}
			return uint64(high)
		}
		return uint64(x << by)
	}
	if by >= 8*bytes || truncated(v<<by, bytes)>>by != v {
		return uint64(high)
	}
	return v << by
}

// shiftRight shifts by a number to the right; the result is added to the destination.
func shiftRight(isSigned, rounds, accumulates bool) execFunc {
	return lanes(func(l *lane) uint64 {
		r := shifted(l.a, l.wa, -int(l.b), isSigned, rounds, false)
		if accumulates {
			return l.d + r
		}
		return r
	})
}

// narrow makes a number narrower after a shift to the right; from and to say whether the numbers are signed.
func narrow(rounds, saturates, from, to bool) execFunc {
	return lanes(func(l *lane) uint64 {
		by := 0
		if l.x.in.NumArgs() == 3 {
			by = int(l.b)
		}
		r := shifted(l.a, l.wa, -by, from, rounds, false)
		if !saturates {
			return r
		}
		low, high := limits(l.wd, to)
		switch {
		case from:
			return uint64(max(low, min(high, signed(r, l.wa))))
		case r > uint64(high):
			return uint64(high)
		}
		return r
	})
}

// compare sets all bits of the lanes for which a condition holds.
func compare(isSigned bool, f func(order int) bool) execFunc {
	return lanes(func(l *lane) uint64 {
		a, b := l.a, l.b
		if isSigned { // the sign bit inverted, signed numbers have the order of unsigned ones
			a, b = uint64(l.signedA())^1<<63, uint64(l.signedB())^1<<63
		}
		order := 0
		switch {
		case a < b:
			order = -1
		case a > b:
			order = 1
		}
		return mask(f(order))
	})
}

func greater(o int) bool        { return o > 0 }
func greaterOrEqual(o int) bool { return o >= 0 }

// choice returns the larger or smaller of two numbers.
func choice(w int, a, b uint64, isSigned, larger bool) uint64 {
	less := a < b
	if isSigned {
		less = signed(a, w) < signed(b, w)
	}
	if less == larger {
		return b
	}
	return a
}

// extended returns the operands as numbers of 64 bits.
func (l *lane) extended(isSigned bool) (a, b uint64) {
	if isSigned {
		return uint64(l.signedA()), uint64(l.signedB())
	}
	return l.a, l.b
}

// long computes a wider number of two.
func long(isSigned bool, f func(d, a, b uint64) uint64) execFunc {
	return lanes(func(l *lane) uint64 {
		a, b := l.extended(isSigned)
		return f(l.d, a, b)
	})
}

// distance is |a-b|.
func distance(a, b uint64) uint64 {
	if int64(a) < int64(b) {
		return b - a
	}
	return a - b
}

// signedPair defines the two forms of an operation.
func signedPair(s, u arm64.Op, f func(isSigned bool) execFunc) {
	define(map[arm64.Op]execFunc{s: f(true), u: f(false)})
}

func init() {
	plain := func(f func(d, a, b uint64) uint64) execFunc {
		return lanes(func(l *lane) uint64 { return f(l.d, l.a, l.b) })
	}
	bitwise := func(f func(a, b uint64) uint64) execFunc {
		return either(logic(false, f), lanes(func(l *lane) uint64 {
			if l.x.in.NumArgs() == 2 { // with a number, the destination is an operand
				return f(l.d, l.a)
			}
			return f(l.a, l.b)
		}))
	}
	bitsOf := func(f func(a uint64, bytes int) uint64) execFunc {
		return either(unary(f), lanes(func(l *lane) uint64 { return f(l.a, l.wa) }))
	}
	define(map[arm64.Op]execFunc{
		arm64.AND: bitwise(func(a, b uint64) uint64 { return a & b }),
		arm64.BIC: bitwise(func(a, b uint64) uint64 { return a &^ b }),
		arm64.ORR: bitwise(func(a, b uint64) uint64 { return a | b }),
		arm64.ORN: bitwise(func(a, b uint64) uint64 { return a | ^b }),
		arm64.EOR: bitwise(func(a, b uint64) uint64 { return a ^ b }),
		arm64.BSL: plain(func(d, a, b uint64) uint64 { return d&a | b&^d }),
		arm64.BIT: plain(func(d, a, b uint64) uint64 { return d&^b | a&b }),
		arm64.BIF: plain(func(d, a, b uint64) uint64 { return d&b | a&^b }),
		arm64.ADD: either(add(false, false, false), plain(func(_, a, b uint64) uint64 { return a + b })),
		arm64.SUB: either(add(true, false, false), plain(func(_, a, b uint64) uint64 { return a - b })),
		arm64.MUL: plain(func(_, a, b uint64) uint64 { return a * b }),
		arm64.MLA: plain(func(d, a, b uint64) uint64 { return d + a*b }),
		arm64.MLS: plain(func(d, a, b uint64) uint64 { return d - a*b }),
		arm64.PMUL: plain(func(_, a, b uint64) uint64 {
			r := uint64(0)
			for i := range 8 {
				r ^= a << i * (b >> i & 1)
			}
			return r
		}),
		arm64.NOT: plain(func(_, a, _ uint64) uint64 { return ^a }),
		arm64.NEG: plain(func(_, a, _ uint64) uint64 { return -a }),
		arm64.ABS: lanes(func(l *lane) uint64 { return uint64(max(l.signedA(), -l.signedA())) }),
		arm64.CNT: plain(func(_, a, _ uint64) uint64 { return uint64(bits.OnesCount64(a)) }),
		arm64.CLZ: bitsOf(func(a uint64, bytes int) uint64 { return uint64(8*bytes - bits.Len64(a)) }),
		arm64.CLS: bitsOf(func(a uint64, bytes int) uint64 {
			return uint64(8*bytes - 1 - bits.Len64(truncated(uint64(signed(a, bytes)>>1)^a, bytes)&^(1<<(8*bytes-1))))
		}),
		arm64.RBIT:  bitsOf(func(a uint64, bytes int) uint64 { return bits.Reverse64(a) >> (64 - 8*bytes) }),
		arm64.SQABS: lanes(func(l *lane) uint64 { return negated(l, l.signedA() < 0) }),
		arm64.SQNEG: lanes(func(l *lane) uint64 { return negated(l, true) }),

		arm64.CMTST: plain(func(_, a, b uint64) uint64 { return mask(a&b != 0) }),
		arm64.CMEQ:  plain(func(_, a, b uint64) uint64 { return mask(a == b) }),
		arm64.CMGT:  compare(true, greater), arm64.CMHI: compare(false, greater),
		arm64.CMGE: compare(true, greaterOrEqual), arm64.CMHS: compare(false, greaterOrEqual),
		arm64.CMLT: compare(true, func(o int) bool { return o < 0 }),
		arm64.CMLE: compare(true, func(o int) bool { return o <= 0 }),

		arm64.ADDP: pairs(func(_ *exec, _ int, a, b uint64) uint64 { return a + b }),
		arm64.ADDV: across(0, func(_ *exec, _ int, a, b uint64) uint64 { return a + b }),
		arm64.SHL:  plain(func(_, a, b uint64) uint64 { return a << b }),
		arm64.SLI:  plain(func(d, a, b uint64) uint64 { return a<<b | d&(1<<b-1) }),
		arm64.SRI: lanes(func(l *lane) uint64 {
			kept := ^uint64(0) << (8*l.wd - int(l.b))
			if l.b == 0 {
				kept = 0
			}
			return l.d&kept | l.a>>l.b
		}),
		arm64.SQDMULH: lanes(func(l *lane) uint64 {
			return saturated(l.signedA()*l.signedB()>>(8*l.wd-1), l.wd, true)
		}),
		arm64.SQRDMULH: lanes(func(l *lane) uint64 {
			return saturated((l.signedA()*l.signedB()>>(8*l.wd-2)+1)>>1, l.wd, true)
		}),
		arm64.SHLL:  plain(func(_, a, b uint64) uint64 { return a << b }),
		arm64.SHLL2: plain(func(_, a, b uint64) uint64 { return a << b }),
	})
	for _, pair := range [][2]arm64.Op{{arm64.ADDHN, arm64.ADDHN2}, {arm64.SUBHN, arm64.SUBHN2}} {
		for _, op := range pair {
			isSum := pair[0] == arm64.ADDHN
			define(map[arm64.Op]execFunc{op: lanes(func(l *lane) uint64 {
				if isSum {
					return truncated(l.a+l.b, l.wa) >> (8 * l.wd)
				}
				return truncated(l.a-l.b, l.wa) >> (8 * l.wd)
			})})
		}
	}
	signedPair(arm64.SHADD, arm64.UHADD, func(s bool) execFunc {
		return halved(s, func(a, b int64) int64 { return a + b })
	})
	signedPair(arm64.SRHADD, arm64.URHADD, func(s bool) execFunc {
		return halved(s, func(a, b int64) int64 { return a + b + 1 })
	})
	signedPair(arm64.SHSUB, arm64.UHSUB, func(s bool) execFunc {
		return halved(s, func(a, b int64) int64 { return a - b })
	})
	signedPair(arm64.SQADD, arm64.UQADD, func(s bool) execFunc { return addSaturated(s, false) })
	signedPair(arm64.SQSUB, arm64.UQSUB, func(s bool) execFunc { return addSaturated(s, true) })
	signedPair(arm64.SSHL, arm64.USHL, func(s bool) execFunc { return shiftBy(s, false, false) })
	signedPair(arm64.SQSHL, arm64.UQSHL, func(s bool) execFunc { return shiftBy(s, false, true) })
	signedPair(arm64.SRSHL, arm64.URSHL, func(s bool) execFunc { return shiftBy(s, true, false) })
	signedPair(arm64.SSHR, arm64.USHR, func(s bool) execFunc { return shiftRight(s, false, false) })
	signedPair(arm64.SSRA, arm64.USRA, func(s bool) execFunc { return shiftRight(s, false, true) })
	signedPair(arm64.SRSHR, arm64.URSHR, func(s bool) execFunc { return shiftRight(s, true, false) })
	signedPair(arm64.SRSRA, arm64.URSRA, func(s bool) execFunc { return shiftRight(s, true, true) })
	for _, larger := range []bool{true, false} {
		ops := [3][2]arm64.Op{{arm64.SMIN, arm64.UMIN}, {arm64.SMINP, arm64.UMINP}, {arm64.SMINV, arm64.UMINV}}
		if larger {
			ops = [3][2]arm64.Op{{arm64.SMAX, arm64.UMAX}, {arm64.SMAXP, arm64.UMAXP}, {arm64.SMAXV, arm64.UMAXV}}
		}
		for i, pair := range ops {
			signedPair(pair[0], pair[1], func(s bool) execFunc {
				f := func(_ *exec, w int, a, b uint64) uint64 { return choice(w, a, b, s, larger) }
				switch i {
				case 0:
					return lanes(func(l *lane) uint64 { return f(nil, l.wd, l.a, l.b) })
				case 1:
					return pairs(f)
				}
				return across(0, f)
			})
		}
	}
	signedPair(arm64.SADDLV, arm64.UADDLV, func(s bool) execFunc {
		widen := 0
		if s {
			widen = -1
		}
		return across(widen, func(_ *exec, _ int, a, b uint64) uint64 { return a + b })
	})
	// Pairs to wider numbers: the lanes of the result have two elements of the operand.
	for i, pair := range [][2]arm64.Op{{arm64.SADDLP, arm64.UADDLP}, {arm64.SADALP, arm64.UADALP}} {
		signedPair(pair[0], pair[1], func(s bool) execFunc { return addPairs(s, i == 1) })
	}
	signedPair(arm64.SABD, arm64.UABD, func(s bool) execFunc {
		return long(s, func(_, a, b uint64) uint64 { return distance(a, b) })
	})
	signedPair(arm64.SABA, arm64.UABA, func(s bool) execFunc {
		return long(s, func(d, a, b uint64) uint64 { return d + distance(a, b) })
	})
	for _, m := range []struct {
		ops [4]arm64.Op // signed, signed of the upper half, unsigned
		f   func(d, a, b uint64) uint64
	}{
		{[4]arm64.Op{arm64.SADDL, arm64.SADDL2, arm64.UADDL, arm64.UADDL2},
			func(_, a, b uint64) uint64 { return a + b }},
		{[4]arm64.Op{arm64.SADDW, arm64.SADDW2, arm64.UADDW, arm64.UADDW2},
			func(_, a, b uint64) uint64 { return a + b }},
		{[4]arm64.Op{arm64.SSUBL, arm64.SSUBL2, arm64.USUBL, arm64.USUBL2},
			func(_, a, b uint64) uint64 { return a - b }},
		{[4]arm64.Op{arm64.SSUBW, arm64.SSUBW2, arm64.USUBW, arm64.USUBW2},
			func(_, a, b uint64) uint64 { return a - b }},
		{[4]arm64.Op{arm64.SABDL, arm64.SABDL2, arm64.UABDL, arm64.UABDL2},
			func(_, a, b uint64) uint64 { return distance(a, b) }},
		{[4]arm64.Op{arm64.SABAL, arm64.SABAL2, arm64.UABAL, arm64.UABAL2},
			func(d, a, b uint64) uint64 { return d + distance(a, b) }},
		{[4]arm64.Op{arm64.SMULL, arm64.SMULL2, arm64.UMULL, arm64.UMULL2},
			func(_, a, b uint64) uint64 { return a * b }},
		{[4]arm64.Op{arm64.SMLAL, arm64.SMLAL2, arm64.UMLAL, arm64.UMLAL2},
			func(d, a, b uint64) uint64 { return d + a*b }},
		{[4]arm64.Op{arm64.SMLSL, arm64.SMLSL2, arm64.UMLSL, arm64.UMLSL2},
			func(d, a, b uint64) uint64 { return d - a*b }},
		{[4]arm64.Op{arm64.SSHLL, arm64.SSHLL2, arm64.USHLL, arm64.USHLL2},
			func(_, a, b uint64) uint64 { return a << b }},
	} {
		for i, op := range m.ops {
			define(map[arm64.Op]execFunc{op: long(i < 2, m.f)})
		}
	}
	for _, m := range []struct {
		ops                         [2]arm64.Op
		rounds, saturates, from, to bool
	}{
		{[2]arm64.Op{arm64.XTN, arm64.XTN2}, false, false, false, false},
		{[2]arm64.Op{arm64.SQXTN, arm64.SQXTN2}, false, true, true, true},
		{[2]arm64.Op{arm64.SQXTUN, arm64.SQXTUN2}, false, true, true, false},
		{[2]arm64.Op{arm64.UQXTN, arm64.UQXTN2}, false, true, false, false},
		{[2]arm64.Op{arm64.SHRN, arm64.SHRN2}, false, false, false, false},
		{[2]arm64.Op{arm64.RSHRN, arm64.RSHRN2}, true, false, false, false},
		{[2]arm64.Op{arm64.SQSHRN, arm64.SQSHRN2}, false, true, true, true},
		{[2]arm64.Op{arm64.UQSHRN, arm64.UQSHRN2}, false, true, false, false},
		{[2]arm64.Op{arm64.SQSHRUN, arm64.SQSHRUN2}, false, true, true, false},
	} {
		for _, op := range m.ops {
			define(map[arm64.Op]execFunc{op: narrow(m.rounds, m.saturates, m.from, m.to)})
		}
	}
}

// negated returns -a, or a, saturated.
func negated(l *lane, negate bool) uint64 {
	if !negate {
		return l.a
	}
	if low, high := limits(l.wd, true); l.signedA() == low {
		return uint64(high)
	}
	return -l.a
}

// addPairs adds adjacent elements to wider ones, and these to the destination if it accumulates.
func addPairs(isSigned, accumulates bool) execFunc {
	return func(x *exec) error {
		to, from := x.arg(0).Reg, x.arg(1).Reg
		w := from.Class().ElemBytes()
		v, d := x.V[from.Num()], x.V[to.Num()]
		var r [16]byte
		for i := 0; i < from.Class().Bytes(); i += 2 * w {
			a, b := memory.Load(v[i:], w), memory.Load(v[i+w:], w)
			if isSigned {
				a, b = uint64(signed(a, w)), uint64(signed(b, w))
			}
			sum := a + b
			if accumulates {
				sum += memory.Load(d[i:], 2*w)
			}
			memory.Store(r[i:], 2*w, sum)
		}
		x.V[to.Num()] = r
		return nil
	}
}
