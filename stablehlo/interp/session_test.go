package interp

import (
	"context"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

func TestOutside(t *testing.T) {
	var out strings.Builder
	var probes []string
	var fed [][]*Tensor
	it := prepare(t, &stablehlo.Source{Text: []byte(`
		func.func @main() -> tensor<i8> {
			%t = stablehlo.create_token : !stablehlo.token
			%x = stablehlo.constant dense<[[1.0, 0.1], [0x7F800000, -2.5e-10]]> : tensor<2x2xf32>
			interpreter.print %x : tensor<2x2xf32>
			%y = interpreter.probe %x, probe_id = "a/b" : tensor<2x2xf32>
			%z = interpreter.probe %y, probe_id = "a/b" : tensor<2x2xf32>
			%in:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<i8>, !stablehlo.token)
			%o = "stablehlo.outfeed"(%in#0, %x, %in#1) : (tensor<i8>, tensor<2x2xf32>, !stablehlo.token) -> !stablehlo.token
			return %in#0 : tensor<i8>
		}
	`)}, WithOutput(&out),
		WithProbe(func(id string, i int, x *Tensor) error {
			probes = append(probes, id+strings.Repeat("'", i)+" "+x.Type.String())
			return nil
		}),
		WithInfeed(func([]*stablehlo.TensorType) ([]*Tensor, error) { return []*Tensor{scalarOf(dtype.S8, -3)}, nil }),
		WithOutfeed(func(x []*Tensor) error { fed = append(fed, x); return nil }))
	r, err := it.Call(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	if got := r[0].(*Tensor).String(); got != "tensor<i8> {-3}" {
		t.Errorf("result: got %q", got)
	}
	const printed = `%x = tensor<2x2xf32> {
  [
    [1.000000e+00, 1.000000e-01],
    [+Inf, -2.500000e-10]
  ]
}
`
	if out.String() != printed {
		t.Errorf("print: got\n%s\nwant\n%s", out.String(), printed)
	}
	if got := strings.Join(probes, ", "); got != "a/b tensor<2x2xf32>, a/b' tensor<2x2xf32>" {
		t.Errorf("probes: got %s", got)
	}
	if len(fed) != 1 || len(fed[0]) != 2 {
		t.Errorf("outfeed: got %v", fed)
	}
}
