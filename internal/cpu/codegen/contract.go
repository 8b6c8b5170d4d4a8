package codegen

import "github.com/go-nx/nx/dtype"

// Contract is a small contraction of matrices in scalar code: Out[m, n] = Σₖ Left[m, k]·Right[k, n]. Terms are added in
// the order of k with fused multiply-adds, starting from 0. BF16 accumulates in F32 and rounds the result.
type Contract struct {
	Type             dtype.Type // F32, F64 or BF16
	Left, Right, Out Matrix
	M, N, K          int
}

// Matrix is a matrix in a buffer. At is the byte offset of its first element; Row and Col are the strides in bytes.
type Matrix struct{ Buf, At, Row, Col int }

// Transposed returns the contraction of the transposes, which has the same results.
func (c Contract) Transposed() Contract {
	transposed := func(m Matrix) Matrix { return Matrix{m.Buf, m.At, m.Col, m.Row} }
	return Contract{c.Type, transposed(c.Right), transposed(c.Left), transposed(c.Out), c.N, c.M, c.K}
}

// Work returns the number of multiply-adds.
func (c *Contract) Work() int { return c.M * c.N * c.K }
