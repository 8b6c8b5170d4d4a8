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

func (m *model) scale(x Tensor) { // ERROR "a receiver that is a pointer to tensors"
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
