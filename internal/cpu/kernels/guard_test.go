package kernels

import (
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernels/half"
	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

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

func matrixOf[T any](m *kit.Memory, rows, cols int, transposed bool) Matrix[T] {
	a := Matrix[T]{Data: kit.Numbers[T](m, 2*rows*cols), Batch: Dims{{2, rows * cols}}, Rows: Dims{{rows, cols}},
		Cols: Dims{{cols, 1}}}
	if transposed {
		a.Rows, a.Cols = Dims{{rows, 1}}, Dims{{cols, rows}}
	}
	return a
}

// bytesAs returns the bytes of a matrix of numbers.
func bytesAs[T any](m *kit.Memory, rows, cols int, transposed bool) Matrix[byte] {
	a := matrixOf[T](m, rows, cols, transposed)
	return Matrix[byte]{rt.Bytes(a.Data), a.Offset, a.Batch, a.Rows, a.Cols}
}

func guardCases() []kit.Case {
	var out []kit.Case
	for _, transposed := range []bool{false, true} {
		out = append(out, kit.Case{Name: "MatMul", Run: func(m *kit.Memory, n int) error {
			if err := MatMul(nil, matrixOf[float32](m, n, 9, false), matrixOf[float32](m, n, 5, transposed),
				matrixOf[float32](m, 5, 9, !transposed)); err != nil {
				return err
			}
			return MatMul(nil, matrixOf[int64](m, 3, n, false), matrixOf[int64](m, 3, 7, transposed),
				matrixOf[int64](m, 7, n, false))
		}}, kit.Case{Name: "MatMulConverted", Run: func(m *kit.Memory, n int) error {
			return MatMulConverted[float32](nil, matrixOf[byte](m, n, 9, transposed),
				matrixOf[byte](m, n, 5, transposed),
				matrixOf[byte](m, 5, 9, !transposed), Conversion{Size: 1, Convert: toBytes},
				Conversion{Size: 1, Convert: fromBytes}, Conversion{Size: 1, Convert: fromBytes})
		}}, kit.Case{Name: "MatMulBF16", Run: func(m *kit.Memory, n int) error {
			env := &rt.Env{Gemm: rt.GemmSteps{BF16: slowDot2{}, RoundBF16: slowRound}}
			return MatMulBF16(env, bytesAs[float32](m, n, 9, false), bytesAs[uint16](m, n, 6, transposed),
				bytesAs[uint16](m, 6, 9, !transposed), Conversion{Size: 4})
		}}, kit.Case{Name: "MatMulInt8", Run: func(m *kit.Memory, n int) error {
			return MatMulInt8(nil, slowDot4{}, bytesAs[float32](m, n, 9, false), matrixOf[byte](m, n, 11, transposed),
				matrixOf[byte](m, 11, 9, !transposed), Conversion{Size: 4})
		}}, kit.Case{Name: "MatMulInt32", Run: func(m *kit.Memory, n int) error {
			return MatMulInt32(nil, goGemmStep[float32]{}, matrixOf[float32](m, n, 9, false),
				matrixOf[float32](m, n, 11, transposed), matrixOf[float32](m, 11, 9, !transposed))
		}}, kit.Case{Name: "MatMulPrologue", Run: func(m *kit.Memory, n int) error {
			b := &ComputedOperand{From: []Matrix[byte]{bytesAs[float32](m, 5, n, transposed),
				bytesAs[uint16](m, 5, n, !transposed)},
				Sizes: []int{4, 2}, Apply: func(n int, to unsafe.Pointer, from []unsafe.Pointer) {
					x, y := unsafe.Slice((*float32)(from[0]), n), unsafe.Slice((*uint16)(from[1]), n)
					for i := range n {
						unsafe.Slice((*float32)(to), n)[i] = x[i] + float32(y[i])
					}
				}}
			return MatMulPrologue(nil, matrixOf[float32](m, 9, n, false), matrixOf[float32](m, 9, 5, false), b)
		}}, kit.Case{Name: "MatMulQuantized", Run: func(m *kit.Memory, n int) error {
			c, a := matrixOf[float32](m, 5, 9, false), matrixOf[float32](m, 5, 32*n, transposed)
			c.Batch, a.Batch = nil, nil
			w := QuantizedMatrix{Data: kit.Numbers[byte](m, 9*16*n), Scales: kit.Numbers[float32](m, 9*n), N: 9,
				K: 32 * n, Group: 32, FourBits: true}
			return MatMulQuantized(nil, c, a, w)
		}}, kit.Case{Name: "MatMulQuantized", Run: func(m *kit.Memory, n int) error {
			c, a := matrixOf[float32](m, 11, 9, transposed), matrixOf[float32](m, 11, n, false)
			c.Batch, a.Batch = nil, nil
			return MatMulQuantized(nil, c, a, QuantizedMatrix{Data: kit.Numbers[byte](m, 9*n), N: 9, K: n})
		}}, kit.Case{Name: "PrepareMatMul", Run: func(m *kit.Memory, n int) error {
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
		}}, kit.Case{Name: "NewRowGemm", Run: func(m *kit.Memory, n int) error {
			c, a := matrixOf[float32](m, n, 9, false), matrixOf[float32](m, n, 5, transposed)
			b := matrixOf[float32](m, 5, 9, !transposed)
			r := NewRowGemm(c, a, b)
			packed, scratch := 0, rt.Bytes(kit.Numbers[float32](m, r.ScratchBytes(nil, min(n, 4))/4))
			for lo := 0; lo < n; lo += 4 {
				r.Run(nil, scratch, &packed, lo, min(lo+4, n), rt.Bytes(c.Data), rt.Bytes(a.Data), rt.Bytes(b.Data), 0,
					0)
			}
			return nil
		}}, kit.Case{Name: "MatMulComplex", Run: func(m *kit.Memory, n int) error {
			return MatMulComplex(nil, matrixOf[complex64](m, n, 9, false), matrixOf[complex64](m, n, 5, transposed),
				matrixOf[complex64](m, 5, 9, transposed))
		}})
	}
	for _, steps := range []rt.GemmSteps{{}, {BF16: slowDot2{}}} {
		out = append(out, kit.Case{Name: "NewRowGemmBF16", Run: func(m *kit.Memory, n int) error {
			c, a, b := bytesAs[uint16](m, n, 9, false), bytesAs[uint16](m, n, 6, true), bytesAs[uint16](m, 6, 9, false)
			narrow := Conversion{Size: 2, ToBF16: true, Convert: func(dst, src []byte) {
				half.NarrowBF16(rt.View[uint16](dst), rt.View[float32](src))
			}}
			wide := Conversion{Size: 2, Convert: func(dst, src []byte) {
				half.WidenBF16(rt.View[float32](dst), rt.View[uint16](src))
			}}
			r := NewRowGemmBF16(steps, typedMatrix[float32](c, narrow), typedMatrix[float32](a, wide),
				typedMatrix[float32](b, wide), narrow, wide)
			packed, scratch := 0, rt.Bytes(kit.Numbers[float32](m, r.ScratchBytes(nil, min(n, 4))/4))
			for lo := 0; lo < n; lo += 4 {
				r.Run(nil, scratch, &packed, lo, min(lo+4, n), c.Data, a.Data, b.Data, 0, 0)
			}
			return nil
		}})
	}
	for _, groups := range []int{1, 4} { // 4: one feature per group
		out = append(out, kit.Case{Name: "Convolution.Run", Run: func(m *kit.Memory, n int) error {
			in := 4 / groups
			c := &Conv{Groups: groups, Batch: 2, In: in, Out: in, LhsGroup: in, LhsBatch: n * 4, LhsFeature: 1,
				RhsGroup: in, RhsIn: 4, RhsOut: 1, OutGroup: in, OutBatch: n * 4, OutFeature: 1,
				Spatial: []ConvAxis{{In: n, Kernel: 3, Out: n, InStride: 4, KernelStride: 4 * in, OutStride: 4,
					Step: 1, Low: 1, Dilation: 1, BaseDilation: 1}}}
			y, x, k := kit.Numbers[float32](m, 2*n*4), kit.Numbers[float32](m, 2*n*4), kit.Numbers[float32](m, 3*in*4)
			r := NewRowConv[float32](rt.GemmSteps{}, c)
			packed, scratch := 0, rt.Bytes(kit.Numbers[float32](m, r.ScratchBytes(nil, 1)/4))
			for lo := range 2 {
				r.Run(nil, scratch, &packed, lo, lo+1, rt.Bytes(y), rt.Bytes(x), rt.Bytes(k), 0, 0)
			}
			return NewConvolution[float32](rt.GemmSteps{}, c).Run(nil, View[float32]{y, 0}, View[float32]{x, 0},
				View[float32]{k, 0})
		}})
	}
	return append(out,
		kit.Case{Name: "Cholesky", Run: func(m *kit.Memory, n int) error {
			return Cholesky(nil, kit.Numbers[float32](m, 2*n*n), dominant(kit.Numbers[float32](m, 2*n*n), n), 2, n,
				false)
		}},
		kit.Case{Name: "LU", Run: func(m *kit.Memory, n int) error {
			return LU(nil, kit.Numbers[float32](m, 2*n*3), kit.Numbers[int32](m, 2*min(n, 3)),
				kit.Numbers[int32](m, 2*n), kit.Numbers[float32](m, 2*n*3), 2, n, 3)
		}},
		kit.Case{Name: "QR", Run: func(m *kit.Memory, n int) error {
			return QR(nil, kit.Numbers[float32](m, 2*n*3), kit.Numbers[float32](m, 2*min(n, 3)),
				kit.Numbers[float32](m, 2*n*3), 2, n, 3)
		}},
		kit.Case{Name: "PivotedQR", Run: func(m *kit.Memory, n int) error {
			return PivotedQR(nil, kit.Numbers[float32](m, 2*n*3), kit.Numbers[float32](m, 2*min(n, 3)),
				kit.Numbers[int32](m, 2*3), kit.Numbers[float32](m, 2*n*3), func(i int) bool { return i == 4 }, 2, n, 3)
		}},
		kit.Case{Name: "Hessenberg", Run: func(m *kit.Memory, n int) error {
			return Hessenberg(nil, kit.Numbers[complex64](m, 2*n*n), kit.Numbers[complex64](m, 2*max(0, n-1)),
				kit.Numbers[complex64](m, 2*n*n), 2, n)
		}},
		kit.Case{Name: "HouseholderProduct", Run: func(m *kit.Memory, n int) error {
			k := min(n, 3)
			return HouseholderProduct(nil, kit.Numbers[complex64](m, 2*n*k), kit.Numbers[complex64](m, 2*n*k),
				kit.Numbers[complex64](m, 2*k), 2, n, k, k)
		}},
		kit.Case{Name: "Eigh", Run: func(m *kit.Memory, n int) error {
			return Eigh(nil, kit.Numbers[float32](m, 2*n), kit.Numbers[complex64](m, 2*n*n),
				kit.Numbers[complex64](m, 2*n*n), 2, n, true)
		}},
		kit.Case{Name: "SVD", Run: func(m *kit.Memory, n int) error {
			return SVD(nil, kit.Numbers[float64](m, 2*min(n, 3)), kit.Numbers[float64](m, 2*n*n),
				kit.Numbers[float64](m, 2*9), kit.Numbers[float64](m, 2*n*3), 2, n, 3, true)
		}},
		kit.Case{Name: "Schur", Run: func(m *kit.Memory, n int) error {
			return Schur(nil, kit.Numbers[float32](m, 2*n*n), kit.Numbers[float32](m, 2*n*n),
				kit.Numbers[float32](m, 2*n*n), 2, n)
		}},
		kit.Case{Name: "TriangularSolve", Run: func(m *kit.Memory, n int) error {
			return TriangularSolve(nil, kit.Numbers[float64](m, 2*n*3), dominant(kit.Numbers[float64](m, 2*n*n), n),
				kit.Numbers[float64](m, 2*n*3), 2, n, 3, Triangle{Upper: true})
		}},
		kit.Case{Name: "TriangularSolve", Run: func(m *kit.Memory, n int) error {
			x := kit.Numbers[complex64](m, 2*n*3)
			return TriangularSolve(nil, x, dominant(kit.Numbers[complex64](m, 2*n*n), n), x, 2, n,
				3, Triangle{Right: true, Transpose: true})
		}},
	)
}

func TestGuardedMemory(t *testing.T) { kit.CheckGuarded(t, guardCases()) }

func TestGuardCasesAreComplete(t *testing.T) { kit.CheckCovered(t, guardCases()) }
