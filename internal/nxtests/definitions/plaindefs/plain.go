package plaindefs

import (
	"math"

	. "github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/defn/linalg"
	"github.com/go-nx/nx/defn/nn"
	"github.com/go-nx/nx/defn/random"
)

// Motion is the state of an oscillator.
type Motion struct{ X, V Tensor }

func (s Motion) Add(o Motion) Motion   { return Motion{s.X + o.X, s.V + o.V} }
func (s Motion) Scale(k Tensor) Motion { return Motion{s.X * k, s.V * k} }
func deriv(s Motion, t Tensor) Motion  { return Motion{s.V, -s.X - 0.1*s.V + Sin(t)} }

func RK4(x, v Tensor) Tensor {
	const dt = 0.05
	s := Motion{x, v}
	t := Tensor(0.0)
	for range 20 {
		k1 := deriv(s, t)
		k2 := deriv(s.Add(k1.Scale(dt/2)), t+dt/2)
		k3 := deriv(s.Add(k2.Scale(dt/2)), t+dt/2)
		k4 := deriv(s.Add(k3.Scale(dt)), t+dt)
		s = s.Add(k1.Add(k2.Scale(2)).Add(k3.Scale(2)).Add(k4).Scale(dt / 6))
		t += dt
	}
	return s.X
}

func Euler(f func(t, y Tensor) Tensor, y0 Tensor, t0, t1 float64, n int) Tensor {
	h := (t1 - t0) / float64(n)
	y := y0
	for i := 0; i < n; i++ {
		t := t0 + float64(i)*h
		y += Tensor(h) * f(Tensor(t), y)
	}
	return y
}

func Decay(x Tensor) Tensor {
	return Euler(func(t, y Tensor) Tensor { return -0.5 * y }, x, 0, 1, 10)
}

func Mandel(cr, ci Tensor) Tensor {
	zr, zi := Tensor(0.0), Tensor(0.0)
	n := Tensor(0)
	for n = 0; n < 50; n++ {
		if zr*zr+zi*zi > 4 {
			break
		}
		zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
	}
	return n
}

func Signum(x Tensor) Tensor {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

func Collatz(x Tensor) Tensor {
	n := Floor(Abs(x)) + 1
	var steps Tensor
	for n != 1 {
		if n-2*Floor(n/2) == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		steps++
		if steps > 100 {
			break
		}
	}
	return steps
}

func Secant(x Tensor) Tensor {
	f := func(v Tensor) Tensor { return v*v*v - x }
	a, b := Tensor(0.5), Tensor(2.0)
	fa, fb := f(a), f(b)
	for i := range Steps(30) {
		if Abs(fb) < 1e-12 || Abs(fb-fa) < 1e-14 || i > 25 {
			return b
		}
		a, b = b, b-fb*(b-a)/(fb-fa)
		fa, fb = fb, f(b)
	}
	return b
}

type AdamState struct {
	M, V Tensor
	Step Tensor
}

type Adam struct {
	LR, Beta1, Beta2, Eps float64
}

func (a Adam) Init(p Tensor) AdamState { return AdamState{M: ZerosLike(p), V: ZerosLike(p)} }

func (a Adam) Update(s AdamState, p, g Tensor) (AdamState, Tensor) {
	s.Step++
	s.M = Tensor(a.Beta1)*s.M + Tensor(1-a.Beta1)*g
	s.V = Tensor(a.Beta2)*s.V + Tensor(1-a.Beta2)*g*g
	mhat := s.M / (1 - Pow(Tensor(a.Beta1), s.Step))
	vhat := s.V / (1 - Pow(Tensor(a.Beta2), s.Step))
	return s, p - Tensor(a.LR)*mhat/(Sqrt(vhat)+Tensor(a.Eps))
}

func Minimise(x Tensor) Tensor {
	opt := Adam{LR: 0.1, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8}
	s := opt.Init(x)
	for range 5 {
		g := 2 * (x - 3)
		s, x = opt.Update(s, x, g)
	}
	return x
}

func Attention(q, k, v Tensor, causal bool) Tensor {
	d := q.Shape()[q.Rank()-1]
	s := Einsum("qd,kd->qk", q, k) / Tensor(math.Sqrt(float64(d)))
	if causal {
		n, m := s.Shape()[0], s.Shape()[1]
		mask := Iota(Shape{n, m}, S32, Axis(0)) >= Iota(Shape{n, m}, S32, Axis(1))
		s = Where(mask, s, Tensor(math.Inf(-1)))
	}
	e := Exp(s - Max(s, Axis(-1), KeepAxes))
	p := e / Sum(e, Axis(-1), KeepAxes)
	return Dot(p, v)
}

type GRU struct {
	Wz, Wr, Wh Tensor
	Uz, Ur, Uh Tensor
	Bz, Br, Bh Tensor
}

func (g GRU) Cell(h, x Tensor) Tensor {
	z := nn.Sigmoid(Dot(x, g.Wz) + Dot(h, g.Uz) + g.Bz)
	r := nn.Sigmoid(Dot(x, g.Wr) + Dot(h, g.Ur) + g.Br)
	c := Tanh(Dot(x, g.Wh) + Dot(r*h, g.Uh) + g.Bh)
	return (1-z)*h + z*c
}

func (g GRU) Run(h, xs Tensor) (Tensor, Tensor) {
	return Scan(h, xs, func(h, x Tensor) (Tensor, Tensor) {
		h = g.Cell(h, x)
		return h, h
	})
}

type Kalman struct{ F, H, Q, R Tensor }

func (k Kalman) Step(x, P, z Tensor) (xn, Pn Tensor) {
	x = Dot(k.F, x)
	P = Dot(Dot(k.F, P), Transpose(k.F)) + k.Q
	y := z - Dot(k.H, x)
	S := Dot(Dot(k.H, P), Transpose(k.H)) + k.R
	K := Dot(Dot(P, Transpose(k.H)), linalg.Inv(S))
	xn = x + Dot(K, y)
	Pn = P - Dot(Dot(K, k.H), P)
	return
}

func Forward(pi, A, B Tensor, obs []int) Tensor {
	alpha := pi * B.At(Whole, obs[0])
	ll := Tensor(0.0)
	for t, o := range obs {
		if t > 0 {
			alpha = Dot(alpha, A) * B.At(Whole, o)
		}
		c := Sum(alpha)
		ll += Log(c)
		alpha /= c
	}
	return ll
}

func CG(A, b Tensor, n int) Tensor {
	x := ZerosLike(b)
	r := b - Dot(A, x)
	p := r
	rs := Dot(r, r)
	for range n {
		Ap := Dot(A, p)
		alpha := rs / Dot(p, Ap)
		x += alpha * p
		r -= alpha * Ap
		rsNew := Dot(r, r)
		if Sqrt(rsNew) < 1e-10 {
			return x
		}
		p = r + rsNew/rs*p
		rs = rsNew
	}
	return x
}

func SortNet(xs []Tensor) []Tensor {
	n := len(xs)
	out := append([]Tensor(nil), xs...)
	for i := 0; i < n; i++ {
		for j := 0; j+1 < n-i; j++ {
			out[j], out[j+1] = min(out[j], out[j+1]), max(out[j], out[j+1])
		}
	}
	return out
}

func Sort3(x, y Tensor) Tensor {
	s := SortNet([]Tensor{x, y, x * y, 1})
	return s[0] + 2*s[1] + 3*s[2] + 4*s[3]
}

func Metropolis(key Tensor, x Tensor, n Tensor) (Tensor, Tensor) {
	accepted := Tensor(0)
	for i := range Steps(n) {
		keys := random.Split(random.FoldIn(key, i), 2)
		prop := x + 0.5*random.Normal(keys.At(0), 0, 1, x.Shape(), x.DType())
		logp := -0.5*prop*prop + 0.5*x*x
		u := random.Uniform(keys.At(1), 0, 1, Shape{}, x.DType())
		if Log(u) < logp {
			x = prop
			accepted++
		}
	}
	return x, accepted / n
}

func Horner(x Tensor) Tensor {
	coeffs := [...]float64{1, -3, 0.5, 2}
	var y Tensor
	for i := len(coeffs) - 1; i >= 0; i-- {
		y = y*x + Tensor(coeffs[i])
	}
	return y
}

func Fib(n Tensor) Tensor {
	n = Floor(Abs(n))
	a, b := Tensor(0.0), Tensor(1.0)
	for i := Tensor(0.0); i < n; i++ {
		a, b = b, a+b
	}
	return a
}

func clamp(x, lo, hi Tensor) Tensor {
	if x < lo {
		return lo
	} else if x > hi {
		return hi
	} else {
		return x
	}
}

func Clamped(x Tensor) Tensor { return clamp(x, -1, 2) * clamp(-x, 0, 1) }

func Huber(x Tensor) Tensor {
	delta := Tensor(1.0)
	a := Abs(x)
	if a <= delta {
		return 0.5 * x * x
	}
	return delta * (a - 0.5*delta)
}

func GCD(a, b Tensor) Tensor {
	a, b = Floor(Abs(a)), Floor(Abs(b))
	for b > 0 {
		a, b = b, a-b*Floor(a/b)
	}
	return a
}

func Simpson(x Tensor) Tensor {
	f := func(t Tensor) Tensor { return Exp(-t * t) }
	const n = 10
	h := x / n
	sum := f(0) + f(x)
	for i := 1; i < n; i++ {
		if i%2 == 1 {
			sum += 4 * f(Tensor(i)*h)
		} else {
			sum += 2 * f(Tensor(i)*h)
		}
	}
	return sum * h / 3
}

type Body struct{ X, Y, VX, VY, M Tensor }

func energy(bs []Body) (e Tensor) {
	for i, a := range bs {
		e += 0.5 * a.M * (a.VX*a.VX + a.VY*a.VY)
		for _, b := range bs[i+1:] {
			dx, dy := a.X-b.X, a.Y-b.Y
			e -= a.M * b.M / Sqrt(dx*dx+dy*dy)
		}
	}
	return e
}

func moved(bs []Body, dt Tensor) []Body {
	out := make([]Body, len(bs))
	copy(out, bs)
	for i := range out {
		for j := range bs {
			if i == j {
				continue
			}
			dx, dy := bs[j].X-bs[i].X, bs[j].Y-bs[i].Y
			d2 := dx*dx + dy*dy + 0.01
			f := bs[j].M / (d2 * Sqrt(d2))
			out[i].VX += dt * f * dx
			out[i].VY += dt * f * dy
		}
		out[i].X += dt * out[i].VX
		out[i].Y += dt * out[i].VY
	}
	return out
}

func Nbody(x, y Tensor) Tensor {
	bs := []Body{{M: 10, X: 0.1}, {X: x + 8, VY: 1, M: 1}, {X: y - 12, VX: 0.5, M: 1}}
	for range 3 {
		bs = moved(bs, 0.1)
	}
	return energy(bs)
}

func Compose(fs ...func(Tensor) Tensor) func(Tensor) Tensor {
	return func(x Tensor) Tensor {
		for _, f := range fs {
			x = f(x)
		}
		return x
	}
}

func Composed(x Tensor) Tensor {
	double := func(x Tensor) Tensor { return 2 * x }
	return Compose(Sin, double, Signum, Cos)(x)
}

func Bounce(x, v Tensor) Tensor {
	for t := Tensor(0.0); t < 2; t += 0.1 {
		x += v * 0.1
		v -= 0.981
		if x < 0 {
			x, v = -x, -0.8*v
		}
	}
	return x
}

func Ternary(x, y Tensor) Tensor {
	var r Tensor
	if ok := x > y; ok {
		r = x
	} else if eq := x == y; eq {
		r = 0
	} else {
		r = -y
	}
	return r
}

func Predicates(x, y Tensor) Tensor {
	pos := x > 0
	both := pos && y > 0
	neither := !(pos || y > 0)
	count := Tensor(0)
	if both {
		count += 1
	}
	if neither {
		count += 2
	}
	if pos != (y > 0) {
		count += 4
	}
	return count
}
