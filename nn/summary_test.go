package nn_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
)

type sequenceModel struct {
	Norm  *nn.BatchNorm
	Cells *nn.GRU
	Heads []*nn.Linear
	Count nx.Tensor
}

func (m *sequenceModel) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
	return m.Heads[0].Apply(c, m.Cells.Apply(c, m.Norm.Apply(c, x)))
}

// TestSummary: FLOPs are those of the formulas, also in loops; nothing is left out of the sums.
func TestSummary(t *testing.T) {
	key := random.Key(1)
	m := &sequenceModel{nn.NewBatchNorm(7), nn.NewGRU(key, 3, 4), []*nn.Linear{nn.NewLinear(key, 4, 5)},
		nx.New(int32(3))}
	var b bytes.Buffer
	if err := nn.Summary(&b, m, nx.Zeros(nx.Shape{2, 7, 3}, nx.F32)); err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(b.String()) {
		if f := strings.Fields(line); len(f) > 0 {
			rows[f[0]] = f
		}
	}
	for name, want := range map[string]string{
		// 2·batch·time·4·5 for the product, and a sum for the bias.
		"Heads[0]": "Heads[0] Linear [5][4] [5] 25 630 100",
		// 2·2·7·12·3 and 2·2·7·12·4 for the products, two sums of 2·7·12 for the biases.
		"Cells.Recurrent.Forward[0]": "Cells.Recurrent.Forward[0] Gates [12][3] [12][4] [12] [12] 108 2 688 432",
		// Of 2·7·3 elements the mean is subtracted; 7 variances get the epsilon.
		"buffers": "buffers 14 49 56",
		"trained": "trained 147 3 402 588",
	} {
		if got := strings.Join(rows[name], " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if t.Failed() {
		t.Log("\n" + b.String())
	}
	for _, c := range []struct {
		m any
		n int
	}{{m, 2}, {nn.NewBilinear(key, 1, 1, 1), 1}, {*m, 1}} {
		if err := nn.Summary(&b, c.m, make([]nx.Tensor, c.n)...); err == nil ||
			!strings.Contains(err.Error(), "no method Apply") {
			t.Errorf("%T of %d: %v", c.m, c.n, err)
		}
	}
	if err := nn.Summary(&b, struct{}{}); err != nil {
		t.Error(err)
	}
}

// TestCheckModel: aliases are named, use in two places is none.
func TestCheckModel(t *testing.T) {
	key := random.Key(1)
	a := nn.NewLinear(key, 2, 2)
	m := struct{ A, B *nn.Linear }{a, nn.NewLinear(key, 2, 2)}
	if err := nn.CheckModel(m); err != nil {
		t.Error(err)
	}
	m.B.Weight = a.Weight
	if err := nn.CheckModel(m); err == nil || !strings.Contains(err.Error(), "B.Weight is A.Weight") ||
		strings.Contains(err.Error(), "Bias") {
		t.Error(err)
	}
	m.B = a
	if err := nn.CheckModel(m); err == nil || !strings.Contains(err.Error(), "B.Weight is A.Weight, B.Bias is A.Bias") {
		t.Error(err)
	}
}

// TestLoRA: nothing changes at first; only the matrices are trained; the merged layer computes the same; names are
// PEFT's.
func TestLoRA(t *testing.T) {
	key := random.Key(1)
	m := struct{ Q, V *nn.Linear }{nn.NewLinear(key, 6, 4), nn.NewLinear(key, 6, 4, nn.DType(nx.BF16))}
	x := random.Normal(key, 0, 1, nx.Shape{3, 6}, nx.F32)
	before := m.Q.Apply(nil, x)
	nn.LoRA(key, m.Q, 2, 8)
	nn.LoRA(key, m.V, 2, 8)
	if !bytes.Equal(nx.Bytes(before), nx.Bytes(m.Q.Apply(nil, x))) {
		t.Error("the result has changed")
	}
	if y := m.V.Apply(nil, x); y.DType() != nx.BF16 || m.V.LoRA.A.DType() != nx.F32 {
		t.Error("the types are", y.DType(), m.V.LoRA.A.DType())
	}
	lora, base := nn.Partition(m, nn.Match(m, "**.LoRA"))
	if len(nn.Leaves(lora)) != 4 || len(nn.Leaves(base)) != 4 {
		t.Error("the parts have", len(nn.Leaves(lora)), len(nn.Leaves(base)))
	}
	names := nn.StateNames(m)
	if names["Q.LoRA.A"] != "q.lora_A.weight" || names["Q.LoRA.B"] != "q.lora_B.weight" ||
		names["Q.Weight"] != "q.weight" {
		t.Error(names)
	}
	m.Q.LoRA.B = random.Normal(key, 0, 1, nx.Shape{4, 2}, nx.F32)
	grad := nx.Grad(func(l nn.Linear) nx.Tensor { return nx.Sum(nx.Square(l.Apply(nil, x))) })(*m.Q)
	if nx.Item[float32](nx.Sum(nx.Abs(grad.LoRA.A))) == 0 {
		t.Error("the gradient of A is 0")
	}
	with := floats(m.Q.Apply(nil, x))
	want := floats(nx.Add(before, nx.Mul(4, nx.Dot(nx.Dot(x, nx.Transpose(m.Q.LoRA.A)), nx.Transpose(m.Q.LoRA.B)))))
	nn.MergeLoRA(m.Q)
	nn.MergeLoRA(m.V)
	merged := floats(m.Q.Apply(nil, x))
	for i := range with {
		if math.Abs(float64(with[i]-merged[i])) > 1e-4 || math.Abs(float64(with[i]-want[i])) > 1e-4 {
			t.Errorf("element %d is %v, merged %v, want %v", i, with[i], merged[i], want[i])
		}
	}
	if m.Q.LoRA != nil || m.V.Weight.DType() != nx.BF16 {
		t.Error("merged layers have matrices, or another type")
	}
	for want, f := range map[string]func(){
		"rank must be":      func() { nn.LoRA(key, m.Q, 0, 1) },
		"no weight":         func() { nn.LoRA(key, &nn.Linear{}, 1, 1) },
		"has a matrix of l": func() { nn.LoRA(key, m.Q, 1, 1); nn.LoRA(key, m.Q, 1, 1) },
	} {
		func() {
			defer func() {
				if e, ok := recover().(error); !ok || !strings.Contains(e.Error(), want) {
					t.Errorf("%v, want %q", e, want)
				}
			}()
			f()
		}()
	}
}
