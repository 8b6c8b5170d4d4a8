package command

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// cost estimates the work of an op, a function or a module. The numbers are float64 because those of a small
// program can exceed an int64.
type cost struct {
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

func (c *cost) add(d cost) {
	c.Flops += d.Flops
	c.Transcendentals += d.Transcendentals
	c.Bytes += d.Bytes
	c.Unknown += d.Unknown
	c.Loops += d.Loops
}

// finite returns c with numbers that JSON can hold.
func (c cost) finite() cost {
	c.Flops, c.Transcendentals, c.Bytes = finite(c.Flops), finite(c.Transcendentals), finite(c.Bytes)
	return c
}

func finite(n float64) float64 {
	if math.IsNaN(n) { // no elements of unbounded work
		return 0
	}
	return math.Min(n, math.MaxFloat64)
}

// times returns the arithmetic of c done n times, without the bytes: the body
// of a reduction works on values that its op has read.
func (c cost) times(n float64) cost {
	return cost{Flops: c.Flops * n, Transcendentals: c.Transcendentals * n, Unknown: c.Unknown, Loops: c.Loops}
}

// coster computes the cost of the functions of a module, each once.
type coster struct {
	module *stablehlo.Module
	funcs  map[string]cost
	active map[string]bool // functions being computed, so that recursion ends
}

// maxCallDepth bounds the recursion over chains of calls.
const maxCallDepth = 10_000

func newCoster(m *stablehlo.Module) *coster {
	return &coster{m, map[string]cost{}, map[string]bool{}}
}

// function returns the cost of one call of @name.
func (c *coster) function(name string) cost {
	if known, ok := c.funcs[name]; ok {
		return known
	}
	f, ok := c.module.Func(name)
	if !ok || c.active[name] || len(c.active) > maxCallDepth {
		return cost{Unknown: 1}
	}
	c.active[name] = true
	total := c.block(f.Body())
	delete(c.active, name)
	c.funcs[name] = total
	return total
}

func (c *coster) block(b *stablehlo.Block) cost {
	var total cost
	if b == nil {
		return total
	}
	for _, op := range b.Ops {
		total.add(c.op(op))
	}
	return total
}

// region returns the cost of one run of region i of op.
func (c *coster) region(op *stablehlo.Op, i int) cost {
	if i >= len(op.Regions) {
		return cost{}
	}
	return c.block(op.Regions[i].Block())
}

// op returns the cost of one op with its regions.
func (c *coster) op(op *stablehlo.Op) cost {
	switch op.Code {
	case stablehlo.OpCall:
		return c.function(op.Str("callee"))
	case stablehlo.OpComposite:
		return c.function(op.Str("decomposition"))
	case stablehlo.OpWhile:
		total := cost{Loops: 1}
		total.add(c.region(op, 0))
		total.add(c.region(op, 1))
		return total
	case stablehlo.OpIf, stablehlo.OpCase:
		var largest cost
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
func (c *coster) arithmetic(op *stablehlo.Op) cost {
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
		return cost{Flops: 5 * out * log2(product(op.Ints("fft_length")))}
	case stablehlo.OpBatchNormInference:
		return cost{Flops: 4 * in}
	case stablehlo.OpBatchNormTraining:
		return cost{Flops: 8 * in}
	case stablehlo.OpBatchNormGrad:
		return cost{Flops: 12 * in}
	case stablehlo.OpCholesky:
		return cost{Flops: in * lastDim(op, 0) / 3}
	case stablehlo.OpTriangularSolve:
		return cost{Flops: operandSize(op, 1) * lastDim(op, 0)}
	}
	return elementwise(op, out)
}

// elementwise returns the work of an elementwise op with n results.
func elementwise(op *stablehlo.Op, n float64) cost {
	elem := elemType(op)
	if !elem.IsFloat() && !elem.IsComplex() {
		return cost{}
	}
	if op.Code.Info().Traits&stablehlo.Transcendental != 0 {
		return cost{Transcendentals: n}
	}
	w, ok := arithmeticOps[op.Code]
	if !ok {
		return cost{}
	}
	if elem.IsComplex() {
		return cost{Flops: n * w.complex}
	}
	return cost{Flops: n * w.real}
}

// multiplyAdds returns the cost of n multiplications, each with an addition.
func multiplyAdds(op *stablehlo.Op, n float64) cost {
	elem := elemType(op)
	switch {
	case elem.IsComplex():
		return cost{Flops: 8 * n}
	case elem.IsFloat():
		return cost{Flops: 2 * n}
	}
	return cost{}
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
