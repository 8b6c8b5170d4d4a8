// Package language has Go that definitions do not have.
package language

import (
	. "github.com/go-nx/nx/defn"
)

var weights = Tensor(2) // ERROR "a variable of the package holds tensors: weights"

var table []Tensor // ERROR "a variable of the package holds tensors: table"

var counter int

func increments(x Tensor) Tensor {
	counter++ // ERROR "an assignment to a variable outside of the definition"
	return x
}

func pointer(x *Tensor) Tensor { return *x } // ERROR "a pointer to tensors"

func address(x Tensor) Tensor {
	y := x
	p := &y   // ERROR "a pointer to tensors"
	return *p // ERROR "a pointer to tensors"
}

func allocated() Tensor {
	p := new(Tensor) // ERROR "a pointer to tensors"
	return *p        // ERROR "a pointer to tensors"
}

type model struct{ W Tensor }

func (m *model) scale(x Tensor) {
	m.W *= x
}

func maps(x Tensor) Tensor {
	m := map[string]Tensor{"a": x} // ERROR "a map of tensors"
	return m["a"]
}

func madeMap(x Tensor) Tensor {
	m := make(map[string]Tensor) // ERROR "definitions make no map"
	return x + m["a"]
}

func madeChannel(x Tensor) Tensor {
	c := make(chan Tensor, 1) // ERROR "definitions make no chan"
	_ = c
	return x
}

func equal(a, b model) Tensor {
	if a == b { // ERROR "containers of tensors are not comparable"
		return 1
	}
	return 0
}

func equalArrays(a, b [2]Tensor) bool { return a != b } // ERROR "containers of tensors are not comparable"

func asserted(x any) Tensor { return x.(Tensor) } // ERROR "definitions do not have this form of expression"

func recovered(x Tensor) Tensor {
	_ = recover() // ERROR "definitions do not call recover"
	return x
}

func printed(x Tensor) Tensor {
	println(x) // ERROR "definitions do not call println"
	return x
}

type celsius Tensor // ERROR "a type of its own for tensors"

type vector[T Tensor | float64] struct{ x, y T }

func (v vector[T]) dot(w vector[T]) T {
	return v.x*w.x + v.y*w.y // ERROR "an operator on a value" "an operator on a value"
}

func deleted(m map[string]Tensor) Tensor {
	delete(m, "a") // ERROR "definitions do not call delete"
	return 0
}

func closed(x Tensor, c chan int) Tensor {
	close(c) // ERROR "definitions do not call close"
	return x
}

func (m *model) scaleIf(x Tensor) Tensor {
	if x > 0 {
		m.scale(x) // ERROR "m changes by a pointer under a predicate"
	}
	return x
}

func (m *model) scaleAfter(x Tensor) Tensor {
	if x > 0 {
		return x
	}
	m.scale(x) // ERROR "m changes by a pointer under a predicate"
	return -x
}

func scaleWhile(x Tensor) Tensor {
	var m model
	for x > 1 {
		m.scale(x) // ERROR "m changes by a pointer under a predicate"
		x /= 2
	}
	return x
}

func scaleCaptured(x Tensor) Tensor {
	var m model
	f := func(y Tensor) Tensor {
		m.scale(y) // ERROR "a function literal changes m, a variable outside of it"
		return y
	}
	return f(x)
}

func aliased(m model) model {
	p := &m // ERROR "a pointer to tensors"
	p.scale(2)
	return m
}
