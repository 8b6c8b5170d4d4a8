package nn_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
)

// quantizedModel has layers in all places where they may be.
type quantizedModel struct {
	Embed  *nn.Embedding
	Up     *nn.Linear
	Layers []nn.Layer
	Heads  map[string]nn.Linear
	Odd    nn.Linear // rows of 33
	MoE    *nn.MoE
	Absent *nn.Linear
	Norm   *nn.LayerNorm
}

func newQuantizedModel() quantizedModel {
	k := random.Split(random.Key(1), 6)
	return quantizedModel{Embed: nn.NewEmbedding(k.At(0), 50, 96), Up: nn.NewLinear(k.At(1), 96, 128),
		Layers: []nn.Layer{nn.NewLinear(k.At(2), 128, 64)},
		Heads:  map[string]nn.Linear{"a": *nn.NewLinear(k.At(3), 64, 7)},
		Odd:    *nn.NewLinear(k.At(4), 33, 5), Norm: nn.NewLayerNorm(nx.Shape{64})}
}

func (m quantizedModel) apply(ids nx.Tensor) nx.Tensor {
	c := &nn.Ctx{Model: &m}
	x := m.Up.Apply(c, m.Embed.Apply(c, ids))
	x = m.Norm.Apply(c, m.Layers[0].Apply(c, nx.Tanh(x)))
	head := m.Heads["a"]
	return head.Apply(c, x)
}

// Products of a quantised model are those of its dequantised weights, and differ from those of the model as the step
// of its integers says.
func TestQuantize(t *testing.T) {
	m, ids := newQuantizedModel(), nx.New([][]int32{{1, 7, 49}, {0, 3, 3}})
	want := m.apply(ids)
	for _, c := range []struct {
		bits, tolerance float64
		opts            []nn.QuantizeOption
		weight          nx.DType
		scale           nx.Shape
	}{
		{8, 0.06, nil, nx.S8, nx.Shape{128, 1}},
		{8, 0.06, []nn.QuantizeOption{nn.Group(32)}, nx.S8, nx.Shape{128, 3}},
		{4, 0.9, nil, nx.U8, nx.Shape{128, 3}},
		{4, 0.9, []nn.QuantizeOption{nn.Group(0)}, nx.U8, nx.Shape{128, 1}},
		{4, 0.9, []nn.QuantizeOption{nn.Group(16)}, nx.U8, nx.Shape{128, 6}},
	} {
		t.Run(fmt.Sprint(c.bits, c.scale), func(t *testing.T) {
			q, err := nn.Quantize(m, int(c.bits), c.opts...)
			if err != nil {
				t.Fatal(err)
			}
			if d := q.Up.Weight.DType(); d != c.weight || !slices.Equal(q.Up.Scale.Shape(), c.scale) {
				t.Errorf("the weight is %s, the scales are %v, want %s and %v", d, q.Up.Scale.Shape(), c.weight,
					c.scale)
			}
			if m.Up.Weight.DType() != nx.F32 || m.Heads["a"].Weight.DType() != nx.F32 {
				t.Errorf("the model has changed")
			}
			if q.Heads["a"].Weight.DType() != c.weight || q.Embed.Weight.DType() != c.weight {
				t.Errorf("some layers are not quantised")
			}
			if d := q.Odd.Weight.DType(); c.bits == 4 && d != nx.F32 {
				t.Errorf("a layer with rows of 33 is %s", d)
			}
			got := q.apply(ids)
			diff := nx.Item[float64](nx.Max(nx.Abs(nx.Sub(got, want))))
			if !(diff < c.tolerance) || diff == 0 {
				t.Errorf("the results differ by %v", diff)
			}
			jitted := nx.Jit(func(q quantizedModel, ids nx.Tensor) nx.Tensor { return q.apply(ids) })(q, ids)
			if d := nx.Item[float64](nx.Max(nx.Abs(nx.Sub(jitted, got)))); d > 1e-5 {
				t.Errorf("compiled, the results differ by %v", d)
			}
			again, err := nn.Quantize(q, int(c.bits), c.opts...)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(again.Up.Scale.Shape(), q.Up.Scale.Shape()) {
				t.Errorf("a quantised layer was quantised again")
			}
		})
	}
}

// Weights of quantised layers differ from those before by at most half a scale of 8 bits, a scale of 4 bits; zeros stay
// zeros.
func TestQuantizeRounds(t *testing.T) {
	w := random.Normal(random.Key(2), 0, 1, nx.Shape{40, 64}, nx.F32)
	w = nx.SetAt(w, 0, 3)
	eye := nx.Eye(nx.Shape{64, 64}, nx.F32)
	for _, bits := range []int{8, 4} {
		for _, group := range []int{0, 32, 64} {
			l := &nn.Linear{Weight: w}
			q, err := nn.Quantize(l, bits, nn.Group(group))
			if err != nil {
				t.Fatal(err)
			}
			got := nx.Data[float32](nx.Transpose(q.Apply(&nn.Ctx{}, eye)))
			scales, groups := nx.Data[float32](q.Scale), q.Scale.Shape()[1]
			for i, x := range nx.Data[float32](w) {
				s := math.Abs(float64(scales[i*groups/64]))
				bound := s / 2
				if bits == 4 {
					bound = s
				}
				if d := math.Abs(float64(got[i] - x)); d > bound*1.0001 || i/64 == 3 && got[i] != 0 {
					t.Fatalf("%d bits of %d: weight %d became %v, it was %v, the scale is %v", bits, group, i, got[i], x, s)
				}
			}
		}
	}
}

func TestQuantizeRefuses(t *testing.T) {
	m := newQuantizedModel()
	m.Layers[0].(*nn.Linear).Weight = nx.SetAt(m.Layers[0].(*nn.Linear).Weight, math.NaN(), 1, 2)
	for want, f := range map[string]func() error{
		"Layers[0].Weight":      func() error { _, err := nn.Quantize(m, 8); return err },
		"must be 8 or 4, got 3": func() error { _, err := nn.Quantize(m, 3); return err },
		"must not be negative":  func() error { _, err := nn.Quantize(m, 8, nn.Group(-1)); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}

// A quantised layer passes gradients to its argument and to LoRA, of which it is the frozen base; merged, it is f32.
func TestQuantizedLoRA(t *testing.T) {
	for _, bits := range []int{8, 4} {
		l, err := nn.Quantize(nn.NewLinear(random.Key(1), 64, 8), bits)
		if err != nil {
			t.Fatal(err)
		}
		nn.LoRA(random.Key(2), l, 2, 4)
		l.LoRA.B = nx.Add(l.LoRA.B, 0.5)
		x := random.Normal(random.Key(3), 0, 1, nx.Shape{5, 64}, nx.F32)
		loss := func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(l.Apply(&nn.Ctx{}, x))) }
		g := nx.Grad(loss)(x)
		merged := *l
		nn.MergeLoRA(&merged)
		if merged.Weight.DType() != nx.F32 || !merged.Scale.IsZero() {
			t.Fatalf("merged, the weight is %s", merged.Weight.DType())
		}
		want := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Square(merged.Apply(&nn.Ctx{}, x))) })(x)
		if d := nx.Item[float64](nx.Max(nx.Abs(nx.Sub(g, want)))); d > 1e-3 {
			t.Errorf("%d bits: gradients differ by %v", bits, d)
		}
		rows := nx.Vmap(func(x nx.Tensor) nx.Tensor { return l.Apply(&nn.Ctx{}, x) })(x)
		if d := nx.Item[float64](nx.Max(nx.Abs(nx.Sub(rows, l.Apply(&nn.Ctx{}, x))))); d > 1e-5 {
			t.Errorf("%d bits: a batch of rows differs by %v", bits, d)
		}
	}
}
