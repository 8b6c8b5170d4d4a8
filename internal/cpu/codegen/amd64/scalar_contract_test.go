package amd64_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Buffers of TestScalarContract: a counter, a boolean, two operands and a result.
const (
	contractCounter = iota
	contractTest
	contractLeft
	contractRight
	contractOut
)

// contractProgram adds a contraction in a loop of one iteration.
func contractProgram(g codegen.Generator, c codegen.Contract) (codegen.ScalarCompiler, error) {
	s := g.NewScalarCompiler()
	for b := range contractLeft {
		s.Reserve(b, 64)
		s.Fill(codegen.Move{From: b, To: b, Bytes: 64})
	}
	return s, s.Loop(contractTest, func() error {
		return s.Kernel(counterKernel(kernel.LT, 1), []int{contractCounter, contractTest})
	}, func() error {
		s.Contract(c)
		return s.Kernel(counterKernel(kernel.Add, 1), []int{contractCounter, contractCounter})
	})
}

const contractBytes = 1 << 16

// randomContract returns a contraction that scalar code supports.
func randomContract(r *rand.Rand, g codegen.Generator) codegen.Contract {
	for {
		c := codegen.Contract{Type: dtype.F32, M: 1 + r.IntN(4), N: 1 + r.IntN(70), K: 1 + r.IntN(60)}
		if r.IntN(3) == 0 {
			c.M, c.N, c.K = 1+r.IntN(5), 1+r.IntN(5), 1+r.IntN(8)
		}
		if r.IntN(2) == 0 {
			c.M, c.N = c.N, c.M
		}
		if r.IntN(2) == 0 {
			c.Type = dtype.F64
		}
		if r.IntN(3) == 0 {
			c.Type = dtype.BF16
			c.N = 8 * (1 + c.N/8)
		}
		size := c.Type.Size()
		matrix := func(buf, rows, cols int) codegen.Matrix {
			m := codegen.Matrix{Buf: buf, At: size * r.IntN(5), Row: size * (cols + r.IntN(3)), Col: size}
			if r.IntN(2) == 0 {
				m.Row, m.Col = size, size*(rows+r.IntN(3))
			}
			return m
		}
		c.Left, c.Right = matrix(contractLeft, c.M, c.K), matrix(contractRight, c.K, c.N)
		c.Out = matrix(contractOut, c.M, c.N)
		if r.IntN(4) == 0 { // dot form
			c.M, c.N, c.Left.Col, c.Right.Row = 1, 8+r.IntN(60), size, size
			c.Out.Col, c.Right.Col = size, size*(c.K+r.IntN(3))
		}
		if g.IsScalarContract(&c) {
			return c
		}
	}
}

// TestScalarContract compares the bits of contractions in loops with plain Go, and checks that only the result is
// written.
func TestScalarContract(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		for _, w := range []target.Width{target.V256, target.V512} {
			g := amd64.Generator{Generator: fallbackTier, Width: w}
			begin := func() codegen.Session {
				s, err := g.NewSession()
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			of := begin()
			c := randomContract(r, of)
			mem := [][]byte{make([]byte, 64), make([]byte, 64), make([]byte, contractBytes),
				make([]byte, contractBytes), make([]byte, contractBytes)}
			for _, b := range mem[contractLeft:] {
				for i := range len(b) / c.Type.Size() {
					c.Type.StoreFloat(b, i, r.NormFloat64())
				}
			}
			program := func(g codegen.Generator) codegen.ScalarCompiler {
				s, err := contractProgram(g, c)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			want := run(t, program(fallbackTier), mem)
			compiled := program(of)
			if err := of.Seal(); err != nil {
				t.Fatal(err)
			}
			emulated := clone(mem)
			var failed error
			code, err := amd64.EmulatedScalar(compiled, func(code, file []byte) error {
				failed = emulateScalar(code, file, emulated)
				return failed
			})
			if err != nil {
				t.Fatalf("seed %d: %+v: %v", seed, c, err)
			}
			if runScalar(code, emulated); failed != nil {
				t.Fatalf("seed %d: %+v: %v", seed, c, failed)
			}
			if !bytes.Equal(emulated[contractOut], want[contractOut]) {
				t.Fatalf("seed %d, emulated %s: %+v: different results", seed, w, c)
			}
			if w.CanRun() != nil {
				continue
			}
			of = begin()
			ready, err := program(of).Done()
			if err == nil {
				err = of.Seal()
			}
			if err != nil {
				t.Fatal(err)
			}
			ran := clone(mem)
			if runScalar(ready, ran); !bytes.Equal(ran[contractOut], want[contractOut]) {
				t.Fatalf("seed %d, run by %s: %+v: different results", seed, w, c)
			}
		}
	}
}
