package gemm_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/gemm"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	algorithms "github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// number8 returns a byte as a signed or unsigned integer.
func number8(x byte, signed bool) int32 {
	if signed {
		return int32(int8(x))
	}
	return int32(x)
}

// fillBytes fills b with random bytes, often those with the largest products.
func fillBytes(r *rand.Rand, b []byte) {
	for i := range b {
		b[i] = []byte{byte(r.Uint32()), byte(r.Uint32()), 0x80, 0x7f, 0xff}[r.IntN(5)]
	}
}

// dot4Gemm returns the int8 steps of the processor, by the name of their unit.
func dot4Gemm() map[string]rt.GemmSteps {
	out, has := map[string]rt.GemmSteps{}, rt.HostFeatures()
	if target.V512.Needs()&^has != 0 || rt.CanRunCode() != nil {
		return out
	}
	may := gemm.Features{VNNI: target.V512.HasInt8Dot(has)}
	if may.VNNI {
		out["vectors"] = gemm.Steps(target.V512, may)
	}
	if may.AMX = target.V512.AMXFeatures(has); may.AMX&asm.AMXINT8 != 0 {
		out["tiles"] = gemm.Steps(target.V512, may)
	}
	return out
}

// dot4Tests calls test with the emulated steps, and with those of the processor.
func dot4Tests(t *testing.T, test func(t *testing.T, p *gemmTest)) {
	tests := map[string]*gemmTest{}
	for name, products := range dot4Gemm() {
		tests[name] = &gemmTest{gemm: products}
	}
	for name, inTiles := range map[string]bool{"emulated vectors": false, "emulated tiles": true} {
		p := &gemmTest{emulated: true}
		p.gemm.Int8 = gemm.EmulatedInt8(inTiles, p.emulate)
		tests[name] = p
	}
	for name, p := range tests {
		for range 5 {
			p.operands = append(p.operands, guard.NewRegion(t, 1<<15+1<<13))
		}
		t.Run(name, func(t *testing.T) { test(t, p) })
	}
}

// TestDot4Tails multiplies packed blocks of all sizes and all combinations of signedness, between guard pages.
func TestDot4Tails(t *testing.T) {
	dot4Tests(t, func(t *testing.T, p *gemmTest) {
		r := rand.New(rand.NewPCG(1, 2))
		for m := 1; m <= 70; m++ {
			for n := 1; n <= 70; n++ {
				if p.emulated && r.IntN(150) == 0 || !p.emulated && r.IntN(8) == 0 {
					multiplyInt8(t, p, r, m, n, 1+r.IntN(40), guard.Edges[r.IntN(2)])
				}
			}
		}
	})
}

// multiplyInt8 computes a product with k groups of four and compares each element with its definition.
func multiplyInt8(t *testing.T, p *gemmTest, r *rand.Rand, m, n, k int, edge guard.Edge) {
	t.Helper()
	left, right := r.IntN(2) == 0, r.IntN(2) == 0
	step := p.gemm.Int8.Of(left, right)
	tileRows, tileCols, unit := step.Tile()
	roundUp := func(n, unit int) int { return (n + unit - 1) / unit * unit }
	la, lb := layouts(m, k)[r.IntN(4)], layouts(k, n)[r.IntN(4)]
	ldc := n + 3*r.IntN(2)
	p.given = p.given[:0]
	deep := roundUp(k, unit)
	a, b := watched[float32](p, la.room, edge), watched[float32](p, lb.room, edge)
	pa, pb := watched[float32](p, roundUp(m, tileRows)*deep, edge), watched[float32](p, roundUp(n, tileCols)*deep, edge)
	c := watched[float32](p, (m-1)*ldc+n, edge)
	for _, x := range [][]float32{a, b, pa, pb, c} {
		fillBytes(r, rt.Bytes(x))
	}
	first := r.IntN(2) == 0
	sums := rt.View[int32](rt.Bytes(c))
	want := append([]int32(nil), sums...)
	x, y := rt.Bytes(a), rt.Bytes(b)
	for i := range m {
		for j := range n {
			if first {
				want[i*ldc+j] = 0
			}
			for l := range 4 * k {
				want[i*ldc+j] += number8(x[4*(i*la.rows+l/4*la.cols)+l%4], left) *
					number8(y[4*(l/4*lb.rows+j*lb.cols)+l%4], right)
			}
		}
	}
	fault := guard.Run(func() {
		step.PackRows(pa, a, la.rows, la.cols, m, k)
		step.PackCols(pb, b, lb.cols, lb.rows, n, k)
		step.Multiply(c, ldc, m, n, k, pa, pb, first)
	})
	what := fmt.Sprintf("%d × %d × %d, a %v, b %v, %s, signed: %v, %v", m, n, k, la, lb, edge, left, right)
	p.check(t, what, fault)
	for i, x := range sums {
		if x != want[i] {
			t.Fatalf("%s: element %d is %d, want %d", what, i, x, want[i])
		}
	}
}

// TestInterleaveBytes interleaves lines of all lengths from 1 to 70, between guard pages.
func TestInterleaveBytes(t *testing.T) {
	dot4Tests(t, func(t *testing.T, p *gemmTest) {
		r := rand.New(rand.NewPCG(1, 2))
		for lines := 1; lines <= 70; lines++ {
			depth, ks, edge := 1+r.IntN(5), lines+r.IntN(3), guard.Edges[r.IntN(2)]
			p.given = p.given[:0]
			src, dst := watched[byte](p, (4*depth-1)*ks+lines, edge), watched[float32](p, depth*lines, edge)
			fillBytes(r, src)
			step := p.gemm.Int8.Of(true, true)
			fault := guard.Run(func() { step.Interleave(dst, src, ks, lines, depth) })
			p.check(t, fmt.Sprintf("%d lines, %d deep", lines, depth), fault)
			for i := range dst {
				at := i/lines*4*ks + i%lines
				want := binary.LittleEndian.Uint32([]byte{src[at], src[at+ks], src[at+2*ks], src[at+3*ks]})
				if got := binary.LittleEndian.Uint32(rt.Bytes(dst)[4*i:]); got != want {
					t.Fatalf("%d lines: element %d is %x, want %x", lines, i, got, want)
				}
			}
		}
	})
}

// TestInt8Gemm computes random products of int8 of any layout, with any number of workers, to int32 and to int8.
func TestInt8Gemm(t *testing.T) {
	all := dot4Gemm()
	if len(all) == 0 {
		t.Skip("the processor has no int8 dot products; the emulator runs the code")
	}
	for name, products := range all {
		t.Run(name, func(t *testing.T) { int8Gemm(t, products) })
	}
}

func int8Gemm(t *testing.T, products rt.GemmSteps) {
	pool := rt.NewPool(3)
	defer pool.Close()
	r := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		env := &rt.Env{Gemm: products}
		if r.IntN(2) == 0 {
			env.Pool, env.Buffers = pool, rt.NewBuffers(-1)
		}
		batch, m, n, k := 1+r.IntN(3), 1+r.IntN(150), 1+r.IntN(150), 1+r.IntN(900)
		if r.IntN(2) == 0 {
			n, k = 4*(1+r.IntN(40)), 4*(1+r.IntN(250)) // full groups of four
		}
		matrix := func(rows, cols int) algorithms.Matrix[byte] {
			at := matrixOf[float32](r, batch, rows, cols, []string{"brc", "bcr", "rbc", "crb"}[r.IntN(4)])
			data := make([]byte, len(at.Data))
			fillBytes(r, data)
			return algorithms.Matrix[byte]{Data: data, Offset: at.Offset - at.Offset%4*r.IntN(2), Batch: at.Batch,
				Rows: at.Rows, Cols: at.Cols}
		}
		left, right := r.IntN(2) == 0, r.IntN(2) == 0
		step := products.Int8.Of(left, right)
		a, b, short := matrix(m, k), matrix(k, n), matrix(m, n)
		long := matrix(m, n)
		long.Data = make([]byte, 4*len(long.Data))
		if err := algorithms.MatMulInt8(env, step, long, a, b, algorithms.Conversion{Size: 4}); err != nil {
			t.Fatal(err)
		}
		lowest := algorithms.Conversion{Size: 1, Convert: func(dst, src []byte) {
			for i := range len(src) / 4 {
				dst[i] = src[4*i]
			}
		}}
		if err := algorithms.MatMulInt8(env, step, short, a, b, lowest); err != nil {
			t.Fatal(err)
		}
		for i := range batch {
			for j := range m {
				for l := range n {
					var want int32
					for p := range k {
						want += number8(a.Data[elementOf(a, i, j, p)], left) * number8(b.Data[elementOf(b, i, p, l)],
							right)
					}
					got := rt.View[int32](long.Data)[elementOf(long, i, j, l)]
					if low := short.Data[elementOf(short, i, j, l)]; got != want || low != byte(want) {
						t.Fatalf("%d × %d × %d × %d: element %d, %d, %d is %d and %d, want %d", batch, m, n, k, i, j, l,
							got, low, want)
					}
				}
			}
		}
	}
}
