package optim

import "github.com/go-nx/nx"

// FTRLOption is an option of [FTRL].
type FTRLOption interface{ ftrl(*ftrl) }

type ftrl struct{ initial, power, beta, l1, l2, shrinkage float64 }

type (
	ftrlPenalty struct{ l1, l2, shrinkage float64 }
	ftrlBeta    float64
	ftrlPower   float64
)

// Penalties are the weights of the absolute values, of the squares, and of the squares that act on the gradient only;
// the first one makes small parameters 0.
func Penalties(absolute, square, shrinkage float64) FTRLOption {
	return ftrlPenalty{absolute, square, shrinkage}
}

// StartBeta adds beta/2 to the roots of sums of squares, 0 without it.
func StartBeta(beta float64) FTRLOption { return ftrlBeta(beta) }

// RatePower is the power of the sums of squares in the rate, -.5 without it.
func RatePower(p float64) FTRLOption { return ftrlPower(p) }

func (v ftrlPenalty) ftrl(o *ftrl) { o.l1, o.l2, o.shrinkage = v.l1, v.l2, v.shrinkage }
func (v ftrlBeta) ftrl(o *ftrl)    { o.beta = float64(v) }
func (v ftrlPower) ftrl(o *ftrl)   { o.power = float64(v) }
func (v initial) ftrl(o *ftrl)     { o.initial = v.v }

// FTRLState is the state of [FTRL].
type FTRLState struct {
	// Sum are sums of squares, and Linear the gradients that the parameters follow.
	Sum, Linear Tensors
	// Rate is the state of the rate.
	Rate State
}

// FTRL follows the regularised leader (McMahan et al. 2013), for sparse linear models. The sums of squares begin with
// Initial(.1). It sets parameters by the sum of gradients, so no transform may follow it in a chain.
func FTRL[R Rate](learningRate R, opts ...FTRLOption) Transform {
	r := rateOf(learningRate)
	o := ftrl{initial: .1, power: -.5}
	for _, opt := range opts {
		if opt != nil {
			opt.ftrl(&o)
		}
	}
	return stateful[FTRLState]{"FTRL", func(params []Leaf) FTRLState {
		return FTRLState{filled(params, o.initial), zeros(params), r.init()}
	}, func(updates []Leaf, s FTRLState, step Step) ([]Leaf, FTRLState) {
		at, rateState := r.next(s.Rate)
		if at.IsZero() {
			at = scalar(r.value)
		}
		next := FTRLState{Rate: rateState, Sum: with(s.Sum, updates, func(_ int, g Leaf, sum nx.Tensor) nx.Tensor {
			return nx.Add(sum, nx.Square(g.Tensor))
		})}
		power := func(x nx.Tensor) nx.Tensor { return nx.Div(nx.Pow(x, -o.power), like(at, x)) }
		next.Linear = with(s.Linear, updates, func(i int, g Leaf, z nx.Tensor) nx.Tensor {
			p := step.Params[i].Tensor
			shrunk := nx.Add(g.Tensor, nx.Mul(2*o.shrinkage, p))
			return nx.Add(z, nx.Sub(shrunk, nx.Mul(nx.Sub(power(next.Sum[g.Path]), power(s.Sum[g.Path])), p)))
		})
		l2 := nx.Add(2*o.l2, nx.Div(o.beta, at))
		return each(updates, func(i int, g Leaf) nx.Tensor {
			z := next.Linear[g.Path]
			p := nx.Div(nx.Sub(nx.Clip(z, -o.l1, o.l1), z), nx.Add(power(next.Sum[g.Path]), like(l2, z)))
			return nx.Sub(p, step.Params[i].Tensor)
		}), next
	}}
}
