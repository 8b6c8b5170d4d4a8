package defs // ordinary Go: the compiler, gopls and the debugger understand it

import (
	"math"

	. "github.com/go-nx/nx/defn"
)

// Option is a European call.
type Option struct{ Spot, Strike, Rate, Vol, Time Tensor }

// Price is that of Black and Scholes.
func Price(o Option) Tensor {
	d := (Log(o.Spot/o.Strike) + (o.Rate+o.Vol*o.Vol/2)*o.Time) / (o.Vol * Sqrt(o.Time))
	return o.Spot*normal(d) - o.Strike*Exp(-o.Rate*o.Time)*normal(d-o.Vol*Sqrt(o.Time))
}

func normal(x Tensor) Tensor { return (1 + Erf(x/math.Sqrt2)) / 2 }

// Implied is the volatility at which the option has a price, by Newton's method.
func Implied(o Option, price Tensor) Tensor {
	for Abs(Price(o)-price) > 1e-6 {
		o.Vol -= (Price(o) - price) / Grad(Price)(o).Vol
	}
	return o.Vol
}
