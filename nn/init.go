package nn

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// Initializer makes the first value of a parameter. The fan is the number of inputs and outputs that an element of the
// result, or of the argument, is computed from: a layer knows its axes, so that it is right for any layout.
type Initializer func(key nx.Tensor, shape nx.Shape, fan Fan, d nx.DType) nx.Tensor

// Fan is the number of connections of a parameter.
type Fan struct {
	In, Out int
	// PyTorch is what [PyTorchInit] divides by where that is not In: PyTorch takes it from the weight as it lies.
	PyTorch int
}

// deviationOfTruncated is the standard deviation of a standard normal that is truncated at ±2.
const deviationOfTruncated = 0.87962566103423978

// TruncatedNormal draws from a normal distribution that is truncated at two deviations, and scaled so that its standard
// deviation is the one given.
func TruncatedNormal(deviation float64) Initializer {
	return func(key nx.Tensor, shape nx.Shape, _ Fan, d nx.DType) nx.Tensor {
		return nx.Cast(nx.Mul(random.TruncatedNormal(key, -2, 2, shape, wide(d)), deviation/deviationOfTruncated), d)
	}
}

// Normal draws from a normal distribution.
func Normal(mean, deviation float64) Initializer {
	return func(key nx.Tensor, shape nx.Shape, _ Fan, d nx.DType) nx.Tensor {
		return nx.Cast(random.Normal(key, mean, deviation, shape, wide(d)), d)
	}
}

// Uniform draws numbers of [lo, hi).
func Uniform(lo, hi float64) Initializer {
	return func(key nx.Tensor, shape nx.Shape, _ Fan, d nx.DType) nx.Tensor {
		return nx.Cast(random.Uniform(key, lo, hi, shape, wide(d)), d)
	}
}

// Constant sets all elements to v.
func Constant(v float64) Initializer {
	return func(_ nx.Tensor, shape nx.Shape, _ Fan, d nx.DType) nx.Tensor { return nx.Full(shape, v, d) }
}

// Zeros sets all elements to 0, the default of biases.
func Zeros(_ nx.Tensor, shape nx.Shape, _ Fan, d nx.DType) nx.Tensor { return nx.Zeros(shape, d) }

// Ones sets all elements to 1.
func Ones(_ nx.Tensor, shape nx.Shape, _ Fan, d nx.DType) nx.Tensor { return nx.Ones(shape, d) }

// Identity is the identity matrix, scaled by gain, of a weight [out, in].
//
// Errors: [nx.ErrShape] for other ranks than two.
func Identity(gain float64) Initializer {
	return func(_ nx.Tensor, shape nx.Shape, _ Fan, d nx.DType) nx.Tensor {
		matrix("Identity", shape)
		return nx.Cast(nx.Mul(nx.Cast(nx.Equal(nx.ExpandAxis(nx.Iota(nx.Shape{shape[0]}, nx.S64), nx.Axis(1)),
			nx.Iota(nx.Shape{shape[1]}, nx.S64)), wide(d)), gain), d)
	}
}

// Orthogonal is a matrix with orthonormal rows or columns, uniform among all such (Haar), scaled by gain. A weight of
// higher rank is a matrix of its first axis by all others, as in PyTorch.
//
// Source: A. Saxe, J. McClelland, S. Ganguli, "Exact solutions to the nonlinear dynamics of learning in deep linear
// neural networks", 2013, arXiv:1312.6120.
func Orthogonal(gain float64) Initializer {
	return func(key nx.Tensor, shape nx.Shape, _ Fan, d nx.DType) nx.Tensor {
		if len(shape) < 2 {
			panic(diag.New(nx.ErrShape, "Orthogonal", "use it for weights, not for biases",
				"the parameter must have two axes or more, got %v", shape))
		}
		columns := 1
		for _, n := range shape[1:] {
			columns *= n
		}
		q := random.Orthogonal(key, shape[0], columns, nil, wide(d))
		return nx.Cast(nx.Mul(nx.Reshape(q, shape...), gain), d)
	}
}

// Dirac keeps the channels of a convolution's argument: its kernel [out, in/groups, k…] has a 1 in its centre from
// channel i to channel i, in each of the groups.
//
// Errors: [nx.ErrShape] for ranks below three, or channels that groups do not divide.
func Dirac(groups int) Initializer {
	return func(_ nx.Tensor, shape nx.Shape, _ Fan, d nx.DType) nx.Tensor {
		if len(shape) < 3 || groups < 1 || shape[0]%groups != 0 {
			panic(diag.New(nx.ErrShape, "Dirac", "use it for convolutions",
				"the kernel must be [out, in/groups, k…] with out divisible by %d groups, got %v", groups, shape))
		}
		n := shape[0] / groups
		strides := make([]int, len(shape))
		for i, s := len(shape)-1, 1; i >= 0; i-- {
			strides[i] = s
			s *= shape[i]
		}
		data := make([]float32, shape[0]*strides[0])
		centre := 0
		for i, k := range shape[2:] {
			centre += k / 2 * strides[i+2]
		}
		for out := range shape[0] {
			if in := out % n; in < shape[1] {
				data[out*strides[0]+in*strides[1]+centre] = 1
			}
		}
		return nx.Cast(nx.FromSlice(data, shape), d)
	}
}

// FanMode says which fan [VarianceScaling] divides by.
type FanMode int

// The fans.
const (
	FanIn FanMode = iota
	FanOut
	FanAverage
)

// Distribution is what [VarianceScaling] draws from.
type Distribution int

// The distributions.
const (
	TruncatedNormals Distribution = iota // truncated at two deviations
	Normals
	Uniforms
)

// VarianceScaling draws numbers with mean 0 and variance scale/fan.
//
// Source: X. Glorot, Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", AISTATS
// 2010; K. He et al., "Delving deep into rectifiers", 2015, arXiv:1502.01852.
func VarianceScaling(scale float64, mode FanMode, dist Distribution) Initializer {
	return func(key nx.Tensor, shape nx.Shape, fan Fan, d nx.DType) nx.Tensor {
		n := float64(fan.In)
		switch mode {
		case FanOut:
			n = float64(fan.Out)
		case FanAverage:
			n = float64(fan.In+fan.Out) / 2
		}
		variance := scale / max(1, n)
		switch dist {
		case Normals:
			return Normal(0, math.Sqrt(variance))(key, shape, fan, d)
		case Uniforms:
			r := math.Sqrt(3 * variance)
			return Uniform(-r, r)(key, shape, fan, d)
		}
		return TruncatedNormal(math.Sqrt(variance))(key, shape, fan, d)
	}
}

// The initializers with names: the variance is 1/in for LeCun, 2/(in+out) for Glorot (Xavier), 2/in for He (Kaiming).
var (
	LeCunNormal   = VarianceScaling(1, FanIn, TruncatedNormals)
	LeCunUniform  = VarianceScaling(1, FanIn, Uniforms)
	GlorotNormal  = VarianceScaling(1, FanAverage, TruncatedNormals)
	GlorotUniform = VarianceScaling(1, FanAverage, Uniforms)
	HeNormal      = VarianceScaling(2, FanIn, TruncatedNormals)
	HeUniform     = VarianceScaling(2, FanIn, Uniforms)
)

// PyTorchInit draws as the layers of PyTorch do by default: uniform numbers of ±1/√in, also for biases. Where PyTorch
// takes another number than that of the products of a sum, so does this: the number of results of a transposed
// convolution, the width of the first argument of a bilinear layer, the hidden numbers of a recurrent network.
//
//	nn.NewLinear(key, in, out, nn.Init(nn.PyTorchInit, nn.PyTorchInit))
func PyTorchInit(key nx.Tensor, shape nx.Shape, fan Fan, d nx.DType) nx.Tensor {
	if fan.PyTorch > 0 {
		fan.In = fan.PyTorch
	}
	return VarianceScaling(1.0/3, FanIn, Uniforms)(key, shape, fan, d)
}

// wide is the type in which numbers for parameters of type d are drawn.
func wide(d nx.DType) nx.DType {
	if d == nx.F64 {
		return d
	}
	return nx.F32
}

func matrix(op string, shape nx.Shape) {
	if len(shape) != 2 {
		panic(diag.New(nx.ErrShape, op, "use it for matrices", "the parameter must have two axes, got %v",
			slices.Clone(shape)))
	}
}
