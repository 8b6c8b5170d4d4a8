package gemm

import (
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernels/half"
	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

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
	for _, name := range []string{"NewStrided", "MatMulSources"} {
		out = append(out, kit.Case{Name: name, Run: func(m *kit.Memory, n int) error {
			c, a, b := matrixOf[float32](m, n, 9, false), matrixOf[float32](m, n, 5, true), matrixOf[float32](m, 5, 9,
				false)
			left := NewStrided(a.Data, a.Offset, a.Batch, a.Rows, a.Cols)
			right := NewStrided(b.Data, b.Offset, b.Batch, b.Cols, b.Rows)
			return MatMulSources(nil, c, &left, &right, 5)
		}})
	}
	out = append(out, kit.Case{Name: "PackColumns", Run: func(m *kit.Memory, n int) error {
		b := matrixOf[float32](m, 5, n, false)
		source, step := NewStrided(b.Data, b.Offset, b.Batch, b.Cols, b.Rows), StepOf[float32](nil)
		_, cols, depth := step.Tile()
		packed := kit.Numbers[float32](m, rt.RoundUp(n, cols)*rt.RoundUp(5, depth))
		PackColumns(step, packed, nil, &source, 1, n, 5, BlockK)
		return nil
	}}, kit.Case{Name: "TransposeLines", Run: func(m *kit.Memory, n int) error {
		TransposeLines(kit.Numbers[float64](m, 5*n), kit.Numbers[float64](m, 6*n-1), n, 5, 6)
		return nil
	}}, kit.Case{Name: "SubtractMatMul", Run: func(m *kit.Memory, n int) error {
		return SubtractMatMul(nil, matrixOf[float32](m, n, 9, false), matrixOf[float32](m, n, 5, true),
			matrixOf[float32](m, 5, 9, false))
	}}, kit.Case{Name: "SubtractMatMulComplex", Run: func(m *kit.Memory, n int) error {
		return SubtractMatMulComplex[float32](nil, matrixOf[complex64](m, n, 9, false),
			matrixOf[complex64](m, n, 5, true), matrixOf[complex64](m, 5, 9, false))
	}})
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
			return MatMulInt32(nil, goStep[float32]{}, matrixOf[float32](m, n, 9, false),
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
		}}, kit.Case{Name: "NewRows", Run: func(m *kit.Memory, n int) error {
			c, a := matrixOf[float32](m, n, 9, false), matrixOf[float32](m, n, 5, transposed)
			b := matrixOf[float32](m, 5, 9, !transposed)
			r := NewRows(c, a, b)
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
		out = append(out, kit.Case{Name: "NewRowsBF16", Run: func(m *kit.Memory, n int) error {
			c, a, b := bytesAs[uint16](m, n, 9, false), bytesAs[uint16](m, n, 6, true), bytesAs[uint16](m, 6, 9, false)
			narrow := Conversion{Size: 2, ToBF16: true, Convert: func(dst, src []byte) {
				half.NarrowBF16(rt.View[uint16](dst), rt.View[float32](src))
			}}
			wide := Conversion{Size: 2, Convert: func(dst, src []byte) {
				half.WidenBF16(rt.View[float32](dst), rt.View[uint16](src))
			}}
			r := NewRowsBF16(steps, typedMatrix[float32](c, narrow), typedMatrix[float32](a, wide),
				typedMatrix[float32](b, wide), narrow, wide)
			packed, scratch := 0, rt.Bytes(kit.Numbers[float32](m, r.ScratchBytes(nil, min(n, 4))/4))
			for lo := 0; lo < n; lo += 4 {
				r.Run(nil, scratch, &packed, lo, min(lo+4, n), c.Data, a.Data, b.Data, 0, 0)
			}
			return nil
		}})
	}
	return out
}

func TestGuardedMemory(t *testing.T) { kit.CheckGuarded(t, guardCases()) }

func TestGuardCasesAreComplete(t *testing.T) { kit.CheckCovered(t, guardCases()) }
