package plaindefs

import . "github.com/go-nx/nx/defn"

type Optimiser struct {
	LR       Tensor
	Momentum float64
	V, N     Tensor
}

func NewOptimiser(lr Tensor) *Optimiser { return &Optimiser{LR: lr, Momentum: 0.9} }

// Step changes the state.
func (o *Optimiser) Step(p, g Tensor) Tensor {
	o.V = Tensor(o.Momentum)*o.V + g
	o.N++
	return p - o.LR*o.V
}

func (o *Optimiser) reset() { *o = Optimiser{LR: o.LR, Momentum: o.Momentum} }

func scale(o *Optimiser, by Tensor) { o.LR *= by }

type Unit struct{ W, B Tensor }

func (u *Unit) Forward(x Tensor) Tensor { return Tanh(u.W*x + u.B) }

func (u *Unit) Update(o *Optimiser, g Tensor) {
	u.W = o.Step(u.W, g)
}

func Fit(x, y Tensor) Tensor {
	o := NewOptimiser(0.1)
	u := Unit{W: x}
	for i := range 4 {
		e := u.Forward(y) - 1
		u.Update(o, e)
		if i == 2 {
			o.reset()
		}
		scale(o, 0.5)
	}
	var plain Optimiser
	plain.LR = 2
	scale(&plain, x)
	q := new(Unit)
	q.B += y
	return u.Forward(x) + o.N*10 + plain.LR + q.Forward(1)
}

func Frozen(x, y Tensor) Tensor {
	u := &Unit{x, y}
	for x < 3 {
		x += 1 + Abs(u.Forward(x))
	}
	if x > y {
		return u.Forward(y)
	}
	return x
}

func Layers(x, y Tensor) Tensor {
	us := []*Unit{{W: x}, {B: y}}
	for _, u := range us {
		u.B += 1
	}
	return us[0].Forward(1) + us[1].Forward(2)
}
