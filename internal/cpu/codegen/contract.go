package codegen

import "github.com/go-nx/nx/dtype"

// Contract is a small product of matrices in scalar code: Out[m, n] = Σₖ Left[m, k]·Right[k, n]. The k are in order,
// each product is added with one rounding, and the first to 0. Sums of BF16 are of F32, and rounded at the end.
type Contract struct {
	Type             dtype.Type // F32, F64 or BF16
	Left, Right, Out Matrix
	M, N, K          int
}

// Matrix is a matrix in a buffer: where its first element is, and how far the next row and column are, in bytes.
type Matrix struct{ Buf, At, Row, Col int }

// Transposed returns the product of the transposes, which has the same results.
func (c Contract) Transposed() Contract {
	transposed := func(m Matrix) Matrix { return Matrix{m.Buf, m.At, m.Col, m.Row} }
	return Contract{c.Type, transposed(c.Right), transposed(c.Left), transposed(c.Out), c.N, c.M, c.K}
}

// Work returns the number of products.
func (c *Contract) Work() int { return c.M * c.N * c.K }
