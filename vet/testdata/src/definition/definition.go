// Package layerdefs is a package of definitions, by its name.
package layerdefs

import (
	"fmt"

	. "github.com/go-nx/nx/defn"
)

func Half(x Tensor) Tensor { return x * (1 / 2) } // want `1 / 2 to 0 .integer-division.; write 1.0/2`

func Counted(x Tensor) Tensor {
	n := 0
	for x > 1 {
		x /= 2
		n++ // want `n is known while the graph is built, and cannot change under a predicate`
	}
	return x + Tensor(n)
}

func Shown(x Tensor) Tensor {
	fmt.Println(x) // want `a tensor is passed to fmt.Println, a function of Go`
	return x
}

func Fine(x Tensor) Tensor {
	if x > 0 {
		return Sqrt(x)
	}
	return 0
}
