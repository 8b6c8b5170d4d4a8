// Package flow has control flow that definitions refuse.
package flow

import (
	. "github.com/go-nx/nx/defn"
)

func staticInBranch(x Tensor) Tensor {
	n := 1
	if x > 0 {
		n = 2 // ERROR "n is known while the graph is built, and cannot change under a predicate"
	}
	return x * Tensor(n)
}

func staticInLoop(x Tensor) Tensor {
	n := 0
	for x < 10 {
		x *= 2
		n++ // ERROR "n is known while the graph is built"
	}
	return x + Tensor(n)
}

func staticString(x Tensor) Tensor {
	mode := "a"
	if x > 0 {
		mode = "b" // ERROR "mode is known"
	}
	if mode == "a" {
		return x
	}
	return -x
}

type config struct {
	N int
	W Tensor
}

func staticField(c config) config {
	if c.W > 0 {
		c.N = 3 // ERROR "c.N is known"
	}
	return c
}

func staticElement(x Tensor, sizes []int) Tensor {
	if x > 0 {
		sizes[0] = 3 // ERROR "sizes.…. is known"
	}
	return BroadcastTo(x, sizes...)
}

func staticInStaticLoop(x Tensor) Tensor {
	count := 0
	for i := range 3 {
		if x > Tensor(i) {
			count += i // ERROR "count is known"
		}
	}
	return x + Tensor(count)
}

func conditionalPanic(x Tensor) Tensor {
	if x < 0 {
		panic("negative") // ERROR "a panic under a predicate"
	}
	return Sqrt(x)
}

func panicInLoop(x Tensor) Tensor {
	for x > 1 {
		if x > 100 {
			panic("too large") // ERROR "a panic under a predicate"
		}
		x /= 2
	}
	return x
}

func fall(x Tensor) Tensor {
	switch {
	case x > 0:
		x++
		fallthrough // ERROR "a definition has no fallthrough"
	case x > 1:
		x--
	}
	return x
}

func jump(x Tensor) Tensor {
again:
	x *= 2
	if x.Rank() > 3 {
		goto again // ERROR "a definition has no goto"
	}
	return x
}

func captured(x Tensor) Tensor {
	y := x
	f := func() Tensor {
		y = y * 2 // ERROR "a function literal assigns to y, a variable outside of it"
		return y
	}
	return f() + y
}

func capturedInGrad(x Tensor) Tensor {
	var kept Tensor
	g := Grad(func(x Tensor) Tensor {
		kept = x * x // ERROR "assigns to kept"
		return kept
	})(x)
	return g + kept
}

func capturedCount(x Tensor) Tensor {
	n := 0
	f := func(x Tensor) Tensor {
		n++ // ERROR "assigns to n"
		return x
	}
	return f(x) * Tensor(n)
}

func capturedChange(x Tensor) Tensor {
	scale := x
	f := func(y Tensor) Tensor { return y * scale }
	if x > 0 { // ERROR "scale is used by a function literal and changes under a predicate"
		scale = 2
	}
	return f(x)
}

func capturedLoop(x Tensor) Tensor {
	f := func() Tensor { return x + 1 }
	for x < 10 { // ERROR "x is used by a function literal and changes under a predicate"
		x *= 2
	}
	return f()
}

func rangeOver(x Tensor, m map[string]int) Tensor {
	for _, n := range m { // ERROR "a definition does not range over map"
		x += Tensor(n)
	}
	return x
}

func rangeChannel(x Tensor, c chan int) Tensor {
	for n := range c { // ERROR "does not range over chan int"
		x += Tensor(n)
	}
	return x
}

func rangeFunc(x Tensor, f func(func(int) bool)) Tensor {
	for n := range f { // ERROR "does not range over func"
		x += Tensor(n)
	}
	return x
}

func rangeAssigned(x Tensor) Tensor {
	var i int
	for i = range 3 { // ERROR "a range declares its variables"
		x += Tensor(i)
	}
	return x
}

func stepsAlone(n Tensor) Tensor {
	s := Steps(n) // ERROR "Steps is the range of a loop only"
	_ = s
	return n
}

func stepsAssigned(n Tensor) Tensor {
	var i Tensor
	for i = range Steps(n) { // ERROR "a range declares its variables"
		n += i
	}
	return n
}

func parallel(x Tensor) Tensor {
	go func() { _ = x }() // ERROR "a definition starts no goroutines"
	return x
}

func deferred(x Tensor) Tensor {
	defer func() { _ = x }() // ERROR "a definition defers no calls"
	return x
}

func sent(x Tensor, c chan Tensor) Tensor {
	c <- x // ERROR "a definition does not send to channels"
	return x
}

func received(x Tensor, c chan Tensor) Tensor {
	return x + <-c // ERROR "a definition does not receive from channels"
}

func selected(x Tensor, c chan int) Tensor {
	select { // ERROR "a definition has no select"
	case <-c:
		return x
	default:
		return -x
	}
}

func typed(x Tensor, v any) Tensor {
	switch v.(type) { // ERROR "a definition does not switch on types"
	case int:
		return x
	}
	return -x
}

func countdown(x Tensor) Tensor {
	if x > 0 {
		return countdown(x - 1) // ERROR "countdown calls itself without end while the graph is built"
	}
	return x
}

// halves ends by n, whatever x is.
func halves(x Tensor, n int) Tensor {
	if n == 0 {
		return x
	}
	if x > 1 {
		return halves(x/2, n-1)
	}
	return x
}

func even(n Tensor) Tensor {
	if n == 0 {
		return 1
	}
	return odd(n - 1) // ERROR "even calls itself"
}

func odd(n Tensor) Tensor {
	r := 1 - n
	for n > 0 {
		r = even(n - 1) // ERROR "odd calls itself"
		n = 0
	}
	return r
}
