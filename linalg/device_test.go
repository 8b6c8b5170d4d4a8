package linalg_test

import (
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
	"github.com/go-nx/nx/stablehlo/interp"
)

// TestOtherClients: functions that compute with constants run where their argument is.
func TestOtherClients(t *testing.T) {
	x := random(1, nx.F64, 4, 4)
	there := interp.NewClient().Devices()[0]
	far, err := nx.Transfer(x, there)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(x nx.Tensor) nx.Tensor{
		"Expm":  linalg.Expm,
		"Sqrtm": func(x nx.Tensor) nx.Tensor { return linalg.Sqrtm(nx.Dot(x, adjoint(x))) },
		"Logm":  func(x nx.Tensor) nx.Tensor { return linalg.Logm(nx.Dot(x, adjoint(x))) },
		"TryInv": func(x nx.Tensor) nx.Tensor {
			y, err := linalg.TryInv(x)
			if err != nil {
				t.Error(err)
			}
			return y
		},
		"LU": func(x nx.Tensor) nx.Tensor {
			p, l, u := linalg.LU(x)
			return nx.Stack([]nx.Tensor{nx.Cast(p, nx.F64), l, u})
		},
	} {
		got := f(far)
		if d := got.Device(); d != there {
			t.Errorf("%s: the result is on %s", name, d)
		}
		here, err := nx.Transfer(got, x.Device())
		if err != nil {
			t.Fatal(err)
		}
		near(t, name, here, f(x), 1e-9)
	}
}
