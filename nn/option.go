package nn

import "github.com/go-nx/nx"

// Options of layers are values behind sealed interfaces, one per family of layers, so that an option without a meaning
// for a layer does not compile.
type (
	// LinearOption is an option of [NewLinear].
	LinearOption interface{ linear(*paramOptions) }
	// WeightOption is an option of every layer with weights that are drawn.
	WeightOption interface {
		LinearOption
		ConvOption
		AttentionOption
		EmbeddingOption
		RecurrentOption
		TransformerOption
		MoEOption
	}
	// ParamOption is an option of every layer with parameters.
	ParamOption interface {
		WeightOption
		NormOption
	}
)

// paramOptions are the options of the parameters of a layer.
type paramOptions struct {
	weight, bias Initializer
	noBias       bool
	dtype        nx.DType
}

type initOption struct{ weight, bias Initializer }

// Init draws the weights of a layer by an initializer, and its bias by another one, if given.
func Init(weight Initializer, bias ...Initializer) WeightOption {
	o := initOption{weight: weight}
	if len(bias) > 0 {
		o.bias = bias[0]
	}
	return o
}

func (o initOption) linear(p *paramOptions) {
	p.weight = o.weight
	if o.bias != nil {
		p.bias = o.bias
	}
}

type dtypeOption struct{ d nx.DType }

// DType gives the parameters of a layer an element type, f32 without it.
func DType(d nx.DType) ParamOption { return dtypeOption{d} }

func (o dtypeOption) linear(p *paramOptions) { p.dtype = o.d }

type noBias bool

// NoBias makes a layer without a bias.
const NoBias noBias = true

func (noBias) linear(p *paramOptions) { p.noBias = true }
