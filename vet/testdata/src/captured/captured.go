// Package captured writes to variables from traced functions.
package captured

import (
	"fmt"

	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
)

var Last nx.Tensor

type state struct{ Steps int }

func f(x nx.Tensor) {
	var kept nx.Tensor
	var list []nx.Tensor
	m := map[string]nx.Tensor{}
	s := &state{}
	n := 0
	step := nx.Jit(func(x nx.Tensor) nx.Tensor {
		kept = nx.Exp(x)       // want `the function that nx.Jit gets is traced, and writes to kept from outside`
		list = append(list, x) // want `writes to list`
		m["x"] = x             // want `writes to m\["x"\]`
		s.Steps++              // want `writes to s.Steps`
		*s = state{}           // want `writes to \*s`
		Last = x               // want `writes to Last`
		n += 2                 // want `writes to n`
		inner := 0
		inner++
		y := x
		y = nx.Add(y, 1)
		for n = range 3 { // want `writes to n`
			inner = n
		}
		func() { kept, inner = x, 2 }() // want `writes to kept`
		debug.Hook("x", y, func(x nx.Tensor) { kept = x })
		return y
	})
	step(x)
	loss := func(x nx.Tensor) nx.Tensor {
		n++ // want `nx.Grad gets is traced, and writes to n`
		return nx.Sum(x)
	}
	nx.Grad(loss)(x)
	nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(x, 1) }, func(x nx.Tensor) nx.Tensor {
		n++ // want `nx.While gets is traced`
		return x
	})
	plain := func() { n++ }
	plain()
	_ = tree.Map(func(x nx.Tensor) nx.Tensor { n++; return x }, list)
	fmt.Println(kept, n)
}
