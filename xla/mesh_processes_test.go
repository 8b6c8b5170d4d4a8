package xla_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/distributed"
	"github.com/go-nx/nx/xla"
)

// six is a mesh over the devices of three processes, which have 1, 2 and 3: of the first 0, of the
// second 1 and 2, of the third 3, 4 and 5.
var six = shard.Mesh{{Name: "data", Size: 3}, {Name: "model", Size: 2}}

// regression is a step of training of all rows; sum and mean are over devices.
func regression(sum, mean func(nx.Tensor) nx.Tensor) func(w, v, x, y nx.Tensor) (nx.Tensor, nx.Tensor, nx.Tensor) {
	loss := func(p [2]nx.Tensor, x, y nx.Tensor) nx.Tensor {
		d := nx.Sub(sum(nx.Dot(nx.Tanh(nx.Dot(x, p[0])), p[1])), y)
		return mean(nx.Mean(nx.Mul(d, d)))
	}
	return func(w, v, x, y nx.Tensor) (nx.Tensor, nx.Tensor, nx.Tensor) {
		l, g := nx.ValueAndGrad(func(p [2]nx.Tensor) nx.Tensor { return loss(p, x, y) })([2]nx.Tensor{w, v})
		return nx.Sub(w, nx.Mul(0.1, g[0])), nx.Sub(v, nx.Mul(0.1, g[1])), l
	}
}

func regressionData() (w, v, x, y nx.Tensor) {
	numbers := func(n, m int, scale float32) nx.Tensor {
		return nx.Reshape(nx.Sin(nx.Mul(nx.Iota(nx.Shape{n * m}, nx.F32), scale)), n, m)
	}
	return numbers(3, 4, 1.1), numbers(4, 1, 0.7), numbers(12, 3, 0.31), numbers(12, 1, 0.13)
}

// trained returns the losses of three steps.
func trained(step func(w, v, x, y nx.Tensor) (nx.Tensor, nx.Tensor, nx.Tensor), w, v, x, y nx.Tensor) (losses []float32,
	last nx.Tensor) {
	for range 3 {
		var l nx.Tensor
		w, v, l = step(w, v, x, y)
		losses = append(losses, nx.Item[float32](l))
	}
	return losses, w
}

// onMesh reports a process's view of the devices of all processes.
func onMesh(c *xla.Client) error {
	devices := c.Devices()
	for _, d := range c.AllDevices() {
		fmt.Print(d.Process, ":", d.ID, " ")
	}
	fmt.Println()

	// Training, annotated. What a process has a part of it can read if its devices have all parts.
	cut := []shard.Sharding{{"", "model"}, {"model"}, {"data"}, {"data"}}
	here := func(t nx.Tensor) nx.Tensor {
		moved, err := nx.Transfer(t, devices[0])
		if err != nil {
			panic(err)
		}
		return moved
	}
	one := func(t nx.Tensor) nx.Tensor { return t }
	w, v, x, y := regressionData()
	w, v, x, y = here(w), here(v), here(x), here(y)
	step := shard.Jit(regression(one, one), six, cut, []shard.Sharding{cut[0], cut[1], {}}, nx.On(c))
	losses, last := trained(step, w, v, x, y)
	_, err := read(last)
	var elsewhere *xla.NotAddressableError
	fmt.Printf("annotated %.6v; %d parts, elsewhere: %v\n", losses, len(shard.Split(last)), errors.As(err, &elsewhere))
	gather := shard.Jit(func(t nx.Tensor) nx.Tensor { return nx.Mul(t, 1) }, six, cut[:1],
		[]shard.Sharding{{}}, nx.On(c))
	fmt.Printf("gathered %.4v\n", nx.Data[float32](gather(last)))

	// Rows that differ between the processes.
	rows := slices.Repeat([]float32{float32(c.Process() + 1)}, 2)
	var parts []nx.Tensor
	for _, d := range devices {
		p, err := nx.Transfer(nx.New(rows), d)
		if err != nil {
			return err
		}
		parts = append(parts, p)
	}
	flat := shard.Mesh{{Name: "data", Size: 6}}
	all := shard.Join(parts, flat, shard.Sharding{"data"})
	sum := shard.Map(func(t nx.Tensor) nx.Tensor { return shard.AllReduce(nx.Sum(t), "data") }, flat,
		[]shard.Sharding{{"data"}}, []shard.Sharding{{}})
	fmt.Println("rows", all.Shape(), nx.Data[float32](nx.Jit(sum, nx.On(c))(all)))

	// A mesh takes the first devices of all, or with an option of this process.
	pair := shard.Mesh{{Name: "data", Size: 2}}
	double := func(c *xla.Client) string {
		f := shard.Jit(func(t nx.Tensor) nx.Tensor { return nx.Add(t, t) }, pair, []shard.Sharding{{"data"}},
			[]shard.Sharding{{}}, nx.On(c))
		var got []float32
		if err := caught(func() { got = nx.Data[float32](f(here(nx.New([]float32{1, 2})))) }); err != nil {
			return oneLine(err)
		}
		return fmt.Sprint(got)
	}
	fmt.Println("pair", double(c))
	fmt.Println("own", double(c.With(xla.LocalDevices())))
	return nil
}

// read returns the elements of a tensor, or why not.
func read(t nx.Tensor) (data []float32, err error) {
	err = caught(func() { data = nx.Data[float32](t) })
	return data, err
}

// losing starts calls that need a lost process.
func losing(c *xla.Client) error {
	flat := shard.Mesh{{Name: "data", Size: 6}}
	double := shard.Jit(func(t nx.Tensor) nx.Tensor { return nx.Add(t, t) }, flat, []shard.Sharding{{"data"}},
		[]shard.Sharding{{"data"}}, nx.On(c))
	x, err := nx.Transfer(nx.Iota(nx.Shape{6}, nx.F32), c.Devices()[0])
	if err != nil {
		return err
	}
	y := double(x)
	fmt.Println("waiting")
	_, err = nx.Await(context.Background(), y)
	var lost *distributed.LostError
	fmt.Println("waited:", errors.As(err, &lost), oneLine(err))
	return nil
}

// Three processes train over a mesh of all their devices like one, pass their own rows, and read replicated or
// local results; other shards are an error that names the remedy.
func TestMeshOfProcesses(t *testing.T) {
	all, in, out := startNodes(t, 3, func(int) string { return "a secret" })
	for id := range all {
		nextLine(out[id])
		fmt.Fprintln(in[id], "mesh")
	}
	one := func(t nx.Tensor) nx.Tensor { return t }
	losses, last := func() ([]float32, nx.Tensor) {
		w, v, x, y := regressionData()
		return trained(nx.Jit(regression(one, one)), w, v, x, y)
	}()
	for id := range all {
		want := []string{
			"0:0 1:1 1:2 2:3 2:4 2:5 ",
			fmt.Sprintf("annotated %.6v; %d parts, elsewhere: %v", losses, id+1, id == 0),
			fmt.Sprintf("gathered %.4v", nx.Data[float32](last)),
			"rows [12] [28]",
			"pair [2 4]",
			"own [2 4]",
		}
		if id == 2 { // it has no device of the pair
			want[4] = "no device of the mesh belongs to this process"
		}
		for i, want := range want {
			if got := nextLine(out[id]); !strings.Contains(got, want) {
				t.Errorf("process %d, line %d: %q, want %q", id, i, got, want)
			}
		}
	}
	for id := range all {
		fmt.Fprintln(in[id], "close")
	}
	for id, c := range all {
		if rest := nextLine(out[id]); rest != "" {
			t.Errorf("process %d says %q", id, rest)
		}
		if err := c.Wait(); err != nil {
			t.Errorf("process %d: %v", id, err)
		}
	}
}

// A call over the devices of all processes that one does not make ends in all others.
func TestMeshOfLostProcess(t *testing.T) {
	all, in, out := startNodes(t, 3, func(int) string { return "a secret" })
	for id := range all {
		nextLine(out[id])
		if id != 1 {
			fmt.Fprintln(in[id], "lose")
			if got := nextLine(out[id]); got != "waiting" {
				t.Fatalf("process %d says %q", id, got)
			}
		}
	}
	if err := all[1].Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for _, id := range []int{0, 2} {
		got := nextLine(out[id])
		if !strings.Contains(got, "waited: true") || !strings.Contains(got, "process 1 (127.0.0.1:") {
			t.Errorf("process %d says %q", id, got)
		}
	}
}
