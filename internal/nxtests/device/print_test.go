package device_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

// TestPrintOfDevice: of a tensor that is printed in part, only that part is copied.
func TestPrintOfDevice(t *testing.T) {
	c := newFar()
	close(c.gate)
	for _, shape := range []nx.Shape{{1001}, {7, 200}, {2, 3, 400}, {1200, 2}} {
		x := nx.Add(nx.Iota(shape, nx.F32), 0)
		there, err := nx.Transfer(x, c.Devices()[0])
		if err != nil {
			t.Fatal(err)
		}
		before := c.read.Load()
		got, want := fmt.Sprint(there), fmt.Sprint(x)
		if got != want {
			t.Errorf("%v, want %v", got, want)
		}
		if n := c.read.Load() - before; n > 4*6*6*6 {
			t.Errorf("%d bytes of %s were copied", n, x.Spec())
		}
	}
	v, err := nx.Transfer(nx.Vectorize(nx.Add(nx.Iota(nx.Shape{9, 200}, nx.F32), 0), "v"), c.Devices()[0])
	if err != nil || !strings.Contains(fmt.Sprint(v), "[1600.0, 1601.0, 1602.0, …, 1797.0, 1798.0, 1799.0]") {
		t.Error(v, err)
	}
}
