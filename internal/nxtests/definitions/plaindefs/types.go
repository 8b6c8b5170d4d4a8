// Package plaindefs has definitions as newcomers write them, which numbers run, too.
package plaindefs

//go:generate go tool defn -out ../plain

import . "github.com/go-nx/nx/defn"

type Way int

const (
	Plain Way = iota
	Twice
)

var Default = Twice

func (m Way) Apply(x Tensor) Tensor {
	if m == Twice {
		return 2 * x
	}
	return x
}

func WayOf(n int) Way {
	if n > 2 {
		return Twice
	}
	return Plain
}

func UseWay(x Tensor) Tensor {
	return Default.Apply(x) + Plain.Apply(x) + WayOf(3).Apply(x)
}

type State struct{ A, B Tensor }

func Local(x, y Tensor) Tensor {
	type State struct {
		a, b Tensor
		n    int
	}
	type T = Tensor
	var z T = 3
	s := State{x, y, 2}
	if x > y {
		s.a, s.b = s.b, s.a
		type pair struct{ u, v Tensor }
		p := pair{u: s.a}
		p.v += x
		z = p.v - p.u
	}
	list := []State{s, {a: x}}
	for _, l := range list {
		z += l.a*Tensor(l.n) + l.b
	}
	return z
}

func Zeros2(x Tensor) Tensor {
	var s State
	var arr [3]Tensor
	var ss [2]State
	xs := make([]Tensor, 3)
	xs[1] += x
	arr[2] += xs[1] + xs[0]
	ss[1].A -= arr[2] + arr[0]
	s.A += ss[1].A
	return s.A - s.B
}

func named(x Tensor) (s State, t Tensor) {
	s.A += x
	t += s.A + s.B
	return
}

func Named(x Tensor) Tensor {
	s, t := named(x)
	return s.A + 10*t
}
