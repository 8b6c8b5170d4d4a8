package transformers

import (
	"math"

	"github.com/go-nx/nx"
)

// Rotary are the angles of rotary positions: position·frequency for each pair of numbers of a head.
//
// Source: J. Su et al., 2021, arXiv:2104.09864, and for the scalings: S. Chen et al., 2023, arXiv:2306.15595 (linear);
// B. Peng et al., 2023, arXiv:2309.00071 (dynamic, yarn); Y. Ding et al., 2024, arXiv:2402.13753 (longrope); A. Dubey
// et al., 2024, arXiv:2407.21783 (llama3).
type Rotary struct {
	Frequencies []float64
	Long        []float64 // for sequences beyond Original, of longrope
	Original    int       // the number of positions that a model was trained for
	Factor      float64   // of dynamic scaling, 0 for none
	Base        float64
	Scale       float64 // of cosines and sines
	// Again says that keys of a cache are computed again when a sequence grows beyond Original.
	Again bool
}

// angles returns the cosines and sines of the angles of positions, s32 [batch, time]: f32 [batch, 1, time, pairs]. Ends
// are the lengths of the sequences, s32 [batch, 1], or absent: one more than the last position.
func (r *Rotary) angles(positions, ends nx.Tensor) (cos, sin nx.Tensor) {
	shape := positions.Shape()
	frequencies := nx.FromSlice(r.Frequencies, nx.Shape{len(r.Frequencies)})
	if r.Long != nil || r.Factor > 0 {
		length := ends
		if length.IsZero() {
			length = nx.Add(nx.Max(positions, nx.Axis(1), nx.KeepAxes), 1)
		}
		if r.Long != nil {
			long := nx.FromSlice(r.Long, nx.Shape{len(r.Long)})
			frequencies = nx.Where(nx.Greater(length, r.Original), long, frequencies)
		} else {
			dim := float64(2 * len(r.Frequencies))
			n := nx.Cast(nx.Maximum(length, r.Original), nx.F64)
			grown := nx.Sub(nx.Mul(n, r.Factor/float64(r.Original)), r.Factor-1)
			base := nx.Mul(nx.Pow(grown, dim/(dim-2)), r.Base)
			exponents := make([]float64, len(r.Frequencies))
			for i := range exponents {
				exponents[i] = -2 * float64(i) / dim
			}
			frequencies = nx.Pow(base, nx.FromSlice(exponents, nx.Shape{len(exponents)}))
		}
		frequencies = nx.Reshape(frequencies, shape[0], 1, 1, len(r.Frequencies))
	}
	at := nx.Reshape(nx.Cast(positions, nx.F64), shape[0], 1, shape[1], 1)
	angles := nx.Mul(at, frequencies)
	cos, sin = nx.Cast(nx.Cos(angles), nx.F32), nx.Cast(nx.Sin(angles), nx.F32)
	if r.Scale != 1 {
		cos, sin = nx.Mul(cos, r.Scale), nx.Mul(sin, r.Scale)
	}
	return cos, sin
}

// ropeDefaults are what a family assumes where its configuration says nothing.
type ropeDefaults struct {
	headDim, positions int
	theta, partial     float64
	original           int  // positions before scaling, 0 for those of the model
	yarnIsLong         bool // old files of Phi-3 call longrope so
}

// rope reads the parameters of rotary positions: rope_parameters of version 5, which may be an object per type of
// layer, or rope_theta and rope_scaling of version 4.
func (c *config) rope(layerType string, d ropeDefaults) *Rotary {
	d.theta = c.number(d.theta, "rope_theta")
	d.partial = c.number(d.partial, "partial_rotary_factor")
	var p *config
	c.get("rope_parameters")
	if p = c.object("rope_scaling"); p == nil {
		p = c.object("rope_parameters")
	}
	if p == nil {
		p = &config{file: c.file, fields: map[string]any{}, asked: map[string]bool{}, err: c.err}
	}
	if _, nested := p.fields[layerType].(map[string]any); nested {
		p = p.object(layerType)
	}
	if d.original == 0 {
		d.original = c.size(d.positions, "original_max_position_embeddings")
	}
	r := p.rotary(d)
	p.unknown(nil)
	return r
}

// widestHead is the most numbers of a head that are rotated: the list of their angles is not checked by a weight's
// size.
const widestHead = 1 << 16

// rotary reads an object of parameters.
func (p *config) rotary(d ropeDefaults) *Rotary {
	base := p.number(d.theta, "rope_theta")
	dim := int(float64(d.headDim) * p.number(d.partial, "partial_rotary_factor"))
	if dim < 2 || dim > min(d.headDim, widestHead) || dim%2 != 0 || !(base > 0) {
		p.fail("%d of the %d numbers of a head cannot be rotated in pairs with the base %v", dim, d.headDim, base)
		return &Rotary{Frequencies: []float64{1}, Scale: 1}
	}
	r := &Rotary{Base: base, Scale: 1, Original: d.positions, Frequencies: make([]float64, dim/2)}
	for i := range r.Frequencies {
		r.Frequencies[i] = math.Pow(base, -2*float64(i)/float64(dim))
	}
	kind := p.text(p.text("default", "type"), "rope_type")
	if d.yarnIsLong && kind == "yarn" {
		kind = "longrope"
	}
	p.get("original_max_position_embeddings")
	factor := func() float64 {
		f := p.number(0, "factor")
		if f <= 0 {
			p.fail("the scaling of rotary positions %q needs a positive factor", kind)
			return 1
		}
		return f
	}
	switch kind {
	case "default":
	case "linear":
		f := factor()
		for i := range r.Frequencies {
			r.Frequencies[i] /= f
		}
	case "dynamic":
		if r.Factor = factor(); dim < 4 {
			p.fail("dynamic scaling of rotary positions needs heads of more than 2 numbers")
		}
	case "llama3":
		r.llama3(factor(), p.number(1, "low_freq_factor"), p.number(4, "high_freq_factor"),
			float64(p.size(d.original, "original_max_position_embeddings")))
	case "yarn":
		p.yarn(r, d)
	case "longrope", "su":
		p.longrope(r, d)
	default:
		p.fail("the scaling of rotary positions %q is not known", kind)
	}
	return r
}

// llama3 divides low frequencies by a factor, keeps high ones and blends those between.
func (r *Rotary) llama3(factor, low, high, original float64) {
	for i, f := range r.Frequencies {
		turns := original * f / (2 * math.Pi) // within the original context
		switch {
		case turns > high:
		case turns < low:
			r.Frequencies[i] = f / factor
		default:
			smooth := (turns - low) / (high - low)
			r.Frequencies[i] = (1-smooth)*f/factor + smooth*f
		}
	}
}

// yarn interpolates low frequencies, extrapolates high ones and goes linearly from one to the other between.
func (p *config) yarn(r *Rotary, d ropeDefaults) {
	original := float64(p.size(d.original, "original_max_position_embeddings"))
	factor := p.number(float64(d.positions)/original, "factor")
	fast, slow := p.number(32, "beta_fast"), p.number(1, "beta_slow")
	mscale, all := p.number(0, "mscale"), p.number(0, "mscale_all_dim")
	magnitude := func(m float64) float64 {
		if factor <= 1 {
			return 1
		}
		return 0.1*m*math.Log(factor) + 1
	}
	r.Scale = magnitude(1)
	if mscale != 0 && all != 0 {
		r.Scale = magnitude(mscale) / magnitude(all)
	}
	r.Scale = p.number(r.Scale, "attention_factor")
	dim := float64(2 * len(r.Frequencies))
	// at is the pair that turns a number of times within the original context.
	at := func(turns float64) float64 {
		return dim * math.Log(original/(turns*2*math.Pi)) / (2 * math.Log(r.Base))
	}
	low, high := at(fast), at(slow)
	if p.flag(true, "truncate") {
		low, high = math.Floor(low), math.Ceil(high)
	}
	low, high = max(low, 0), min(high, dim-1)
	if low == high {
		high += 0.001
	}
	for i, f := range r.Frequencies {
		ramp := min(max((float64(i)-low)/(high-low), 0), 1)
		r.Frequencies[i] = f/factor*ramp + f*(1-ramp)
	}
}

// longrope divides each frequency by a factor of its own, by another one for sequences beyond the original context.
func (p *config) longrope(r *Rotary, d ropeDefaults) {
	// The field of the model stands before that of the object.
	r.Original = p.size(d.original, "original_max_position_embeddings")
	if d.original != d.positions {
		r.Original = d.original
	}
	short, long := p.numbers("short_factor"), p.numbers("long_factor")
	if len(short) != len(r.Frequencies) || len(long) != len(r.Frequencies) {
		p.fail("longrope needs %d numbers in short_factor and long_factor, got %d and %d", len(r.Frequencies), len(short),
			len(long))
		return
	}
	factor := p.number(float64(d.positions)/float64(r.Original), "factor")
	if factor > 1 {
		r.Scale = math.Sqrt(1 + math.Log(factor)/math.Log(float64(r.Original)))
	}
	r.Scale = p.number(r.Scale, "attention_factor")
	r.Long = make([]float64, len(long))
	for i, f := range r.Frequencies {
		r.Frequencies[i], r.Long[i] = f/short[i], f/long[i]
	}
}
