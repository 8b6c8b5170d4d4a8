package nn_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// network has layers at several depths.
type network struct {
	Stem   *nn.Conv
	Blocks []*inner
	Heads  map[string]*nn.Linear
	Rest   nn.Seq
	Cell   *nn.LSTM
	Attn   *nn.Attention
	Layer  *nn.TransformerEncoderLayer
}

type inner struct {
	Norm *nn.BatchNorm
	Drop nn.Dropout
	Out  *nn.Linear
}

func (b *inner) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	return b.Out.Apply(c, b.Drop.Apply(c, b.Norm.Apply(c, x)))
}

func newNetwork() *network {
	key := random.Key(1)
	block := func() *inner { return &inner{nn.NewBatchNorm(3), nn.Dropout{Rate: 0.5}, nn.NewLinear(key, 3, 3)} }
	return &network{
		Stem:   nn.NewConv(key, 3, 4, []int{3, 3}),
		Blocks: []*inner{block(), block()},
		Heads:  map[string]*nn.Linear{"a": nn.NewLinear(key, 3, 2)},
		Rest:   nn.Seq{nn.Func(nx.Relu), &nn.Dropout{Rate: 1.5}, nn.NewGroupNorm(2, 4), nn.NewLayerNorm(nx.Shape{4})},
		Cell:   nn.NewLSTM(key, 3, 2, nn.Layers(2), nn.DropRate(0.5)),
		Attn:   nn.NewAttention(key, 4, 2, nn.DropRate(0.5)),
		Layer:  nn.NewTransformerEncoderLayer(key, 4, 2, 4, nn.DropRate(0.5)),
	}
}

// says checks that a function panics with an error of a code that has all texts.
func says(t *testing.T, code error, f func(), texts ...string) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		err, ok := r.(*nx.Error)
		if !ok || !errors.Is(err, code) {
			t.Errorf("got %v, want an error %v with %q", r, code, texts)
			return
		}
		for _, text := range texts {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("got %v, want %q in it", err, text)
			}
		}
		if strings.Count(err.Error(), "in the layer") > 1 {
			t.Errorf("the layer is named twice: %v", err)
		}
	}()
	f()
}

// Errors name the path of a layer, the shapes of its tensors, and that of the argument.
func TestShapeErrors(t *testing.T) {
	m := newNetwork()
	c := &nn.Ctx{Model: m}
	zeros := func(shape ...int) nx.Tensor { return nx.Zeros(shape, nx.F32) }
	for _, e := range []struct {
		f     func()
		texts []string
	}{
		{func() { m.Stem.Apply(c, zeros(2, 5, 8, 8)) },
			[]string{"5 channels", "the layer Stem (Conv): Weight [4][3][3][3]"}},
		{func() { m.Stem.Apply(c, zeros(8, 8)) }, []string{"must have 4 axes, got [8][8]", "Stem"}},
		{func() { m.Blocks[1].Apply(c, zeros(2, 4)) },
			[]string{"3 channels, the argument is [2][4]", "Blocks[1].Norm (Batch"}},
		{func() { m.Blocks[1].Out.Apply(c, zeros(2, 4)) },
			[]string{"must be 3, got [2][4]", "Blocks[1].Out (Linear): Weight [3][3]"}},
		{func() { m.Heads["a"].Apply(c, zeros()) }, []string{"must be 3, got", "Heads[a] (Linear)"}},
		{func() { m.Rest[2].Apply(c, zeros(2, 6)) }, []string{"the argument is [2][6]", "Rest[2] (GroupNorm)"}},
		{func() { m.Rest[3].Apply(c, zeros(2, 6)) }, []string{"the last axes must be [4]", "Rest[3] (LayerNorm)"}},
		{func() { m.Cell.Apply(c, zeros(2, 5, 4)) }, []string{"must be 3, got [2][5][4]", "the layer Cell (LSTM)"}},
		{func() { m.Attn.Apply(c, zeros(2, 5, 3)) }, []string{"must be 4, got [2][5][3]", "Attn.QProj (Linear)"}},
		{func() { m.Attn.Apply(c, zeros(2, 4)) }, []string{"Attn"}},
		{func() { m.Layer.Apply(c, zeros(2, 5, 3)) }, []string{"must be 4", "Layer.SelfAttn (MultiheadAttention)"}},
		{func() { m.Blocks[0].Norm.Apply(&nn.Ctx{Train: true, Model: m}, zeros(1, 3)) },
			[]string{"Blocks[0].Norm (BatchNorm) has one number per channel", "larger batches"}},
	} {
		says(t, nx.ErrShape, e.f, e.texts...)
		says(t, nx.ErrShape, func() {
			defer func() { // the same while it is traced
				if r := recover(); r != nil {
					panic(r)
				}
			}()
			nx.Jit(func(x nx.Tensor) nx.Tensor { e.f(); return x })(zeros(1))
		}, e.texts...)
	}
}

func TestArgumentErrors(t *testing.T) {
	m := newNetwork()
	train := &nn.Ctx{Train: true, Model: m}
	keyed := &nn.Ctx{Train: true, Key: random.Key(1), Model: m}
	x, seq := nx.Zeros(nx.Shape{4, 3}, nx.F32), nx.Zeros(nx.Shape{2, 5, 4}, nx.F32)
	for _, e := range []struct {
		f     func()
		texts []string
	}{
		{func() { m.Blocks[1].Apply(train, x) }, []string{"the layer Blocks[1].Drop (Dropout) draws", "Ctx.Key"}},
		{func() { m.Rest[1].Apply(keyed, x) }, []string{"the layer Rest[1] (Dropout) must be in [0, 1], got 1.5"}},
		{func() { m.Attn.Apply(train, seq) }, []string{"the layer Attn (Attention) draws"}},
		{func() { m.Cell.Apply(train, seq.At(nx.Ellipsis, nx.To(3))) }, []string{"the layer Cell (Recurrent) draws"}},
		{func() { m.Layer.Apply(train, seq) }, []string{"the layer Layer.SelfAttn (MultiheadAttention) draws"}},
		{func() { train.NextKey() }, []string{"a layer draws", "Ctx.Key"}},
		{func() { nn.NewLinear(random.Key(1), 0, 3) }, []string{"in must be at least 1, got 0"}},
		{func() { nn.NewConv(random.Key(1), 3, 4, []int{3}, nn.Groups(2)) }, []string{"3 and 4 channels", "2 groups"}},
		{func() { nn.NewAttention(random.Key(1), 7, 2) }, []string{"the width 7 is not a multiple of 2 heads"}},
		{func() { nn.NewGRU(random.Key(1), 3, 2, nn.Projection(1)) }, []string{"NewLSTM"}},
		{func() { nn.Match(m, "Blocks[*].Nothing") }, []string{`"Blocks[*].Nothing" matches no tensor`, "nn.Leaves"}},
		{func() { nn.Gain("swish", 0) }, []string{`"swish" has no gain`}},
	} {
		says(t, nx.ErrArgument, e.f, e.texts...)
	}
}

// A buffer that was written in a function that got its layer from outside is an error which names the layer.
func TestLostBuffers(t *testing.T) {
	x := random.Normal(random.Key(1), 0, 1, nx.Shape{4, 3}, nx.F32)
	two := nx.Stack([]nx.Tensor{x, x})
	inside := map[string]func(f func(x nx.Tensor) nx.Tensor){
		"Checkpoint": func(f func(x nx.Tensor) nx.Tensor) { nx.Checkpoint(f)(x) },
		"Vmap":       func(f func(x nx.Tensor) nx.Tensor) { nx.Vmap(f)(two) },
		"Grad": func(f func(x nx.Tensor) nx.Tensor) {
			nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(f(x)) })(x)
		},
		"Scan": func(f func(x nx.Tensor) nx.Tensor) {
			nx.Scan(x, two, func(s, x nx.Tensor) (nx.Tensor, nx.Tensor) { return s, f(x) })
		},
	}
	for name, run := range inside {
		t.Run(name, func(t *testing.T) {
			lose := func(m *network) *nn.Ctx {
				c := &nn.Ctx{Train: true, Model: m}
				run(func(x nx.Tensor) nx.Tensor { return m.Blocks[1].Norm.Apply(c, x) })
				return c
			}
			// Used again.
			says(t, nx.ErrTrace, func() {
				m := newNetwork()
				m.Blocks[1].Norm.Apply(lose(m), x)
			}, name, "in the layer Blocks[1].Norm (BatchNorm)", "nn.Remat")
			// Returned, from a function that is compiled.
			says(t, nx.ErrTrace, func() {
				nx.Jit(func(m *network) (nx.Tensor, *network) {
					lose(m)
					return x, m
				})(newNetwork())
			}, name, "Blocks[1].Norm.RunningMean of result 1", "as an argument")
			// Returned beside a gradient.
			says(t, nx.ErrTrace, func() {
				nx.ValueAndGradAux(func(m *network) (nx.Tensor, *network) {
					lose(m)
					return nx.Sum(m.Heads["a"].Weight), m
				})(tree.Map(func(t nx.Tensor) nx.Tensor { return t }, newNetwork()))
			}, name, "Blocks[1].Norm.RunningMean of the result")
		})
	}
}

// An error inside of Remat has the path from the model, not from the layer.
func TestRematPath(t *testing.T) {
	m := newNetwork()
	says(t, nx.ErrShape, func() {
		nn.Remat(&nn.Ctx{Model: m}, m.Blocks[1], nx.Zeros(nx.Shape{2, 5}, nx.F32))
	}, "in the layer Blocks[1].Norm (BatchNorm)")
	says(t, nx.ErrArgument, func() {
		nn.Remat(&nn.Ctx{Train: true, Model: m}, m.Blocks[0], nx.Zeros(nx.Shape{4, 3}, nx.F32))
	}, "the layer Blocks[0].Drop (Dropout) draws")
}

// Arguments of other shapes: an error names the path of a layer, a field with its shape, and the shape of the argument.
func TestShapeErrorsNameFields(t *testing.T) {
	for _, c := range layerCases {
		b := c.box(1)
		switch b.Layer.(type) {
		case nn.Seq, *spectral, *directed: // which are not layers of the package
			continue
		}
		if c.ids || c.name == "Conv reflecting" { // whose argument is padded first
			continue
		}
		m := struct{ Part []nn.Layer }{[]nn.Layer{b.Layer}}
		for axis := range c.shape {
			shape := slices.Clone(c.shape)
			shape[axis]++
			for _, x := range []nx.Tensor{nx.Zeros(shape, nx.F64), nx.Zeros(shape[:axis], nx.F64)} {
				func() {
					defer func() {
						r := recover()
						if r == nil {
							return
						}
						e, ok := r.(*nx.Error)
						if !ok {
							t.Fatalf("%s of %v: %v", c.name, x.Shape(), r)
						}
						field := regexp.MustCompile(`in the layer Part\[0\].* [A-Z][A-Za-z0-9.\[\]]* \[\d`)
						if len(nn.Leaves(b.Layer)) == 0 {
							field = regexp.MustCompile(``)
						}
						text := e.Error()
						if !field.MatchString(text) || !strings.Contains(text, fmt.Sprint(x.Shape())) {
							t.Errorf("%s of %v: %v", c.name, x.Shape(), text)
						}
					}()
					b.Layer.Apply(&nn.Ctx{Model: &m}, x)
				}()
			}
		}
	}
}
