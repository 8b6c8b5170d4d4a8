package nn

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// LowRank is what a [Linear] adds to its weight: Scale·B·A. Its names in a state_dict are those of PEFT.
type LowRank struct {
	A     nx.Tensor `nn:"lora_A.weight"` // [rank, in]
	B     nx.Tensor `nn:"lora_B.weight"` // [out, rank]
	Scale float64   // alpha/rank
}

// apply is the product of x with the matrices.
func (l *LowRank) apply(x nx.Tensor) nx.Tensor {
	low := nx.Dot(narrowed(x, l.A), nx.Transpose(l.A))
	return nx.Mul(nx.Dot(low, nx.Transpose(l.B)), l.Scale)
}

// LoRA adds a matrix of low rank to the weight of a layer, for training it while all else is frozen:
//
//	nn.LoRA(key, model.Block.QProj, 8, 16)
//	lora, base := nn.Partition(model, nn.Match(model, "**.LoRA"))
//
// The result of the layer is the same at first: A is uniform in ±1/√in and B is 0, both in f32 at least. [MergeLoRA]
// makes the sum the weight.
//
// Source: E. Hu et al., 2021, arXiv:2106.09685; A as in Hugging Face's PEFT.
func LoRA(key nx.Tensor, l *Linear, rank int, alpha float64) {
	positive("LoRA", "rank", rank)
	if l == nil || l.Weight.IsZero() {
		panic(diag.New(nx.ErrArgument, "LoRA", "make it by nn.NewLinear", "the layer has no weight"))
	}
	if l.LoRA != nil {
		panic(diag.New(nx.ErrArgument, "LoRA", "merge it by nn.MergeLoRA first",
			"the layer has a matrix of low rank already"))
	}
	out, in := l.Weight.Shape()[0], inputs(l.Weight, l.Scale)
	d := l.Weight.DType()
	if d.Bits() < 32 || !d.IsFloat() {
		d = nx.F32
	}
	bound := 1 / math.Sqrt(float64(in))
	l.LoRA = &LowRank{
		A:     Uniform(-bound, bound)(random.FoldIn(key, 0), nx.Shape{rank, in}, Fan{In: in, Out: rank}, d),
		B:     nx.Zeros(nx.Shape{out, rank}, d),
		Scale: alpha / float64(rank),
	}
}

// MergeLoRA makes the weight of a layer and what [LoRA] added one weight, in the type of the weight. A layer without
// stays as it is. A quantised weight becomes f32.
func MergeLoRA(l *Linear) {
	if l.LoRA == nil {
		return
	}
	if !l.Scale.IsZero() {
		l.Weight, l.Scale = dequantized(l.Weight, l.Scale), nx.Tensor{}
	}
	sum := nx.Add(l.Weight, nx.Mul(nx.Dot(l.LoRA.B, l.LoRA.A), l.LoRA.Scale))
	l.Weight, l.LoRA = nx.Cast(sum, l.Weight.DType()), nil
}
