package learning_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
)

func init() { learningFamilies["initialisers"] = runInitialiser }

// learningSample are numbers that an initializer drew, with the fan that a layer gave it.
type learningSample struct {
	values []float64
	fan    nn.Fan
	shape  nx.Shape
}

// learningDraws is the number of values of a sample.
const learningDraws = 40_000

// sampleOf draws by a layer, until there are enough numbers. The layer is made by a function of the key and an
// initializer that draws and takes down its fan.
func sampleOf(r *learningRun, init nn.Initializer, layer func(key nx.Tensor, init nn.Initializer)) *learningSample {
	s := &learningSample{}
	for i := 0; len(s.values) < learningDraws; i++ {
		first := true
		layer(random.Key(int64(i)), func(key nx.Tensor, shape nx.Shape, fan nn.Fan, d nx.DType) nx.Tensor {
			w := init(key, shape, fan, r.dtype)
			if first {
				s.fan, s.shape, first = fan, shape, false
				s.values = append(s.values, nx.Data[float64](nx.Cast(w, nx.F64))...)
			}
			return w
		})
	}
	return s
}

// results are the numbers of a sample. One that agrees with that of the case within five standard errors is taken as
// that, as FORMAT.md says.
func (s *learningSample) results(r *learningRun) map[string]nx.Tensor {
	n := float64(len(s.values))
	mean, squares, low, high := 0.0, 0.0, math.Inf(1), math.Inf(-1)
	for _, v := range s.values {
		mean += v / n
		low, high = min(low, v), max(high, v)
	}
	for _, v := range s.values {
		squares += (v - mean) * (v - mean) / n
	}
	std := math.Sqrt(squares)
	out := map[string]nx.Tensor{}
	put := func(name string, got, within float64) {
		if _, ok := r.Outputs[name]; ok {
			out[name] = agreed(r, name, got, within)
		}
	}
	put("std", std, 5*std/math.Sqrt(2*n))
	put("mean", mean, 5*std/math.Sqrt(n))
	put("variance", squares, 10*squares/math.Sqrt(2*n))
	put("correction", 1/std, 5/std/math.Sqrt(2*n))
	put("constant_in_use", std, 5*std/math.Sqrt(2*n))
	// No number is beyond a bound, and the largest is near it.
	edge := func(name string, got float64) {
		put(name, got, math.Abs(got)*0.01)
		if w, ok := r.wanted(name); ok && math.Abs(got) > math.Abs(w)*(1+1e-6) {
			out[name] = scalar(got)
		}
	}
	edge("bound", max(high, -low))
	edge("low", low)
	edge("high", high)
	fans := map[string]int{"fan_in": s.fan.In, "fan_out": s.fan.Out}
	if r.Source.Library == "torch" && len(s.shape) > 1 { // PyTorch's are those of the weight as it lies
		field := s.shape[2:].Size()
		fans["fan_in"], fans["fan_out"] = s.shape[1]*field, s.shape[0]*field
	}
	for name, v := range fans {
		out[name] = scalar(float64(v))
	}
	return out
}

func scalar(v float64) nx.Tensor { return nx.Full(nx.Shape{}, v, nx.F64) }

func (r *learningRun) wanted(name string) (float64, bool) {
	array, ok := r.Outputs[name]
	if !ok {
		return 0, false
	}
	return nx.Item[float64](nx.Cast(r.arrays[array], nx.F64)), true
}

// agreed is the number of the case, if a number that was drawn is within a distance of it, else what was drawn.
func agreed(r *learningRun, name string, got, within float64) nx.Tensor {
	if w, _ := r.wanted(name); math.Abs(got-w) <= within {
		return scalar(w)
	}
	return scalar(got)
}

func runInitialiser(r *learningRun) learningResults {
	name := strings.NewReplacer("-", "_", " ", "").Replace(strings.ToLower(r.text("initialiser")))
	var out map[string]nx.Tensor
	switch {
	case name == "" && r.text("nonlinearity") != "":
		f := r.text("nonlinearity")
		if strings.HasPrefix(f, "conv") {
			f = "conv"
		}
		out = map[string]nx.Tensor{"gain": scalar(nn.Gain(f, r.number("param", 0.01)))}
	case r.text("layer") != "":
		out = runLayerDefaults(r)
	case name == "orthogonal":
		out = orthogonalResults(r)
	case name == "dirac", name == "identity", name == "eye", name == "zeros", name == "ones", name == "constant":
		out = map[string]nx.Tensor{"value": fixedValue(r, name)}
	case name == "":
		s := sampleOf(r, func(key nx.Tensor, shape nx.Shape, _ nn.Fan, d nx.DType) nx.Tensor {
			return random.TruncatedNormal(key, r.number("low", -2), r.number("high", 2), shape, d)
		}, vectorOf(learningDraws))
		out = s.results(r)
	default:
		out = sampleOf(r, initializerOf(r, name), layerOf(r)).results(r)
	}
	return learningResults{outputs: out}
}

// vectorOf is a parameter without fans, or with n for both.
func vectorOf(n int) func(key nx.Tensor, init nn.Initializer) {
	return func(key nx.Tensor, init nn.Initializer) { init(key, nx.Shape{n}, nn.Fan{In: n, Out: n}, nx.F32) }
}

// layerOf makes the layer whose weight has the shape of the case: [k…, in, out] of Keras, [out, in, k…] of PyTorch.
func layerOf(r *learningRun) func(key nx.Tensor, init nn.Initializer) {
	shape := r.integers("shape", 1)
	n := len(shape)
	switch {
	case n == 0:
		return vectorOf(learningDraws)
	case n == 1:
		return vectorOf(shape[0])
	}
	in, out, size := shape[n-2], shape[n-1], shape[:n-2]
	if r.Source.Library == "torch" {
		in, out, size = shape[1], shape[0], shape[2:]
	}
	return func(key nx.Tensor, init nn.Initializer) {
		if n == 2 {
			nn.NewLinear(key, in, out, nn.Init(init), nn.NoBias)
			return
		}
		nn.NewConv(key, in, out, size, nn.Init(init), nn.NoBias)
	}
}

// initializerOf is ours for a name of Keras or PyTorch.
func initializerOf(r *learningRun, name string) nn.Initializer {
	scale, mode, dist := r.number("scale", 1), nn.FanIn, nn.TruncatedNormals
	switch r.text("mode") {
	case "fan_out":
		mode = nn.FanOut
	case "fan_avg":
		mode = nn.FanAverage
	}
	switch r.text("distribution") {
	case "uniform":
		dist = nn.Uniforms
	case "untruncated_normal":
		dist = nn.Normals
	case "normal": // Keras' name of the truncated one
		dist = nn.TruncatedNormals
	}
	switch name {
	case "glorot_normal":
		return nn.GlorotNormal
	case "glorot_uniform":
		return nn.GlorotUniform
	case "he_normal":
		return nn.HeNormal
	case "he_uniform":
		return nn.HeUniform
	case "lecun_normal":
		return nn.LeCunNormal
	case "lecun_uniform":
		return nn.LeCunUniform
	case "variance_scaling":
		return nn.VarianceScaling(scale, mode, dist)
	case "truncated_normal", "trunc_normal": // at two deviations, which are those before the cut
		normal := nn.TruncatedNormal(r.number("stddev", 0.05) * 0.87962566103423978)
		return func(key nx.Tensor, shape nx.Shape, fan nn.Fan, d nx.DType) nx.Tensor {
			return nx.Add(normal(key, shape, fan, d), r.number("mean", 0))
		}
	case "random_normal", "normal":
		return nn.Normal(r.number("mean", 0), r.number("stddev", r.number("std", 0.05)))
	case "random_uniform", "uniform":
		return nn.Uniform(r.number("minval", r.number("a", -0.05)), r.number("maxval", r.number("b", 0.05)))
	}
	kind := nn.Normals
	if strings.HasSuffix(name, "uniform") {
		kind = nn.Uniforms
	}
	switch {
	case strings.HasPrefix(name, "xavier"):
		gain := r.number("gain", 1)
		return nn.VarianceScaling(gain*gain, nn.FanAverage, kind)
	case strings.HasPrefix(name, "kaiming"):
		function := r.text("nonlinearity")
		if function == "" {
			function = "leaky_relu"
		}
		gain := nn.Gain(function, r.number("a", 0))
		return nn.VarianceScaling(gain*gain, mode, kind)
	}
	panic(fmt.Sprintf("the initialiser %q has no runner", name))
}

// fixedValue is that of an initializer that does not draw.
func fixedValue(r *learningRun, name string) nx.Tensor {
	shape := nx.Shape(r.integers("shape", 1))
	gain := r.number("gain", 1)
	init := map[string]nn.Initializer{"dirac": nn.Dirac(r.integer("groups", 1)), "identity": nn.Identity(gain),
		"eye": nn.Identity(gain), "zeros": nn.Zeros, "ones": nn.Ones,
		"constant": nn.Constant(r.number("value", 0))}[name]
	return init(random.Key(1), shape, nn.Fan{}, r.dtype)
}

// orthogonalResults are statistics of many matrices. Keras' are [all but the last, last].
func orthogonalResults(r *learningRun) map[string]nx.Tensor {
	shape, gain := r.integers("shape", 1), r.number("gain", 1)
	columns := shape[len(shape)-1]
	rows := nx.Shape(shape[:len(shape)-1]).Size()
	draws := r.integer("draws", 400)
	keys := random.Split(random.Key(3), draws)
	all := nx.Vmap(func(key nx.Tensor) nx.Tensor {
		return nn.Orthogonal(gain)(key, nx.Shape{rows, columns}, nn.Fan{}, nx.F64)
	})(keys)
	q := all.At(0)
	if rows < columns {
		q = nx.Transpose(q)
	}
	gram := nx.Dot(nx.Transpose(q), q)
	least := min(rows, columns)
	off := nx.Max(nx.Abs(nx.Mul(gram, nx.Sub(1, nx.Eye(nx.Shape{least, least}, nx.F64)))))
	diagonal := nx.Diagonal(gram, 0)
	worst := nx.Data[float64](diagonal)[0]
	for _, v := range nx.Data[float64](diagonal) {
		if math.Abs(v-gain*gain) > math.Abs(worst-gain*gain) {
			worst = v
		}
	}
	// A diagonal entry, by all matrices.
	entry := nx.Data[float64](all.At(nx.Ellipsis, 0, 0))
	n := float64(len(entry))
	mean, variance := 0.0, 0.0
	for _, v := range entry {
		mean += v / n
	}
	for _, v := range entry {
		variance += (v - mean) * (v - mean) / n
	}
	each := nx.Item[float64](nx.Mean(nx.Square(all)))
	out := map[string]nx.Tensor{"gram_diagonal": scalar(worst), "gram_off_diagonal": off,
		"entry_variance": scalar(each)}
	se := math.Sqrt(variance / n)
	out["diagonal_mean"] = agreed(r, "diagonal_mean", mean, 5*se)
	out["diagonal_mean_standard_error"] = agreed(r, "diagonal_mean_standard_error", se, 5*se/math.Sqrt(2*n))
	return out
}

var layerText = regexp.MustCompile(`^(\w+)(?:\((.*)\))?$`)

// runLayerDefaults draws the weights of a layer of PyTorch as that does by default.
func runLayerDefaults(r *learningRun) map[string]nx.Tensor {
	m := layerText.FindStringSubmatch(r.text("layer"))
	if m == nil {
		panic(fmt.Sprintf("the layer %q has no runner", r.text("layer")))
	}
	kind, shape := strings.ToLower(m[1]), r.integers("weight_shape", 1)
	groups := 1
	if g := regexp.MustCompile(`groups=(\d+)`).FindStringSubmatch(m[2]); g != nil {
		fmt.Sscan(g[1], &groups)
	}
	torch := func(layer func(key nx.Tensor, init nn.Initializer)) map[string]nx.Tensor {
		return sampleOf(r, nn.PyTorchInit, layer).results(r)
	}
	switch {
	case kind == "linear":
		return torch(func(key nx.Tensor, init nn.Initializer) {
			nn.NewLinear(key, shape[1], shape[0], nn.Init(init, init))
		})
	case kind == "bilinear":
		return torch(func(key nx.Tensor, init nn.Initializer) {
			nn.NewBilinear(key, shape[1], shape[2], shape[0], nn.Init(init, init))
		})
	case strings.HasPrefix(kind, "convtranspose"):
		return torch(func(key nx.Tensor, init nn.Initializer) {
			nn.NewConvTranspose(key, shape[0], shape[1]*groups, shape[2:], nn.Groups(groups), nn.Init(init, init))
		})
	case strings.HasPrefix(kind, "conv"):
		return torch(func(key nx.Tensor, init nn.Initializer) {
			nn.NewConv(key, shape[1]*groups, shape[0], shape[2:], nn.Groups(groups), nn.Init(init, init))
		})
	case kind == "embedding":
		return sampleOf(r, nn.Normal(0, 1), func(key nx.Tensor, init nn.Initializer) {
			nn.NewEmbedding(key, 400, 100, nn.Init(init))
		}).results(r)
	case kind == "lstm", kind == "gru", kind == "rnn":
		return recurrentDefaults(r, kind)
	case kind == "multiheadattention":
		return multiheadDefaults(r)
	}
	panic(fmt.Sprintf("the layer %q has no runner", r.text("layer")))
}

// recurrentDefaults are all weights and biases of a network, as drawn without an option.
func recurrentDefaults(r *learningRun, kind string) map[string]nx.Tensor {
	hidden := r.integer("hidden", r.integer("hidden_size", 1))
	s := &learningSample{}
	for i := 0; len(s.values) < learningDraws; i++ {
		var model any
		switch key := random.Key(int64(i)); kind {
		case "lstm":
			model = nn.NewLSTM(key, hidden, hidden)
		case "gru":
			model = nn.NewGRU(key, hidden, hidden)
		default:
			model = nn.NewRNN(key, hidden, hidden)
		}
		for _, l := range nn.Leaves(model) {
			s.values = append(s.values, nx.Data[float64](nx.Cast(l.Tensor, nx.F64))...)
		}
	}
	return s.results(r)
}

// multiheadDefaults are the bounds of the weights of attention, as drawn without an option.
func multiheadDefaults(r *learningRun) map[string]nx.Tensor {
	width := r.integer("embed_dim", 16)
	bounds := map[string]float64{}
	for i := range 1 + learningDraws/(width*width) {
		l := nn.NewMultiheadAttention(random.Key(int64(i)), width, 1)
		for name, w := range map[string]nx.Tensor{"in_proj_bound": l.InProjWeight, "out_proj_bound": l.OutProj.Weight,
			"in_proj_bias": l.InProjBias, "out_proj_bias": l.OutProj.Bias} {
			bounds[name] = max(bounds[name], nx.Item[float64](nx.Cast(nx.Max(nx.Abs(w)), nx.F64)))
		}
	}
	out := map[string]nx.Tensor{}
	for name, v := range bounds {
		out[name] = agreed(r, name, v, v*0.01)
	}
	return out
}
