package library

import (
	"maps"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/internal/cpu/kernels/lapack"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// field is the type constraint of matrix elements.
type field interface {
	float32 | float64 | complex64 | complex128
}

// matrixShape is the shape of a batch of matrices.
type matrixShape struct{ batch, m, n int }

func shapeOf(v *stablehlo.Value) matrixShape {
	t := v.Tensor()
	return matrixShape{matrices(t), int(t.Dims[t.Rank()-2]), int(t.Dims[t.Rank()-1])}
}

// blockMakers has the blocks with an algorithm in this package, by the type of their elements. Other blocks run as
// their decomposition.
var blockMakers lazy.Value[map[string]map[dtype.Type]Maker]

func listBlockMakers() map[string]map[dtype.Type]Maker {
	return map[string]map[dtype.Type]Maker{
		blocks.LU: byField(makeLU[float32], makeLU[float64], makeLU[complex64], makeLU[complex128]),

		blocks.HouseholderQR: byField(makeQR[float32], makeQR[float64], makeQR[complex64], makeQR[complex128]),
		blocks.HouseholderProduct: byField(makeProduct[float32], makeProduct[float64], makeProduct[complex64],
			makeProduct[complex128]),

		blocks.PivotedQR: byField(makePivotedQR[float32], makePivotedQR[float64], makePivotedQR[complex64],
			makePivotedQR[complex128]),

		blocks.Hessenberg: byField(makeHessenberg[float32], makeHessenberg[float64], makeHessenberg[complex64],
			makeHessenberg[complex128]),
		blocks.Schur: byField(makeSchur[float32], makeSchur[float64], makeSchur[complex64], makeSchur[complex128]),
		blocks.Eigh: byField(makeEigh[float32, float32], makeEigh[float64, float64], makeEigh[complex64, float32],
			makeEigh[complex128, float64]),
		blocks.SVD: byField(makeSVD[float32, float32], makeSVD[float64, float64], makeSVD[complex64, float32],
			makeSVD[complex128, float64]),
		blocks.SVDVals: byField(makeSVD[float32, float32], makeSVD[float64, float64], makeSVD[complex64, float32],
			makeSVD[complex128, float64]),
		blocks.Eigvalsh: byField(makeEigh[float32, float32], makeEigh[float64, float64], makeEigh[complex64, float32],
			makeEigh[complex128, float64]),

		blocks.QuantizedDot: {dtype.F32: makeQuantizedDot},
	}
}

func byField(f32, f64, c64, c128 Maker) map[dtype.Type]Maker {
	return map[dtype.Type]Maker{dtype.F32: f32, dtype.F64: f64, dtype.C64: c64, dtype.C128: c128}
}

func makeBlock(op *stablehlo.Op) (Func, error) { return blockMaker(op)(op) }

// Blocks returns the names of the blocks with an algorithm in this package.
func Blocks() []string { return slices.Sorted(maps.Keys(listBlockMakers())) }

// HasBlock reports whether op is a composite with an algorithm in this package.
func HasBlock(op *stablehlo.Op, _ bool) bool {
	return op.Code == stablehlo.OpComposite && blockMaker(op) != nil
}

func blockMaker(op *stablehlo.Op) Maker {
	if len(op.Operands) == 0 { // a composite of constants
		return nil
	}
	t := op.Operands[0].Tensor()
	if t == nil || !t.IsStatic() {
		return nil
	}
	return blockMakers.Get(listBlockMakers)[op.Str("name")][t.DType()]
}

func makeLU[T field](op *stablehlo.Op) (Func, error) {
	s := shapeOf(op.Operands[0])
	return func(env *rt.Env, ins, outs [][]byte) error {
		return lapack.LU(env, rt.View[T](outs[0]), rt.View[int32](outs[1]), rt.View[int32](outs[2]),
			rt.View[T](ins[0]), s.batch, s.m, s.n)
	}, nil
}

func makeQR[T field](op *stablehlo.Op) (Func, error) {
	s := shapeOf(op.Operands[0])
	return func(env *rt.Env, ins, outs [][]byte) error {
		return lapack.QR(env, rt.View[T](outs[0]), rt.View[T](outs[1]), rt.View[T](ins[0]), s.batch, s.m, s.n)
	}, nil
}

func makePivotedQR[T field](op *stablehlo.Op) (Func, error) {
	s, given := shapeOf(op.Operands[0]), op.Operands[1].Tensor().DType()
	return func(env *rt.Env, ins, outs [][]byte) error {
		fixed := func(i int) bool { return given.LoadInt(ins[1], i) != 0 }
		return lapack.PivotedQR(env, rt.View[T](outs[0]), rt.View[T](outs[1]), rt.View[int32](outs[2]),
			rt.View[T](ins[0]), fixed, s.batch, s.m, s.n)
	}, nil
}

func makeHessenberg[T field](op *stablehlo.Op) (Func, error) {
	s := shapeOf(op.Operands[0])
	return func(env *rt.Env, ins, outs [][]byte) error {
		return lapack.Hessenberg(env, rt.View[T](outs[0]), rt.View[T](outs[1]), rt.View[T](ins[0]), s.batch, s.n)
	}, nil
}

func makeProduct[T field](op *stablehlo.Op) (Func, error) {
	s, taus := shapeOf(op.Operands[0]), op.Operands[1].Tensor()
	k := int(taus.Dims[taus.Rank()-1])
	return func(env *rt.Env, ins, outs [][]byte) error {
		return lapack.HouseholderProduct(env, rt.View[T](outs[0]), rt.View[T](ins[0]), rt.View[T](ins[1]),
			s.batch, s.m, s.n, k)
	}, nil
}

// makeEigh computes eigenvectors only if they are results.
func makeEigh[T field, R float32 | float64](op *stablehlo.Op) (Func, error) {
	s, upper := shapeOf(op.Operands[0]), blocks.Flag(blocks.Attrs(op), "upper")
	return func(env *rt.Env, ins, outs [][]byte) error {
		var v []T
		if len(outs) > 1 {
			v = rt.View[T](outs[1])
		}
		return lapack.Eigh(env, rt.View[R](outs[0]), v, rt.View[T](ins[0]), s.batch, s.n, upper)
	}, nil
}

// makeSVD computes vectors only if they are results.
func makeSVD[T field, R float32 | float64](op *stablehlo.Op) (Func, error) {
	s, full := shapeOf(op.Operands[0]), blocks.Flag(blocks.Attrs(op), "full_matrices")
	return func(env *rt.Env, ins, outs [][]byte) error {
		if len(outs) == 1 {
			return lapack.SVD[T](env, rt.View[R](outs[0]), nil, nil, rt.View[T](ins[0]), s.batch, s.m, s.n, false)
		}
		return lapack.SVD(env, rt.View[R](outs[1]), rt.View[T](outs[0]), rt.View[T](outs[2]), rt.View[T](ins[0]),
			s.batch, s.m, s.n, full)
	}, nil
}

func makeSchur[T field](op *stablehlo.Op) (Func, error) {
	s := shapeOf(op.Operands[0])
	return func(env *rt.Env, ins, outs [][]byte) error {
		return lapack.Schur(env, rt.View[T](outs[0]), rt.View[T](outs[1]), rt.View[T](ins[0]), s.batch, s.n)
	}, nil
}
