package transformers

import (
	"fmt"
	"math"
	"path/filepath"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/fft"
)

// Mel makes the spectra that Whisper reads: logarithms of the power in bands of the mel scale.
//
// Source: A. Radford et al., 2022, arXiv:2212.04356, section 2.2; M. Slaney, "Auditory Toolbox", 1998, for the scale.
type Mel struct {
	Rate  int // samples a second, 16000
	Size  int // samples of a frame, 400
	Hop   int // samples between frames, 160
	Bands int // 80, 128 for large models
	Chunk int // seconds of sound of a spectrum, 30
}

// OpenMel reads preprocessor_config.json of a folder.
func OpenMel(dir string) (m *Mel, err error) {
	c, err := readConfig(filepath.Join(dir, "preprocessor_config.json"))
	if err != nil {
		return nil, err
	}
	m = &Mel{Rate: c.size(16000, "sampling_rate"), Size: c.size(400, "n_fft"), Hop: c.size(160, "hop_length"),
		Bands: c.count(80, "feature_size"), Chunk: c.size(30, "chunk_length")}
	if kind := c.text("WhisperFeatureExtractor", "feature_extractor_type"); kind != "WhisperFeatureExtractor" {
		c.fail("the feature extractor %q is not known", kind)
	}
	c.must("dither", 0.0)
	c.must("padding_value", 0.0)
	if *c.err == nil {
		if err := m.check(); err != nil {
			c.fail("%v", err)
		}
	}
	return m, *c.err
}

// The most numbers of a sound, of all of its frames, and of the filters.
const mostSamples, mostFrames, mostFilters = 1 << 24, 1 << 25, 1 << 22

func (m *Mel) check() error {
	possible := m.Size >= 2 && m.Hop >= 1 && m.Bands >= 1 && m.Rate >= 1 && m.Chunk >= 1 &&
		m.Chunk <= mostSamples/m.Rate && m.Size <= m.Rate*m.Chunk && m.Hop <= m.Rate*m.Chunk &&
		m.Rate*m.Chunk/m.Hop <= mostFrames/m.Size && m.Bands <= mostFilters/(m.Size/2+1)
	if !possible {
		return fmt.Errorf("transformers: spectra of %d seconds of %d samples, in frames of %d at each %d, in %d bands, "+
			"are not possible", m.Chunk, m.Rate, m.Size, m.Hop, m.Bands)
	}
	return nil
}

// Apply makes the spectrum of a sound, samples of -1 to 1, which is cut or filled with silence to Chunk seconds.
//
// Shapes: [1, bands, frames], f32. Errors: sizes that are not possible.
func (m *Mel) Apply(samples []float32) (spectrum nx.Tensor, err error) {
	defer nx.Catch(&err)
	if err := m.check(); err != nil {
		return spectrum, err
	}
	sound := make([]float64, m.Rate*m.Chunk)
	for i, s := range samples[:min(len(samples), len(sound))] {
		sound[i] = float64(s)
	}
	return melSpectrum(*m, nx.FromSliceShared(sound, nx.Shape{len(sound)})), nil
}

var melSpectrum = nx.Jit(melOf)

// melOf is the spectrum of a sound, f64 [samples]; it is computed in f64, as logarithms of weak bands cancel.
func melOf(m Mel, sound nx.Tensor) nx.Tensor {
	n := sound.Shape()[0]
	frames, half := n/m.Hop, m.Size/2
	sound = nx.PadWith(sound, nx.PadReflect, [2]int{half, half})
	window := make([]float64, m.Size)
	for i := range window {
		window[i] = 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(m.Size))
	}
	first := nx.Mul(nx.Iota(nx.Shape{frames, m.Size}, nx.S32, nx.Axis(0)), m.Hop)
	at := nx.Add(first, nx.Iota(nx.Shape{frames, m.Size}, nx.S32,
		nx.Axis(1)))
	x := nx.Mul(nx.Take(sound, at), nx.FromSlice(window, nx.Shape{m.Size}))
	z := fft.RFFT(x)
	power := nx.Add(nx.Square(nx.Real(z)), nx.Square(nx.Imag(z)))
	y := nx.Log10(nx.Maximum(nx.Dot(m.filters(), nx.Transpose(power)), 1e-10))
	y = nx.Div(nx.Add(nx.Maximum(y, nx.Sub(nx.Max(y), 8)), 4), 4)
	return nx.Cast(nx.ExpandAxis(y), nx.F32)
}

// filters are triangles between the middles of neighbouring bands, of area 1: [bands, frequencies].
func (m *Mel) filters() nx.Tensor {
	const linear, step = 1000.0, 200.0 / 3 // the scale is linear up to 1000 Hz, then logarithmic
	grow := math.Log(6.4) / 27
	toMel := func(hz float64) float64 {
		if hz < linear {
			return hz / step
		}
		return linear/step + math.Log(hz/linear)/grow
	}
	toHertz := func(mel float64) float64 {
		if mel < linear/step {
			return mel * step
		}
		return linear * math.Exp(grow*(mel-linear/step))
	}
	edges := make([]float64, m.Bands+2)
	for i := range edges {
		edges[i] = toHertz(toMel(8000) * float64(i) / float64(m.Bands+1))
	}
	bins := m.Size/2 + 1
	list := make([]float64, 0, m.Bands*bins)
	for b := range m.Bands {
		lo, mid, hi := edges[b], edges[b+1], edges[b+2]
		for i := range bins {
			f := float64(i) * float64(m.Rate) / 2 / float64(bins-1)
			list = append(list, max(0, min((f-lo)/(mid-lo), (hi-f)/(hi-mid)))*2/(hi-lo))
		}
	}
	return nx.FromSlice(list, nx.Shape{m.Bands, bins})
}
