package emulator

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	. "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// hardNumbers are numbers whose sums, products and quotients are edge cases of a format: the min and the max of each
// kind and their neighbours, and numbers next to 1, whose products with the min normal numbers round across the limit.
func hardNumbers(f *format) []uint64 {
	one := uint64(f.Bias()) << f.FractionBits
	smallest := uint64(1) << f.FractionBits
	xs := []uint64{
		0, 1, 2, f.Fraction() >> 1, f.Fraction() - 1, f.Fraction(), smallest, smallest + 1, smallest + 2,
		2 * smallest, 2*smallest - 1,
		one, one + 1, one - 1, one - 2, one - smallest, one - smallest + 1, one + smallest, one + smallest/2,
		one + smallest - 1,
		f.Inf() - 1, f.Inf() - 2, f.Inf() - smallest, f.Inf() - smallest - 1, f.Inf(), f.Inf() | 1,
		f.Inf() | f.Quiet() | 5,
		uint64(f.Bias()/2)<<f.FractionBits | f.Fraction()/3, uint64(f.Bias()/2+1)<<f.FractionBits | f.Fraction()/5,
	}
	for _, x := range xs[:len(xs):len(xs)] {
		xs = append(xs, x|f.Sign())
	}
	return xs
}

// TestHardwarePairs compares arithmetic on all pairs of hard numbers, with each rounding and flush mode.
func TestHardwarePairs(t *testing.T) {
	if err := rt.CanRunCode(); err != nil {
		t.Skip(err)
	}
	host, wide := hostFeatures()
	reg := Y
	if wide {
		reg = Z
	}
	arena, err := rt.NewCodeArena()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(*seed, 3))
	for w, ops := range map[int][]Op{
		4: {VADDPS, VSUBPS, VMULPS, VDIVPS, VMINPS, VMAXPS, VSCALEFPS, VFMADD213PS, VFNMADD231PS, VFMADDSUB213PS,
			VDPBF16PS, VSQRTPS, VCVTTPS2DQ},
		8: {VADDPD, VSUBPD, VMULPD, VDIVPD, VMINPD, VMAXPD, VSCALEFPD, VFMADD213PD, VFNMADD231PD, VSQRTPD, VCVTTPD2QQ,
			VCVTTPD2UQQ},
	} {
		xs := hardNumbers(floats[w])
		var trials []*trial
		for _, op := range ops {
			in := Inst{Op: op, Args: [4]Arg{RegOperand(reg(0)), RegOperand(reg(1)), RegOperand(reg(2))}}
			needs, err := in.Needs()
			if err != nil { // of one operand
				in.Args[2] = Arg{}
				if needs, err = in.Needs(); err != nil {
					t.Fatal(err)
				}
			}
			if needs&^host == 0 {
				trials = append(trials, newTrial(t, arena, Sample{Inst: in, Needs: needs}, r, wide))
			}
		}
		if err := arena.Seal(); err != nil {
			t.Fatal(err)
		}
		per := reg(0).Class().Bytes() / w
		for _, c := range trials {
			bad := 0
			for mode := range uint32(16) {
				if *states < 16 && r.IntN(4) != 0 {
					continue // a quarter of the modes where there are few states
				}
				mxcsr := DefaultMXCSR | mode&3<<13
				if mode&4 != 0 {
					mxcsr |= FTZ
				}
				if mode&8 != 0 {
					mxcsr |= DAZ
				}
				for first := 0; first < len(xs)*len(xs) && bad < 3; first += per {
					var s state
					s.flags, s.mxcsr = 0x202, uint64(mxcsr)
					for i := range per {
						n := (first + i) % (len(xs) * len(xs))
						memory.Store(s.v[1][i*w:], w, xs[n/len(xs)])
						memory.Store(s.v[2][i*w:], w, xs[n%len(xs)])
						memory.Store(s.v[0][i*w:], w, xs[r.IntN(len(xs))])
					}
					m := New()
					m.V, m.MXCSR = s.v, uint32(s.mxcsr)
					before := s.v
					if err := m.Exec(&c.Inst, 0, c.size); err != nil {
						t.Fatal(err)
					}
					c.code.CallFlushing(unsafe.Pointer(&s))
					for i := range per {
						elem := func(v []byte) uint64 { return memory.Load(v[i*w:], w) }
						if got, want := elem(m.V[0][:]), elem(s.v[0][:]); got != want && bad < 3 {
							bad++
							t.Errorf("%s with mxcsr %#x of %#x, %#x and %#x: emulator %#x, processor %#x", c.Inst,
								mxcsr, elem(before[0][:]), elem(before[1][:]), elem(before[2][:]), got, want)
						}
					}
				}
			}
		}
	}
}
