package exec

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/internal/testkit/fused"
	"github.com/go-nx/nx/stablehlo"
)

// compareSequential runs a module with the nodes of its groups one after another, and with groups on one and on three
// workers: all results have the same bits. It returns these, and the program with groups.
func compareSequential(t *testing.T, module string, members func(n program.Node) []program.Node) (p *program.Program,
	results [][]byte) {
	t.Helper()
	args := normalArgs(t, module)
	for _, workers := range []int{0, 1, 3} { // 0: without groups
		p = fused.Program(t, module)
		if workers == 0 {
			separate(p, members)
		}
		pool := rt.NewPool(max(workers, 1))
		defer pool.Close()
		x, err := Compile(p, &rt.Env{Pool: pool}, portable.Generator{})
		if err != nil {
			t.Fatal(err)
		}
		if err := sched.Check(p, x.Layout()); err != nil {
			t.Fatalf("%v\n%s%s", err, p, x.Layout().Text(p))
		}
		for range 2 { // reuses an instance
			out, err := x.Run(context.Background(), args)
			if err != nil {
				t.Fatal(err)
			}
			if results == nil {
				results = out
			}
			for i := range out {
				if !bytes.Equal(out[i], results[i]) {
					t.Errorf("%d workers: result %d has other bits than one node after another\n%s", workers, i, p)
				}
			}
		}
	}
	return p, results
}

// separate replaces the groups of a program by their nodes, whose values are in memory.
func separate(p *program.Program, members func(n program.Node) []program.Node) {
	var nodes []program.Node
	for _, n := range p.Main.Nodes {
		list := members(n)
		if list == nil {
			list = []program.Node{n}
		} else if _, ok := n.(*program.RowLoop); ok {
			for i := range p.Buffers {
				p.Buffers[i].Local = false
			}
		}
		nodes = append(nodes, list...)
	}
	p.Main.Nodes = nodes
}

// steps returns the nodes of a fused row loop, nil for others.
func steps(n program.Node) []program.Node {
	if loop, ok := n.(*program.RowLoop); ok {
		return loop.Steps
	}
	return nil
}

// countMembers returns the number of nodes in groups.
func countMembers(p *program.Program, members func(n program.Node) []program.Node) (count int) {
	for _, n := range p.Main.Nodes {
		count += len(members(n))
	}
	return count
}

// normalArgs returns normally distributed arguments of a module.
func normalArgs(t *testing.T, module string) (args [][]byte) {
	t.Helper()
	m, err := stablehlo.Parse(t.Name(), []byte(module))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Func("main")
	r := rand.New(rand.NewPCG(1, 2))
	for _, a := range f.Body().Args {
		n, _ := a.Tensor().NumElems()
		elem := a.Tensor().DType()
		data := make([]byte, n*int64(elem.Size()))
		for i := range int(n) {
			elem.StoreFloat(data, i, r.NormFloat64())
		}
		args = append(args, data)
	}
	return args
}
