package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// SubtractMatMul subtracts a·b from c.
func SubtractMatMul[T float32 | float64](env *rt.Env, c, a, b Matrix[T]) error {
	g := newProduct[T]()
	defer g.release()
	g.setOperands(c, a, b)
	switch _, inPlace := g.epilogue.(*denseEpilogue[T]); {
	case g.k == 0:
		return nil
	case inPlace:
		g.subtract = StepOf[T](env)
	default:
		g.epilogue = &subtractEpilogue[T]{c}
	}
	return g.run(env)
}

// SubtractMatMulComplex is [SubtractMatMul] of complex numbers with parts of type T.
func SubtractMatMulComplex[T float32 | float64, Z complex64 | complex128](env *rt.Env, c, a, b Matrix[Z]) error {
	g := newComplexProduct[T](env, &c, &a, &b)
	defer g.release()
	g.epilogue = &subtractEpilogue[T]{g.parts.strided.c}
	return g.run(env)
}
