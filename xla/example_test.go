package xla_test

import (
	"context"
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/xla"
)

// A program compiled for devices that are not there is kept as bytes. Here a plugin of the tests
// stands for that of a TPU, "four" for "tpu".
func ExampleCompileFor() {
	step := func(w, x nx.Tensor) nx.Tensor { return nx.Tanh(nx.Dot(x, w)) }
	l, err := nx.Lower(step, nx.Zeros(nx.Shape{8, 4}, nx.F32), nx.Zeros(nx.Shape{2, 8}, nx.F32))
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := xla.CompileFor(context.Background(), "four", "2x2", l.Module())
	if err != nil {
		fmt.Println(err)
		return
	}
	saved, err := c.Save()
	fmt.Println(len(c.Devices), c.Devices[0], len(saved) > 0, err)
	// Output: 4 Fake fake true <nil>
}
