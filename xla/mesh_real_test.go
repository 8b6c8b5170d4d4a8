package xla

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/stablehlo"
)

// net is a network of two layers for the rows of a picture.
type net struct{ W, V nx.Tensor }

func (n net) loss(x, y nx.Tensor, sum func(t nx.Tensor) nx.Tensor) nx.Tensor {
	p := nx.Softmax(sum(nx.Dot(nx.Tanh(nx.Dot(x, n.W)), n.V)))
	return nx.Neg(nx.Mean(nx.Mul(y, nx.Log(p))))
}

func (n net) after(g net) net {
	return net{nx.Sub(n.W, nx.Mul(0.5, g.W)), nx.Sub(n.V, nx.Mul(0.5, g.V))}
}

var meshOfFour = shard.Mesh{{Name: "data", Size: 2}, {Name: "model", Size: 2}}

// cutNet is how the tensors of the network are cut.
var cutNet = shard.LeafShardings{{"", "model"}, {"model"}}

// annotatedStep is a step of training on four devices that XLA cuts.
func annotatedStep() func(n net, x, y nx.Tensor) (net, nx.Tensor) {
	return shard.Jit(func(n net, x, y nx.Tensor) (net, nx.Tensor) {
		whole := func(t nx.Tensor) nx.Tensor { return t }
		l, g := nx.ValueAndGrad(func(n net) nx.Tensor { return n.loss(x, y, whole) })(n)
		return n.after(g), l
	}, meshOfFour, []shard.LeafShardings{cutNet, {{"data"}}, {{"data"}}}, []shard.LeafShardings{cutNet, {{}}})
}

// manualStep is the same, written for each device.
func manualStep(n net, x, y nx.Tensor) (net, nx.Tensor) {
	onDevices := shard.Map(func(n net, x, y nx.Tensor) nx.Tensor {
		l := n.loss(x, y, func(t nx.Tensor) nx.Tensor { return shard.AllReduce(t, "model") })
		return shard.AllReduceMean(l, "data")
	}, meshOfFour, []shard.LeafShardings{cutNet, {{"data"}}, {{"data"}}}, []shard.LeafShardings{{{}}})
	l, g := nx.ValueAndGrad(func(n net) nx.Tensor { return onDevices(n, x, y) })(n)
	return n.after(g), l
}

// everyCollective uses all collectives.
func everyCollective(a, b, c nx.Tensor) (s, r, t, p, m nx.Tensor) {
	return shard.Map(func(a, b, c nx.Tensor) (s, r, t, p, m nx.Tensor) {
		s = shard.AllReduce(nx.Dot(a, b), "model")
		r = shard.ReduceScatter(shard.AllGather(c, 0, "data"), 0, "model")
		t = shard.AllToAll(c, 0, 1, "data")
		p = nx.Add(shard.Permute(c, "data", [2]int{0, 1}, [2]int{1, 0}), shard.Index("model"))
		m = shard.AllReduceMax(nx.Max(c), "data", "model")
		return s, r, t, p, m
	}, meshOfFour, []shard.Sharding{{"data", "model"}, {"model"}, {"data,model"}},
		[]shard.Sharding{{"data"}, {"model"}, {"data,model"}, {"data,model"}, {}})(a, b, c)
}

// meshProgram is a program for four devices with arguments.
type meshProgram struct {
	module    *stablehlo.Module
	ins, outs []nx.Tensor
}

func meshPrograms(t *testing.T) map[string]meshProgram {
	t.Helper()
	key := random.Split(random.Key(7), 7)
	normal := func(i int, shape ...int) nx.Tensor { return random.Normal(key.At(i), 0, 1, nx.Shape(shape), nx.F32) }
	n, x, y := net{normal(0, 6, 8), normal(1, 8, 4)}, normal(2, 12, 6), nx.Softmax(normal(3, 12, 4))
	a, b, c := normal(4, 4, 6), normal(5, 6, 2), normal(6, 8, 4)
	lowered := func(f any, ins []nx.Tensor, outs ...nx.Tensor) meshProgram {
		var l *nx.Lowered
		var err error
		switch f := f.(type) {
		case func(net, nx.Tensor, nx.Tensor) (net, nx.Tensor):
			l, err = nx.Lower(f, nx.Args(n, x, y))
		case func(a, b, c nx.Tensor) (s, r, t, p, m nx.Tensor):
			l, err = nx.Lower(f, nx.Args(a, b, c))
		}
		if err != nil {
			t.Fatal(err)
		}
		return meshProgram{l.Module(), ins, outs}
	}
	m, l := annotatedStep()(n, x, y) // by package cpu
	s, r, u, p, largest := everyCollective(a, b, c)
	return map[string]meshProgram{
		"annotated":   lowered(annotatedStep(), []nx.Tensor{n.W, n.V, x, y}, m.W, m.V, l),
		"manual":      lowered(manualStep, []nx.Tensor{n.W, n.V, x, y}, m.W, m.V, l),
		"collectives": lowered(everyCollective, []nx.Tensor{a, b, c}, s, r, u, p, largest),
	}
}

// Programs for four devices compile without devices; XLA inserts the collectives of an annotated program: they
// are in the optimised program.
func TestMeshesAhead(t *testing.T) {
	forTargets(t, func(t *testing.T, a *ahead) {
		for name, p := range meshPrograms(t) {
			x, err := CompileFor(context.Background(), a.name, a.topology, p.module)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if x.sharding == nil || len(x.Devices) != 4 {
				t.Errorf("%s: compiled for %q, spread %v", name, x.Devices, x.sharding)
			}
			saved, err := x.Save()
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if again, err := readCompiled(saved); err != nil || again.Topology != a.topology {
				t.Errorf("%s: saved and read: %v", name, err)
			}
			t.Logf("%s: %d bytes for %s, arguments of %d bytes a device", name, len(saved),
				x.Devices[0], x.ArgumentSize)
		}
		x, err := a.compile(meshPrograms(t)["annotated"].module)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		code, format, err := x.Optimized()
		if err != nil || !strings.Contains(string(code), "all-reduce") {
			t.Errorf("the optimised program (%s, %v) has no all-reduce", format, err)
		}
		if dims, err := x.OutputDims(); err != nil || fmt.Sprint(dims) != "[[6 4] [4 4] []]" {
			t.Errorf("the parts of the results are %v, %v", dims, err)
		}
		if partitions, replicas, err := x.Partitions(); err != nil || partitions != 4 || replicas != 1 {
			t.Errorf("%d partitions, %d replicas, %v", partitions, replicas, err)
		}
	})
}
