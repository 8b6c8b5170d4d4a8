package optim_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/optim"
)

// training is the state of a step: parameters and optimiser.
type training struct {
	Params map[string]nx.Tensor
	Opt    optim.State
}

// trainingStep returns the function that updates parameters.
func trainingStep(t optim.Transform) func(training, map[string]nx.Tensor) training {
	return func(s training, g map[string]nx.Tensor) training {
		s.Params, s.Opt = optim.Update(t, g, s.Opt, s.Params)
		return s
	}
}

// An elementwise optimiser is one kernel for each parameter, which reads it, its gradient and its state once and writes
// over them: no copy, no arrays between.
func TestOnePass(t *testing.T) {
	const rows, columns = 1000, 1000
	params := map[string]nx.Tensor{
		"b": nx.Ones(nx.Shape{rows}, nx.F32), "w": nx.Ones(nx.Shape{rows, columns}, nx.F32),
		"v": nx.Ones(nx.Shape{columns, rows}, nx.F32),
	}
	schedule := optim.WarmupCosine(0, 3e-4, 500, 20_000, 3e-5)
	for _, c := range []struct {
		name   string
		t      optim.Transform
		arrays int // of a parameter that are read and written, without the gradient, which is read
	}{
		{"SGD", optim.SGD(.1), 1},
		{"SGD with momentum", optim.SGD(schedule, optim.Momentum(.9), optim.Nesterov), 2},
		{"Adam", optim.Adam(1e-3), 3},
		{"AdamW with a schedule", optim.AdamW(schedule, .1), 3},
		{"AMSGrad", optim.Adam(1e-3, optim.AMSGrad), 4},
		{"NAdam", optim.Adam(1e-3, optim.MomentumDecay(.004)), 3},
		{"Lion", optim.Lion(schedule, optim.Decay(.1)), 2},
		{"RMSProp", optim.RMSProp(1e-3, optim.Momentum(.9), optim.Centred), 4},
		{"Adadelta", optim.Adadelta(1), 3},
		{"RAdam", optim.RAdam(1e-3), 3},
	} {
		l, err := nx.Lower(trainingStep(c.t), nx.Args(training{params, optim.Init(c.t, params)}, params), nx.Donate(0))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		text, err := cpu.New(1).Explain(l.Module(), "main", "nodes")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		large := 0
		for _, node := range nodeTraffic.FindAllStringSubmatch(text, -1) {
			if len(node[1]) > 3 { // more than 999 bytes
				large++
			}
		}
		if large != len(params) {
			t.Errorf("%s: %d kernels over parameters, want %d:\n%s", c.name, large, len(params), text)
		}
		elements := 0
		for _, p := range params {
			elements += p.Size()
		}
		var moved, results, inPlace int
		for _, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "bytes moved in all") {
				_, err = fmt.Sscanf(line, "%d bytes", &moved)
			} else if strings.Contains(line, "in the memory of arguments") {
				_, err = fmt.Sscanf(line, "%d bytes of results, %d of them", &results, &inPlace)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if want := 4 * elements * (2*c.arrays + 1); moved < want || float64(moved) > 1.001*float64(want) {
			t.Errorf("%s: %d bytes moved, want %d", c.name, moved, want)
		}
		if results > inPlace+16 || results < 4*elements*c.arrays { // scalars may not be in place
			t.Errorf("%s: %d bytes of results, %d in the memory of arguments", c.name, results, inPlace)
		}
	}
}

var nodeTraffic = regexp.MustCompile(`reads (\d+) bytes, writes (\d+)`)

// A step compiles once, whatever the rate is.
func TestCompilesOnce(t *testing.T) {
	opt := optim.Chain(optim.ClipGlobalNorm(1), optim.AdamW(optim.WarmupCosine(0, 1, 3, 10, 0), .1),
		optim.ReduceOnPlateau(optim.Patience(1)))
	step := nx.Jit(func(s training, g map[string]nx.Tensor, loss nx.Tensor) training {
		s.Params, s.Opt = optim.Update(opt, g, s.Opt, s.Params, optim.Loss(loss))
		return s
	}, nx.Donate(0))
	s := training{Params: map[string]nx.Tensor{"w": nx.Ones(nx.Shape{2, 2}, nx.F32)}}
	s.Opt = optim.Init(opt, s.Params)
	g, loss := map[string]nx.Tensor{"w": nx.Ones(nx.Shape{2, 2}, nx.F32)}, nx.New(float32(1))
	s = step(s, g, loss)
	var values [][]float32
	n := kit.Compilations(func() {
		for range 20 {
			s = step(s, g, loss)
			values = append(values, nx.Data[float32](s.Params["w"]))
		}
	})
	if n != 0 {
		t.Errorf("%d compilations after the first step", n)
	}
	if values[8][0] == values[0][0] || values[19][0] != values[12][0] { // the rate is 0 from step 10 on
		t.Errorf("the parameters are %v", values)
	}
}
