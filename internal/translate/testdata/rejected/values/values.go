// Package values has values that definitions refuse.
package values

import (
	"fmt"
	"log"
	"math"

	. "github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/defn/linalg"
	"github.com/go-nx/nx/defn/random"
)

func half(x Tensor) Tensor { return x * (1 / 2) } // ERROR "Go divides the integer constants 1 / 2 to 0"

func third(x Tensor) Tensor { return 1/3*x + x } // ERROR "Go divides the integer constants 1/3 to 0"

const n, m = 7, 2

func named(x Tensor) Tensor { return x + n/m } // ERROR "Go divides the integer constants n/m to 3"

func passed(x Tensor) Tensor { return Pow(x, 1/2) } // ERROR "Go divides the integer constants 1/2 to 0"

func assigned() Tensor {
	var x Tensor = 5 / 2 // ERROR "Go divides the integer constants 5 / 2 to 2"
	return x
}

func compared(x Tensor) Tensor { return Where(x > 1/3, x, 0) } // ERROR "1/3 to 0"

func negative(x Tensor) Tensor { return x - (-3 / 2) } // ERROR "-3 / 2 to -1"

func inside(x Tensor) Tensor { return x * (2 + 1/4) } // ERROR "1/4 to 0"

func toFloat(x Tensor) float64 { return float64(x) } // ERROR "float64 of a tensor"

func toInt(x Tensor, list []int) Tensor { return x * Tensor(list[int(x)]) } // ERROR "int of a tensor"

func toFloat32(x Tensor) Tensor { return x * Tensor(float32(x)) } // ERROR "float32 of a tensor"

func goMath(x Tensor) Tensor { return Tensor(math.Exp(float64(x))) } // ERROR "float64 of a tensor"

func printed(x Tensor) Tensor {
	fmt.Println(x) // ERROR "a tensor is passed to fmt.Println, a function of Go"
	return x
}

func printedPart(x Tensor) Tensor {
	fmt.Println("value", x*2) // ERROR "a tensor is passed to fmt.Println"
	return x
}

func logged(x Tensor) Tensor {
	log.Printf("%v", x) // ERROR "a tensor is passed to log.Printf"
	return x
}

func formatted(x Tensor) string { return fmt.Sprint(x) } // ERROR "a tensor is passed to fmt.Sprint"

func comparedPrinted(x Tensor) Tensor {
	fmt.Println(x > 0) // ERROR "a tensor is passed to fmt.Println"
	return x
}

func panicked(x Tensor) Tensor {
	panic(x) // ERROR "a panic with a tensor"
}

func predicateAsStatic(key, x Tensor) Tensor {
	return random.Choice(key, x, 3, x.At(0) > 0, x) // ERROR "a predicate is not known while the graph is built"
}

func predicateToGo(x Tensor) Tensor {
	if x > 0 {
		return static(x > 1)
	}
	return x
}

func static(b bool) Tensor {
	return Tensor(number(b)) // ERROR "a predicate is not known while the graph is built, which number needs"
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func predicateField(x Tensor) Tensor {
	f := flags{positive: x > 0}
	return Tensor(f.count()) + x
}

type flags struct{ positive bool }

func (f flags) count() int { return number(f.positive) }

func chosen(key, x Tensor, replace bool) Tensor {
	return random.Choice(key, x, 3, replace, x) // ERROR "a predicate is not known while the graph is built"
}

func choose(key, x Tensor) Tensor { return chosen(key, x, Max(x) > 1) }

func solve(a Tensor) Tensor { return linalg.Inv(a) * (3 / 2) } // ERROR "3 / 2 to 1"
