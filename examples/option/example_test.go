package option_test

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/examples/option"
	"github.com/go-nx/nx/examples/option/defs"
)

func Example() {
	// Numbers: the definition itself is Go that runs.
	fmt.Printf("%.4f\n", defs.Price(defs.Option{Spot: 100, Strike: 105, Rate: 0.03, Vol: 0.2, Time: 0.5}))

	// Tensors: differentiated, traced once, compiled.
	o := option.Option{
		Spot: nx.New(100.0), Strike: nx.New(105.0), Rate: nx.New(0.03), Vol: nx.New(0.2), Time: nx.New(0.5),
	}
	greeks := nx.Jit(nx.Grad(option.Price))(o)
	fmt.Printf("delta %.4f, vega %.4f\n", nx.Item[float64](greeks.Spot), nx.Item[float64](greeks.Vol))

	// Many at once: each strike has its own loop.
	smile := nx.Jit(nx.Vmap(func(strike, price nx.Tensor) nx.Tensor {
		o := o
		o.Strike = strike
		return option.Implied(o, price)
	}))
	fmt.Printf("%.4f\n", nx.Data[float64](smile(nx.New([]float64{90, 100, 110}), nx.New([]float64{12.9, 6.4, 2.5}))))
	// Output:
	// 4.1783
	// delta 0.4332, vega 27.8131
	// [0.2054 0.2010 0.1955]
}
