// Package cost estimates the work of StableHLO programs from their types.
package cost

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Cost estimates the work of an op, a function or a module. The numbers are float64 because those of a small
// program can exceed an int64.
type Cost struct {
	// Flops counts additions, multiplications, comparisons and the like on
	// floating-point elements; a complex addition counts 2, a complex
	// multiplication 6, a complex division 11. Integer work is not counted.
	Flops float64 `json:"flops"`
	// Transcendentals counts elements of exp, log, sine, tanh, power, sqrt, ….
	Transcendentals float64 `json:"transcendentals"`
	// Bytes is the memory traffic of the ops without fusion.
	Bytes float64 `json:"bytes"`
	// Unknown counts the ops whose work is not known: custom calls and ops
	// with dynamic dimensions (which count as 1).
	Unknown int `json:"unknown"`
	// Loops counts the while ops; the work of one iteration is counted.
	Loops int `json:"loops"`
}

func (c *Cost) add(d Cost) {
	c.Flops += d.Flops
	c.Transcendentals += d.Transcendentals
	c.Bytes += d.Bytes
	c.Unknown += d.Unknown
	c.Loops += d.Loops
}

// Finite returns c with numbers that JSON can hold.
func (c Cost) Finite() Cost {
	c.Flops, c.Transcendentals, c.Bytes = Finite(c.Flops), Finite(c.Transcendentals), Finite(c.Bytes)
	return c
}

// Finite returns a number that JSON can hold.
func Finite(n float64) float64 {
	if math.IsNaN(n) { // no elements of unbounded work
		return 0
	}
	return math.Min(n, math.MaxFloat64)
}

// times returns the arithmetic of c done n times, without the bytes: the body
// of a reduction works on values that its op has read.
func (c Cost) times(n float64) Cost {
	return Cost{Flops: c.Flops * n, Transcendentals: c.Transcendentals * n, Unknown: c.Unknown, Loops: c.Loops}
}

// Coster computes the Cost of the functions of a module, each once.
type Coster struct {
	module *stablehlo.Module
	funcs  map[string]Cost
	active map[string]bool // functions being computed, so that recursion ends
}

// maxCallDepth bounds the recursion over chains of calls.
const maxCallDepth = 10_000

// New returns the costs of the functions of a module.
func New(m *stablehlo.Module) *Coster {
	return &Coster{m, map[string]Cost{}, map[string]bool{}}
}

// Function returns the Cost of one call of @name.
func (c *Coster) Function(name string) Cost {
	if known, ok := c.funcs[name]; ok {
		return known
	}
	f, ok := c.module.Func(name)
	if !ok || c.active[name] || len(c.active) > maxCallDepth {
		return Cost{Unknown: 1}
	}
	c.active[name] = true
	total := c.block(f.Body())
	delete(c.active, name)
	c.funcs[name] = total
	return total
}

func (c *Coster) block(b *stablehlo.Block) Cost {
	var total Cost
	if b == nil {
		return total
	}
	for _, op := range b.Ops {
		total.add(c.Op(op))
	}
	return total
}

// region returns the Cost of one run of region i of op.
func (c *Coster) region(op *stablehlo.Op, i int) Cost {
	if i >= len(op.Regions) {
		return Cost{}
	}
	return c.block(op.Regions[i].Block())
}

// Op returns the Cost of one op with its regions.
func (c *Coster) Op(op *stablehlo.Op) Cost {
	switch op.Code {
	case stablehlo.OpCall:
		return c.Function(op.Str("callee"))
	case stablehlo.OpComposite:
		return c.Function(op.Str("decomposition"))
	case stablehlo.OpWhile:
		total := Cost{Loops: 1}
		total.add(c.region(op, 0))
		total.add(c.region(op, 1))
		return total
	case stablehlo.OpIf, stablehlo.OpCase:
		var largest Cost
		for i := range op.Regions {
			b := c.region(op, i)
			if b.Flops+b.Transcendentals+b.Bytes > largest.Flops+largest.Transcendentals+largest.Bytes {
				largest = b
			}
		}
		return largest
	}
	total := c.arithmetic(op)
	total.Bytes = bytesMoved(op)
	if op.Code == stablehlo.OpCustomCall || op.Code == stablehlo.Unregistered || hasDynamic(op) {
		total.Unknown++
	}
	return total
}

// arithmetic returns the work of an op without its bytes. The formulas, with
// |x| the number of elements of x:
//
//	elementwise            |result| · (1, or as complex arithmetic has it)
//	dot_general, dot       2 · |result| · contracted size         (complex: 8)
//	convolution            2 · |result| · |kernel| / output features
//	reduce                 body · (|inputs| − |results|) of the first input and result
//	reduce_window          body · |result| · (window size − 1)
//	scatter                body · |updates|
//	select_and_scatter     select · |source| · (window size − 1) + scatter · |source|
//	map                    body · |result|
//	sort                   comparator · n · ⌈log2 d⌉, d the size of the sorted dimension
//	fft                    5 · |result| · log2(transform size)
//	batch_norm_*           4 (inference), 8 (training), 12 (grad) · |operand|
//	cholesky               |matrix| · order / 3
//	triangular_solve       |b| · order
func (c *Coster) arithmetic(op *stablehlo.Op) Cost {
	in, out := operandSize(op, 0), resultSize(op)
	switch op.Code {
	case stablehlo.OpDotGeneral, stablehlo.OpDot:
		return multiplyAdds(op, out*contractedSize(op))
	case stablehlo.OpConvolution, stablehlo.OpDynamicConv:
		return multiplyAdds(op, out*kernelWork(op))
	case stablehlo.OpReduce:
		return c.region(op, 0).times(math.Max(in-out, 0))
	case stablehlo.OpReduceWindow:
		return c.region(op, 0).times(out * (windowSize(op) - 1))
	case stablehlo.OpScatter:
		return c.region(op, 0).times(updatesSize(op))
	case stablehlo.OpSelectAndScatter:
		source := operandSize(op, 1)
		total := c.region(op, 0).times(source * (windowSize(op) - 1))
		total.add(c.region(op, 1).times(source))
		return total
	case stablehlo.OpMap:
		return c.region(op, 0).times(out)
	case stablehlo.OpSort:
		return c.region(op, 0).times(in * math.Ceil(log2(sortedSize(op))))
	case stablehlo.OpFft:
		return Cost{Flops: 5 * out * log2(product(op.Ints("fft_length")))}
	case stablehlo.OpBatchNormInference:
		return Cost{Flops: 4 * in}
	case stablehlo.OpBatchNormTraining:
		return Cost{Flops: 8 * in}
	case stablehlo.OpBatchNormGrad:
		return Cost{Flops: 12 * in}
	case stablehlo.OpCholesky:
		return Cost{Flops: in * lastDim(op, 0) / 3}
	case stablehlo.OpTriangularSolve:
		return Cost{Flops: operandSize(op, 1) * lastDim(op, 0)}
	}
	return elementwise(op, out)
}

// elementwise returns the work of an elementwise op with n results.
func elementwise(op *stablehlo.Op, n float64) Cost {
	elem := elemType(op)
	if !elem.IsFloat() && !elem.IsComplex() {
		return Cost{}
	}
	if op.Code.Info().Traits&stablehlo.Transcendental != 0 {
		return Cost{Transcendentals: n}
	}
	w, ok := arithmeticOps[op.Code]
	if !ok {
		return Cost{}
	}
	if elem.IsComplex() {
		return Cost{Flops: n * w.complex}
	}
	return Cost{Flops: n * w.real}
}

// multiplyAdds returns the Cost of n multiplications, each with an addition.
func multiplyAdds(op *stablehlo.Op, n float64) Cost {
	elem := elemType(op)
	switch {
	case elem.IsComplex():
		return Cost{Flops: 8 * n}
	case elem.IsFloat():
		return Cost{Flops: 2 * n}
	}
	return Cost{}
}

// elemType returns the type an op computes in: that of its first operand.
func elemType(op *stablehlo.Op) dtype.Type {
	if len(op.Operands) == 0 {
		return dtype.Invalid
	}
	if t := op.Operands[0].Tensor(); t != nil {
		return t.DType()
	}
	return dtype.Invalid
}
