package xla_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/conformance/random"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/stablehlo"
)

// calls puts calls of functions of Go into a program, also into loops and branches: some see a
// value, some return it.
type calls struct {
	r    *rand.Rand
	n    int
	seen []string
}

func (c *calls) into(b *stablehlo.Block) {
	renamed := map[*stablehlo.Value]*stablehlo.Value{}
	ops := b.Ops
	b.SetOps(nil)
	for i, op := range ops {
		op.Replace(renamed)
		switch op.Code {
		case stablehlo.OpWhile, stablehlo.OpIf, stablehlo.OpCase:
			for _, r := range op.Regions {
				c.into(r.Block())
			}
		}
		b.Append(op)
		if i == len(ops)-1 || len(op.Results) == 0 || op.Result().Tensor() == nil || c.r.IntN(4) > 0 {
			continue
		}
		v := op.Results[c.r.IntN(len(op.Results))]
		returns := c.r.IntN(2) == 0
		call := stablehlo.NewOp(stablehlo.OpCustomCall, []*stablehlo.Value{v}, nil)
		if returns {
			call = stablehlo.NewOp(stablehlo.OpCustomCall, []*stablehlo.Value{v}, []stablehlo.Type{v.Type()})
		}
		name := fmt.Sprint("call ", c.n)
		c.n++
		call.SetAttr("call_target_name", stablehlo.StringAttr(stablehlo.HostTarget))
		call.SetAttr("has_side_effect", stablehlo.BoolAttr(true))
		call.SetAttr(stablehlo.HostTarget, stablehlo.HostAttr{HostFunc: &stablehlo.HostFunc{Name: name,
			Call: func(_ context.Context, ins, outs [][]byte) error {
				c.seen = append(c.seen, name)
				if returns {
					copy(outs[0], ins[0])
				}
				return nil
			}}})
		b.Append(call)
		if returns {
			renamed[v] = call.Result()
		}
	}
}

// Random programs that call Go functions give the results of package cpu, and make the same calls in the same
// order; no memory leaks.
func TestRandomFunctionsOfGo(t *testing.T) {
	c, p := open(t, "random"), plugins["random"]
	seeds := uint64(400)
	if testing.Short() {
		seeds = 80
	}
	inside, compared, refused := 0, 0, 0
	for seed := range seeds {
		program, err := random.New(seed)
		if err != nil {
			t.Fatal(err)
		}
		m := program.Module
		f, _ := m.Func("main")
		put := &calls{r: rand.New(rand.NewPCG(seed, 7))}
		put.into(f.Body())
		if put.n == 0 {
			continue
		}
		for op := range f.Walk() {
			if op.Attr(stablehlo.HostTarget) != nil && op.Parent() != f.Op {
				inside++
				break
			}
		}
		certain := random.Certain(m)
		want := runArgs(t, cpu.Default(), m, program.Args, nil)
		wanted := put.seen
		put.seen = nil
		got := runArgs(t, c, m, program.Args, c.Devices()[1])
		if got == nil {
			refused++
			continue
		}
		for i := range want {
			if certain[i] == random.Same && !bytes.Equal(got[i], want[i]) {
				t.Fatalf("seed %d: result %d is %x, want %x\n%s", seed, i, got[i], want[i], m)
			}
		}
		if a, b := fmt.Sprint(put.seen), fmt.Sprint(wanted); a != b {
			t.Fatalf("seed %d: calls %s, want %s\n%s", seed, a, b, m)
		}
		compared++
	}
	p.Wait()
	if n := c.InUse(); n != 0 {
		t.Errorf("%d bytes are in use", n)
	}
	t.Logf("%d programs (%d more have what plugins lack), %d with calls in loops or branches, %d programs of the device ran", compared, refused, inside,
		p.Calls(abi.LoadedExecutableExecute))
	if inside < compared/10 {
		t.Error("too few programs call from loops or branches")
	}
}

// runArgs runs a program and returns its results.
func runArgs(t *testing.T, c backend.Client, m *stablehlo.Module, args [][]byte, on backend.Device) (results [][]byte) {
	t.Helper()
	ctx := context.Background()
	x, err := c.Compile(ctx, m)
	if err != nil && (strings.Contains(err.Error(), "plugins do not support buffers of") ||
		strings.Contains(err.Error(), "is not supported by XLA")) {
		return nil
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	defer x.Close()
	f, _ := m.Func("main")
	var list []backend.Buffer
	for i, v := range f.Args() {
		b, err := c.Put(ctx, backend.Type{DType: v.Tensor().DType(), Dims: v.Tensor().Dims}, args[i], on)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	made, err := x.Execute(ctx, list)
	if err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	for _, b := range made {
		data := make([]byte, b.Type().SizeBytes())
		if err := b.Read(ctx, data); err != nil {
			t.Fatal(err)
		}
		results = append(results, data)
		b.Release()
	}
	for _, b := range list {
		b.Release()
	}
	return results
}
