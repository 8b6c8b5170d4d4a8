// Package gonum converts matrices and vectors of gonum to tensors and back. It is a separate module, so that
// programs that only import nx do not need gonum.
package gonum

import (
	"gonum.org/v1/gonum/mat"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Tensor returns the elements of a matrix, copied.
//
// Shapes: [rows, columns]. DTypes: f64. Accuracy: exact. Errors: [nx.ErrArgument] where there
// is not a matrix. Source: gonum's package mat.
func Tensor(m mat.Matrix) nx.Tensor {
	if m == nil {
		panic(diag.New(nx.ErrArgument, "gonum.Tensor", "", "the matrix is nil"))
	}
	rows, columns := m.Dims()
	data := make([]float64, 0, rows*columns)
	if raw, ok := m.(mat.RawMatrixer); ok {
		r := raw.RawMatrix()
		for i := range rows {
			data = append(data, r.Data[i*r.Stride:i*r.Stride+columns]...)
		}
	} else {
		for i := range rows {
			for j := range columns {
				data = append(data, m.At(i, j))
			}
		}
	}
	return nx.FromSliceShared(data, nx.Shape{rows, columns})
}

// VectorTensor returns the elements of a vector, copied.
//
// Shapes: [n]. DTypes: f64. Accuracy: exact. Errors: those of [Tensor].
func VectorTensor(v mat.Vector) nx.Tensor {
	t := Tensor(v)
	return nx.Reshape(t, t.Size())
}

// ComplexTensor returns the elements of a complex matrix, copied.
//
// Shapes: [rows, columns]. DTypes: c128. Accuracy: exact. Errors: those of [Tensor].
func ComplexTensor(m mat.CMatrix) nx.Tensor {
	if m == nil {
		panic(diag.New(nx.ErrArgument, "gonum.ComplexTensor", "", "the matrix is nil"))
	}
	rows, columns := m.Dims()
	data := make([]complex128, 0, rows*columns)
	for i := range rows {
		for j := range columns {
			data = append(data, m.At(i, j))
		}
	}
	return nx.FromSliceShared(data, nx.Shape{rows, columns})
}

// Dense returns the elements of a tensor as a matrix, copied and converted as by [nx.Cast].
//
// Shapes: [rows, columns], neither of them 0, which gonum does not have. DTypes: all but
// complex numbers. Errors: [nx.ErrShape], [nx.ErrDType], [nx.ErrTrace] for traced tensors.
func Dense(t nx.Tensor) (m *mat.Dense, err error) {
	defer nx.Catch(&err)
	s, err := shapeOf("gonum.Dense", t, 2, true)
	if err != nil {
		return nil, err
	}
	return mat.NewDense(s[0], s[1], nx.Data[float64](t)), nil
}

// Vector returns the elements of a tensor as a vector, copied and converted as by [nx.Cast].
//
// Shapes: [n], not 0. DTypes: all but complex numbers. Errors: those of [Dense].
func Vector(t nx.Tensor) (v *mat.VecDense, err error) {
	defer nx.Catch(&err)
	s, err := shapeOf("gonum.Vector", t, 1, true)
	if err != nil {
		return nil, err
	}
	return mat.NewVecDense(s[0], nx.Data[float64](t)), nil
}

// ComplexDense returns the elements of a tensor as a complex matrix, copied and converted as
// by [nx.Cast].
//
// Shapes: [rows, columns], neither of them 0. DTypes: all. Errors: [nx.ErrShape],
// [nx.ErrTrace] for traced tensors.
func ComplexDense(t nx.Tensor) (m *mat.CDense, err error) {
	defer nx.Catch(&err)
	s, err := shapeOf("gonum.ComplexDense", t, 2, false)
	if err != nil {
		return nil, err
	}
	return mat.NewCDense(s[0], s[1], nx.Data[complex128](nx.Devectorize(t))), nil
}

// shapeOf returns the shape of a tensor, which must have a rank and may have to be real.
func shapeOf(op string, t nx.Tensor, rank int, isReal bool) (nx.Shape, error) {
	if isReal && t.DType().IsComplex() {
		return nil, diag.New(nx.ErrDType, op, "use gonum.ComplexDense, or take a part (nx.Real)",
			"the tensor has complex numbers: %s", t.Spec())
	}
	s := nx.Devectorize(t).Shape()
	if len(s) != rank || s.Size() == 0 {
		return nil, diag.New(nx.ErrShape, op, "reshape it (nx.Reshape)",
			"the tensor must have rank %d and elements, got %s", rank, t.Spec())
	}
	return s, nil
}
