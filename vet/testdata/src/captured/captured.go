// Package captured write to the outer variables from traced functions.
package captured

import (
	"fmt"

	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/nn"
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
		kept = nx.Exp(x)       // want `the function passed to nx.Jit is traced, and must not write to the outer kept`
		list = append(list, x) // want `write to the outer list`
		m["x"] = x             // want `write to the outer m\["x"\]`
		s.Steps++              // want `write to the outer s.Steps`
		*s = state{}           // want `write to the outer \*s`
		Last = x               // want `write to the outer Last`
		n += 2                 // want `write to the outer n`
		inner := 0
		inner++
		y := x
		y = nx.Add(y, 1)
		for n = range 3 { // want `write to the outer n`
			inner = n
		}
		func() { kept, inner = x, 2 }() // want `outer kept`
		debug.Hook("x", y, func(x nx.Tensor) { kept = x })
		return y
	})
	step(x)
	loss := func(x nx.Tensor) nx.Tensor {
		n++ // want `nx.Grad is traced, and must not write to the outer n`
		return nx.Sum(x)
	}
	nx.Grad(loss)(x)
	nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Less(x, 1) }, func(x nx.Tensor) nx.Tensor {
		n++ // want `nx.While is traced`
		return x
	})
	plain := func() { n++ }
	plain()
	_ = tree.Map(func(x nx.Tensor) nx.Tensor { n++; return x }, list)
	fmt.Println(kept, n)
}

type block struct {
	Norm *nn.BatchNorm
	Out  *nn.Linear
}

func (b *block) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor { return b.Out.Apply(c, b.Norm.Apply(c, x)) }

func layers(c *nn.Ctx, b *block, x nx.Tensor) {
	nx.Checkpoint(func(x nx.Tensor) nx.Tensor {
		b.Out.Apply(c, x)
		b.Norm.Apply(nil, x)
		b.Norm.Apply(&nn.Ctx{Key: x}, x)
		b.Norm.Apply(&nn.Ctx{Train: true}, x) // want `b.Norm is from outside of the function passed to nx.Checkpoint`
		return b.Apply(c, x)                  // want `b is from outside`
	})
	nx.Scan(b, x, func(b *block, x nx.Tensor) (*block, nx.Tensor) { return b, b.Apply(c, x) })
	nn.Remat(c, b, x)
}
