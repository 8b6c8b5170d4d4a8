package kernels

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// memory allocates slices, on the heap or in guarded memory, and records them.
type memory struct {
	guarded []*guard.Region // nil: on the heap
	edge    guard.Edge
	given   [][]byte
}

// numbers returns n numbers that depend on n only. Integers have any bits.
func numbers[T any](m *memory, n int) []T {
	x := make([]T, n)
	for i, b := 0, rt.Bytes(x); i < len(b); i++ {
		b[i] = byte(i*i*7 + i>>3 + 1)
	}
	at := func(i int) float64 { return math.Sin(float64(i*i))*3 + 0.1 }
	switch x := any(x).(type) {
	case []float32:
		for i := range x {
			x[i] = float32(at(i))
		}
	case []float64:
		for i := range x {
			x[i] = at(i)
		}
	case []complex64:
		for i := range x {
			x[i] = complex(float32(at(i)), float32(at(i+1)))
		}
	case []complex128:
		for i := range x {
			x[i] = complex(at(i), at(i+1))
		}
	}
	if m.guarded != nil {
		x = guard.Copy(m.guarded[len(m.given)], x, m.edge)
	}
	m.given = append(m.given, rt.Bytes(x))
	return x
}

// dominant makes the matrices of a batch diagonally dominant.
func dominant[T field](x []T, n int) []T {
	for i := range x {
		if i/n%n == i%n {
			switch p := any(&x[i]).(type) {
			case *float32:
				*p = float32(4 * n)
			case *float64:
				*p = float64(4 * n)
			case *complex64:
				*p = complex(float32(4*n), 0)
			case *complex128:
				*p = complex(float64(4*n), 0)
			}
		}
	}
	return x
}

// guardCase calls one function of the package on memory that it allocates.
type guardCase struct {
	name string
	run  func(m *memory, n int) error
}

func elementwise[D, S any](name string, f func(dst []D, src []S)) guardCase {
	return guardCase{name, func(m *memory, n int) error { f(numbers[D](m, n), numbers[S](m, n)); return nil }}
}

// inPlace tests that the result may be the argument, with the same bits.
func inPlace[T any](name string, f func(dst, src []T)) []guardCase {
	return []guardCase{elementwise(name, f), {name, func(m *memory, n int) error {
		x, y, src := numbers[T](m, n), numbers[T](m, n), numbers[T](m, n)
		f(y, src)
		f(x, x)
		if !bytes.Equal(rt.Bytes(x), rt.Bytes(y)) {
			return fmt.Errorf("over its operand: %v, want %v", x, y)
		}
		return nil
	}}}
}

// ofTwo is inPlace for functions of two operands, over each of them; with scalar, operands of one element are tested
// too.
func ofTwo[T any](name string, f func(dst, x, y []T), scalar bool) []guardCase {
	var out []guardCase
	for form := range 3 {
		if form > 0 && !scalar {
			continue
		}
		size := func(n int, one bool) int {
			if one {
				return 1
			}
			return n
		}
		out = append(out, guardCase{name, func(m *memory, n int) error {
			dst, over := numbers[T](m, n), numbers[T](m, n)
			x, y := numbers[T](m, size(n, form == 1)), numbers[T](m, size(n, form == 2))
			f(dst, x, y)
			if form != 1 {
				copy(over, x)
				f(over, over, y)
				if !bytes.Equal(rt.Bytes(over), rt.Bytes(dst)) {
					return fmt.Errorf("over its first operand: %v, want %v", over, dst)
				}
			}
			if form != 2 {
				copy(over, y)
				f(over, x, over)
				if !bytes.Equal(rt.Bytes(over), rt.Bytes(dst)) {
					return fmt.Errorf("over its second operand: %v, want %v", over, dst)
				}
			}
			return nil
		}})
	}
	return out
}

func matrixOf[T any](m *memory, rows, cols int, transposed bool) Matrix[T] {
	a := Matrix[T]{Data: numbers[T](m, 2*rows*cols), Batch: Dims{{2, rows * cols}}, Rows: Dims{{rows, cols}},
		Cols: Dims{{cols, 1}}}
	if transposed {
		a.Rows, a.Cols = Dims{{rows, 1}}, Dims{{cols, rows}}
	}
	return a
}

// bytesAs returns the bytes of a matrix of numbers.
func bytesAs[T any](m *memory, rows, cols int, transposed bool) Matrix[byte] {
	a := matrixOf[T](m, rows, cols, transposed)
	return Matrix[byte]{rt.Bytes(a.Data), a.Offset, a.Batch, a.Rows, a.Cols}
}

func guardCases() []guardCase {
	var out []guardCase
	for _, c := range unary32 {
		name := map[string]string{"erf_inv": "ErfInv"}[c.name]
		if name == "" {
			name = strings.ToUpper(c.name[:1]) + c.name[1:]
		}
		out = append(out, inPlace(name+"F32", c.f)...)
	}
	for name, f := range map[string]func(dst, src []float64){
		"ExpF64": ExpF64, "Expm1F64": Expm1F64, "LogF64": LogF64, "Log1pF64": Log1pF64, "TanhF64": TanhF64,
		"LogisticF64": LogisticF64,
		"SqrtF64":     SqrtF64, "RsqrtF64": RsqrtF64, "CbrtF64": CbrtF64, "ErfF64": ErfF64,
		"ErfcF64": ErfcF64, "SinF64": SinF64,
		"CosF64": CosF64, "TanF64": TanF64, "SinhF64": SinhF64, "CoshF64": CoshF64,
	} {
		out = append(out, inPlace(name, f)...)
	}
	out = append(out, inPlace("SinhF32", SinhF32)...)
	out = append(out, inPlace("CoshF32", CoshF32)...)
	out = append(append(append(out, inPlace("AsinhF32", AsinhF32)...), inPlace("AtanhF32", AtanhF32)...),
		inPlace("AcoshF32", AcoshF32)...)
	out = append(append(out, inPlace("BesselI0eF32", BesselI0eF32)...), inPlace("BesselI1eF32", BesselI1eF32)...)
	out = append(out, inPlace("RoundBF16", RoundBF16)...)
	out = append(out, inPlace("RoundF16", RoundF16)...)
	out = append(out, elementwise("WidenBF16", WidenBF16), elementwise("WidenF16", WidenF16),
		elementwise("NarrowBF16", NarrowBF16), elementwise("NarrowF16", NarrowF16))
	out = append(out, ofTwo("PowF32", PowF32, false)...)
	out = append(out, ofTwo("PowF64", PowF64, true)...)
	out = append(out, ofTwo("RemF32", RemF32, true)...)
	out = append(out, ofTwo("RemF64", RemF64, true)...)
	for _, transposed := range []bool{false, true} {
		out = append(out, guardCase{"MatMul", func(m *memory, n int) error {
			if err := MatMul(nil, matrixOf[float32](m, n, 9, false), matrixOf[float32](m, n, 5, transposed),
				matrixOf[float32](m, 5, 9, !transposed)); err != nil {
				return err
			}
			return MatMul(nil, matrixOf[int64](m, 3, n, false), matrixOf[int64](m, 3, 7, transposed),
				matrixOf[int64](m, 7, n, false))
		}}, guardCase{"MatMulConverted", func(m *memory, n int) error {
			return MatMulConverted[float32](nil, matrixOf[byte](m, n, 9, transposed),
				matrixOf[byte](m, n, 5, transposed),
				matrixOf[byte](m, 5, 9, !transposed), Conversion{Size: 1, Convert: toBytes},
				Conversion{Size: 1, Convert: fromBytes}, Conversion{Size: 1, Convert: fromBytes})
		}}, guardCase{"MatMulBF16", func(m *memory, n int) error {
			env := &rt.Env{Gemm: rt.GemmSteps{BF16: slowDot2{}, RoundBF16: slowRound}}
			return MatMulBF16(env, bytesAs[float32](m, n, 9, false), bytesAs[uint16](m, n, 6, transposed),
				bytesAs[uint16](m, 6, 9, !transposed), Conversion{Size: 4})
		}}, guardCase{"MatMulInt8", func(m *memory, n int) error {
			return MatMulInt8(nil, slowDot4{}, bytesAs[float32](m, n, 9, false), matrixOf[byte](m, n, 11, transposed),
				matrixOf[byte](m, 11, 9, !transposed), Conversion{Size: 4})
		}}, guardCase{"MatMulInt32", func(m *memory, n int) error {
			return MatMulInt32(nil, goGemmStep[float32]{}, matrixOf[float32](m, n, 9, false),
				matrixOf[float32](m, n, 11, transposed), matrixOf[float32](m, 11, 9, !transposed))
		}}, guardCase{"MatMulPrologue", func(m *memory, n int) error {
			b := &ComputedOperand{From: []Matrix[byte]{bytesAs[float32](m, 5, n, transposed),
				bytesAs[uint16](m, 5, n, !transposed)},
				Sizes: []int{4, 2}, Apply: func(n int, to unsafe.Pointer, from []unsafe.Pointer) {
					x, y := unsafe.Slice((*float32)(from[0]), n), unsafe.Slice((*uint16)(from[1]), n)
					for i := range n {
						unsafe.Slice((*float32)(to), n)[i] = x[i] + float32(y[i])
					}
				}}
			return MatMulPrologue(nil, matrixOf[float32](m, 9, n, false), matrixOf[float32](m, 9, 5, false), b)
		}}, guardCase{"MatMulQuantized", func(m *memory, n int) error {
			c, a := matrixOf[float32](m, 5, 9, false), matrixOf[float32](m, 5, 32*n, transposed)
			c.Batch, a.Batch = nil, nil
			w := QuantizedMatrix{Data: numbers[byte](m, 9*16*n), Scales: numbers[float32](m, 9*n), N: 9, K: 32 * n,
				Group: 32, FourBits: true}
			return MatMulQuantized(nil, c, a, w)
		}}, guardCase{"MatMulQuantized", func(m *memory, n int) error {
			c, a := matrixOf[float32](m, 11, 9, transposed), matrixOf[float32](m, 11, n, false)
			c.Batch, a.Batch = nil, nil
			return MatMulQuantized(nil, c, a, QuantizedMatrix{Data: numbers[byte](m, 9*n), N: 9, K: n})
		}}, guardCase{"PrepareMatMul", func(m *memory, n int) error {
			s, err := PrepareMatMul(nil, matrixOf[float32](m, n, 9, false), matrixOf[float32](m, n, 5, transposed),
				matrixOf[float32](m, 5, 9, !transposed))
			if err != nil {
				return err
			}
			for i := range s.Chunks {
				s.Task.Do(rt.Caller, i)
			}
			s.End()
			return nil
		}}, guardCase{"NewRowGemm", func(m *memory, n int) error {
			c, a := matrixOf[float32](m, n, 9, false), matrixOf[float32](m, n, 5, transposed)
			b := matrixOf[float32](m, 5, 9, !transposed)
			r := NewRowGemm(c, a, b)
			packed, scratch := 0, rt.Bytes(numbers[float32](m, r.ScratchBytes(nil, min(n, 4))/4))
			for lo := 0; lo < n; lo += 4 {
				r.Run(nil, scratch, &packed, lo, min(lo+4, n), rt.Bytes(c.Data), rt.Bytes(a.Data), rt.Bytes(b.Data), 0,
					0)
			}
			return nil
		}}, guardCase{"MatMulComplex", func(m *memory, n int) error {
			return MatMulComplex(nil, matrixOf[complex64](m, n, 9, false), matrixOf[complex64](m, n, 5, transposed),
				matrixOf[complex64](m, 5, 9, transposed))
		}})
	}
	for _, steps := range []rt.GemmSteps{{}, {BF16: slowDot2{}}} {
		out = append(out, guardCase{"NewRowGemmBF16", func(m *memory, n int) error {
			c, a, b := bytesAs[uint16](m, n, 9, false), bytesAs[uint16](m, n, 6, true), bytesAs[uint16](m, 6, 9, false)
			narrow := Conversion{Size: 2, ToBF16: true, Convert: func(dst, src []byte) {
				NarrowBF16(rt.View[uint16](dst), rt.View[float32](src))
			}}
			wide := Conversion{Size: 2, Convert: func(dst, src []byte) {
				WidenBF16(rt.View[float32](dst), rt.View[uint16](src))
			}}
			r := NewRowGemmBF16(steps, typedMatrix[float32](c, narrow), typedMatrix[float32](a, wide),
				typedMatrix[float32](b, wide), narrow, wide)
			packed, scratch := 0, rt.Bytes(numbers[float32](m, r.ScratchBytes(nil, min(n, 4))/4))
			for lo := 0; lo < n; lo += 4 {
				r.Run(nil, scratch, &packed, lo, min(lo+4, n), c.Data, a.Data, b.Data, 0, 0)
			}
			return nil
		}})
	}
	for _, groups := range []int{1, 4} { // 4: one feature per group
		out = append(out, guardCase{"Convolution.Run", func(m *memory, n int) error {
			in := 4 / groups
			c := &Conv{Groups: groups, Batch: 2, In: in, Out: in, LhsGroup: in, LhsBatch: n * 4, LhsFeature: 1,
				RhsGroup: in, RhsIn: 4, RhsOut: 1,
				OutGroup: in, OutBatch: n * 4, OutFeature: 1,
				Spatial: []ConvAxis{{In: n, Kernel: 3, Out: n, InStride: 4, KernelStride: 4 * in, OutStride: 4,
					Step: 1, Low: 1, Dilation: 1, BaseDilation: 1}}}
			y, x, k := numbers[float32](m, 2*n*4), numbers[float32](m, 2*n*4), numbers[float32](m, 3*in*4)
			r := NewRowConv[float32](rt.GemmSteps{}, c)
			packed, scratch := 0, rt.Bytes(numbers[float32](m, r.ScratchBytes(nil, 1)/4))
			for lo := range 2 {
				r.Run(nil, scratch, &packed, lo, lo+1, rt.Bytes(y), rt.Bytes(x), rt.Bytes(k), 0, 0)
			}
			return NewConvolution[float32](rt.GemmSteps{}, c).Run(nil, View[float32]{y, 0}, View[float32]{x, 0},
				View[float32]{k, 0})
		}})
	}
	return append(out,
		guardCase{"TransformLines", func(m *memory, n int) error {
			return TransformLines(nil, NewFFT(nil, n), numbers[complex64](m, n*6), numbers[complex64](m, n*6), 2, 3,
				false)
		}},
		guardCase{"TransformLines", func(m *memory, n int) error {
			x := numbers[complex128](m, n*6)
			return TransformLines(nil, NewFFT(nil, n), x, x, 2, 3, true)
		}},
		guardCase{"ForwardReal", func(m *memory, n int) error {
			return ForwardReal(nil, NewRealFFT(nil, n), numbers[complex64](m, 3*(n/2+1)), numbers[float32](m, 3*n), 3)
		}},
		guardCase{"InverseReal", func(m *memory, n int) error {
			return InverseReal(nil, NewRealFFT(nil, n), numbers[float64](m, 3*n), numbers[complex128](m, 3*(n/2+1)), 3)
		}},
		guardCase{"Repeat", func(m *memory, n int) error {
			Repeat(rt.Bytes(numbers[uint16](m, n)), element[uint16](7))
			return nil
		}},
		guardCase{"CopyStrided", func(m *memory, n int) error {
			CopyStrided(numbers[byte](m, n), numbers[byte](m, 3*n-2), 3, 1)
			CopyStrided(rt.Bytes(numbers[uint16](m, n)), rt.Bytes(numbers[uint16](m, 3*n-2)), 3, 2)
			CopyStrided(rt.Bytes(numbers[float32](m, n)), rt.Bytes(numbers[float32](m, n)), 1, 4)
			return nil
		}},
		guardCase{"CopyStrided of words", func(m *memory, n int) error {
			CopyStrided(rt.Bytes(numbers[float32](m, n)), rt.Bytes(numbers[float32](m, 3*n-2)), 3, 4)
			CopyStrided(rt.Bytes(numbers[float64](m, n)), rt.Bytes(numbers[float64](m, 3*n-2)), 3, 8)
			CopyStrided(rt.Bytes(numbers[complex128](m, n)), rt.Bytes(numbers[complex128](m, 3*n-2)), 3, 16)
			return nil
		}},
		guardCase{"Fill", func(m *memory, n int) error {
			Fill(nil, rt.Bytes(numbers[uint16](m, n)), element[uint16](7))
			return nil
		}},
		guardCase{"Cholesky", func(m *memory, n int) error {
			return Cholesky(nil, numbers[float32](m, 2*n*n), dominant(numbers[float32](m, 2*n*n), n), 2, n, false)
		}},
		guardCase{"LU", func(m *memory, n int) error {
			return LU(nil, numbers[float32](m, 2*n*3), numbers[int32](m, 2*min(n, 3)), numbers[int32](m, 2*n),
				numbers[float32](m, 2*n*3), 2, n, 3)
		}},
		guardCase{"QR", func(m *memory, n int) error {
			return QR(nil, numbers[float32](m, 2*n*3), numbers[float32](m, 2*min(n, 3)), numbers[float32](m, 2*n*3), 2,
				n, 3)
		}},
		guardCase{"PivotedQR", func(m *memory, n int) error {
			return PivotedQR(nil, numbers[float32](m, 2*n*3), numbers[float32](m, 2*min(n, 3)), numbers[int32](m, 2*3),
				numbers[float32](m, 2*n*3), func(i int) bool { return i == 4 }, 2, n, 3)
		}},
		guardCase{"Hessenberg", func(m *memory, n int) error {
			return Hessenberg(nil, numbers[complex64](m, 2*n*n), numbers[complex64](m, 2*max(0, n-1)),
				numbers[complex64](m, 2*n*n), 2, n)
		}},
		guardCase{"HouseholderProduct", func(m *memory, n int) error {
			k := min(n, 3)
			return HouseholderProduct(nil, numbers[complex64](m, 2*n*k), numbers[complex64](m, 2*n*k),
				numbers[complex64](m, 2*k), 2, n, k, k)
		}},
		guardCase{"Eigh", func(m *memory, n int) error {
			return Eigh(nil, numbers[float32](m, 2*n), numbers[complex64](m, 2*n*n), numbers[complex64](m, 2*n*n), 2, n,
				true)
		}},
		guardCase{"SVD", func(m *memory, n int) error {
			return SVD(nil, numbers[float64](m, 2*min(n, 3)), numbers[float64](m, 2*n*n), numbers[float64](m, 2*9),
				numbers[float64](m, 2*n*3), 2, n, 3, true)
		}},
		guardCase{"Schur", func(m *memory, n int) error {
			return Schur(nil, numbers[float32](m, 2*n*n), numbers[float32](m, 2*n*n), numbers[float32](m, 2*n*n), 2, n)
		}},
		guardCase{"TriangularSolve", func(m *memory, n int) error {
			return TriangularSolve(nil, numbers[float64](m, 2*n*3), dominant(numbers[float64](m, 2*n*n), n),
				numbers[float64](m, 2*n*3), 2, n, 3, Triangle{Upper: true})
		}},
		guardCase{"TriangularSolve", func(m *memory, n int) error {
			x := numbers[complex64](m, 2*n*3)
			return TriangularSolve(nil, x, dominant(numbers[complex64](m, 2*n*n), n), x, 2, n,
				3, Triangle{Right: true, Transpose: true})
		}},
		guardCase{"Threefry32", func(m *memory, n int) error {
			Threefry32(nil, numbers[uint32](m, 2*n*3), &[2]uint64{1, 2}, 2, n, 3)
			return nil
		}},
		guardCase{"Threefry64",
			func(m *memory, n int) error { Threefry64(nil, numbers[uint64](m, n), &[2]uint64{1, 2}); return nil }},
		guardCase{"Philox", func(m *memory, n int) error {
			Philox(nil, numbers[uint32](m, n), numbers[uint64](m, 2))
			Philox(nil, numbers[uint64](m, n), numbers[uint64](m, 3))
			return nil
		}},
		guardCase{"Scan", func(m *memory, n int) error {
			scanNumbers(nil, numbers[float32](m, 2*n*3), numbers[float32](m, 2*n*3), 2, n, 3, Sum[float32]{}, 0, true)
			scanNumbers(nil, numbers[float64](m, 2*n), numbers[float64](m, 2*n), 2, n, 1, Sum[float64]{}, 0, true)
			scanNumbers(nil, numbers[int8](m, n), numbers[int8](m, n), 1, n, 1, Prod[int8]{}, 1, false)
			return nil
		}},
		guardCase{"ReduceWindow", func(m *memory, n int) error {
			w := []Window{{1, 1, 1, 1, 0, 0}, {3, 1, 1, 1, 1, 1}}
			return reduceNumbers(nil, numbers[float32](m, 2*n), numbers[float32](m, 2*n), []int{2, n}, w,
				Max[float32]{float32(math.Inf(-1))})
		}},
		guardCase{"Key", func(m *memory, n int) error {
			return Sort(nil,
				[]SortOperand{Key(numbers[uint32](m, 2*n*3), numbers[uint32](m, 2*n*3),
					Order[uint32]{Kind: SortSigned})},
				1, 2, n, 3)
		}},
		guardCase{"Sort", func(m *memory, n int) error {
			return Sort(nil, []SortOperand{Key(numbers[uint8](m, n), numbers[uint8](m, n), Order[uint8]{}),
				Payload(numbers[float64](m, n), numbers[float64](m, n))}, 1, 1, n, 1)
		}},
		guardCase{"Payload", func(m *memory, n int) error {
			src := numbers[float32](m, n)
			return SortFunc(nil, []SortOperand{Payload(numbers[float32](m, n), src)},
				func(i, j int) bool { return src[i] < src[j] }, 1, n, 1)
		}},
		guardCase{"SortFunc", func(m *memory, n int) error {
			src := numbers[int16](m, 2*n)
			return SortFunc(nil, []SortOperand{Payload(numbers[int16](m, 2*n), src)},
				func(i, j int) bool { return src[i] < src[j] }, 2, n, 1)
		}},
	)
}

// Every function on slices accesses only these: memory around them is protected, and the bits are those on the heap.
func TestKernelsInGuardedMemory(t *testing.T) {
	regions := make([]*guard.Region, 6)
	for i := range regions {
		regions[i] = guard.NewRegion(t, 1<<17)
	}
	for _, c := range guardCases() {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{1, 2, 7, 16, 45, 67} {
				heap := &memory{}
				if err := c.run(heap, n); err != nil {
					t.Fatalf("%d elements: %v", n, err)
				}
				for _, e := range guard.Edges {
					m := &memory{guarded: regions, edge: e}
					var err error
					if fault := guard.Run(func() { err = c.run(m, n) }); fault != nil || err != nil {
						t.Fatalf("%d elements %s: %v, %v", n, e, fault, err)
					}
					for i, b := range m.given {
						if err := regions[i].Check(); err != nil {
							t.Errorf("%d elements %s, slice %d: %v", n, e, i, err)
						}
						if !bytes.Equal(b, heap.given[i]) {
							t.Errorf("%d elements %s, slice %d: %x, on the heap %x", n, e, i, b, heap.given[i])
						}
					}
				}
			}
		})
	}
}

// Every function on slices has a case above.
func TestKernelsHaveGuardCases(t *testing.T) {
	watched := map[string]bool{}
	for _, c := range guardCases() {
		watched[c.name] = true
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || !takesSlices(f.Type) {
				continue
			}
			if seen++; !watched[f.Name.Name] {
				t.Errorf("%s has no case with its operands in watched memory", f.Name)
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d functions were found", seen)
	}
}

// takesSlices reports whether a function has parameters that are slices or views.
func takesSlices(f *ast.FuncType) bool {
	found := false
	for _, p := range f.Params.List {
		ast.Inspect(p.Type, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncType:
				return false
			case *ast.ArrayType:
				found = found || n.Len == nil
			case *ast.Ident:
				found = found || n.Name == "Matrix" || n.Name == "View"
			}
			return true
		})
	}
	return found
}
