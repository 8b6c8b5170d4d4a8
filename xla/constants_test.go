package xla_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Large constants of a program are its last arguments: copied once to each device that it runs on, and freed
// with the program. Regions use them, donation does not affect them, and results are those of package cpu.
func TestLargeConstants(t *testing.T) {
	const n = 1 << 18 // numbers of f32 in a MiB
	m, err := stablehlo.Parse("large.mlir", []byte(`
func.func @main(%x: tensor<262144xf32> {tf.aliasing_output = 0 : i32})
    -> (tensor<262144xf32>, tensor<262144xf32>) {
  %large = stablehlo.constant dense<1.0> : tensor<262144xf32>
  %small = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %i, %sum = stablehlo.while(%a = %zero, %b = %x) : tensor<i32>, tensor<262144xf32>
   cond {
    %c = stablehlo.compare LT, %a, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %c = stablehlo.add %a, %one : tensor<i32>
    %d = stablehlo.add %b, %large : tensor<262144xf32>
    stablehlo.return %c, %d : tensor<i32>, tensor<262144xf32>
  }
  return %sum, %large : tensor<262144xf32>, tensor<262144xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Func("main")
	data := make([]byte, 0, 4*n)
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i)))
	}
	f.Body().Ops[0].SetAttr("value", &stablehlo.ElementsAttr{Type: stablehlo.Tensor(dtype.F32, n), Data: data})

	ctx, c := context.Background(), open(t, "constant")
	code, err := c.Export(ctx, m)
	if err != nil || len(code) > 1<<16 {
		t.Fatalf("an artifact of %d bytes, %v", len(code), err)
	}
	run := func(c backend.Client, e backend.Executable, on backend.Device) (all [][]byte) {
		t.Helper()
		x, err := c.Put(ctx, backend.Type{DType: dtype.F32, Dims: []int64{n}}, data, on)
		if err != nil {
			t.Fatal(err)
		}
		out, err := e.Execute(ctx, []backend.Buffer{x})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range out {
			got := make([]byte, b.Type().SizeBytes())
			if err := b.Read(ctx, got); err != nil {
				t.Fatal(err)
			}
			b.Release()
			all = append(all, got)
		}
		return all
	}
	compile := func(c backend.Client) backend.Executable {
		t.Helper()
		e, err := c.Compile(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	onCPU := compile(cpu.Default())
	defer onCPU.Close()
	want := run(cpu.Default(), onCPU, cpu.Default().Devices()[0])
	before := c.InUse()
	e := compile(c)
	for range 2 {
		for i, d := range c.Devices() {
			for j, got := range run(c, e, d) {
				if !bytes.Equal(got, want[j]) {
					t.Errorf("device %d: result %d is not what package cpu gives", i, j)
				}
			}
		}
	}
	if kept := c.InUse() - before; kept != 2*4*n {
		t.Errorf("%d bytes are in use by the program, want %d: the constant on two devices", kept, 2*4*n)
	}
	if _, err := e.Execute(ctx, nil); err == nil {
		t.Error("no arguments were taken")
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if kept := c.InUse() - before; kept != 0 {
		t.Errorf("%d bytes are in use when the program is closed", kept)
	}
}
