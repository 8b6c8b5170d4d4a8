// Package newcomers has programs of users new to definitions.
package newcomers

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	. "github.com/go-nx/nx/defn"
)

func indexByTensor(list []float64, i Tensor) Tensor { return Tensor(list[int(i)]) } // ERROR "int of a tensor"

func sizeByTensor(n Tensor) Tensor { return Zeros(Shape{int(n)}, F32) } // ERROR "int of a tensor"

func rangeByTensor(x Tensor) Tensor {
	for i := range int(x) { // ERROR "int of a tensor"
		x += Tensor(i)
	}
	return x
}

func printed(x Tensor) string { return fmt.Sprintf("%v", x) } // ERROR "a tensor is passed to fmt.Sprintf, a function"

func stringOf(x Tensor) string { return strconv.FormatFloat(float64(x), 'g', -1, 64) } // ERROR "float64 of a tensor"

func logged(x Tensor) Tensor {
	fmt.Printf("x = %v\n", x) // ERROR "a tensor is passed to fmt.Printf, a function"
	return x
}

func half(x Tensor) Tensor { return x * (1 / 2) } // ERROR "Go divides the integer constants 1 / 2 to 0"

func third(x Tensor) Tensor { return Pow(x, 1/3) } // ERROR "Go divides the integer constants 1/3 to 0"

func failed(x Tensor) (Tensor, error) {
	if x < 0 {
		return 0, errors.New("negative") // ERROR "a result that is known while the graph is"
	}
	return Sqrt(x), nil
}

func counted(xs []Tensor) int {
	n := 0
	for _, x := range xs {
		if x > 0 {
			n++ // ERROR "n is known while the graph is built, and"
		}
	}
	return n
}

func filtered(xs []Tensor) []Tensor {
	var out []Tensor
	for _, x := range xs {
		if x > 0 {
			out = append(out, x) // ERROR "the length of out is known while the graph is"
		}
	}
	return out
}

func largest(xs []Tensor) int {
	best := 0
	for i := range xs {
		if xs[i] > xs[best] {
			best = i // ERROR "best is known while the graph is built, and"
		}
	}
	return best
}

func grade(x Tensor) string {
	if x > 0.5 {
		return "pass" // ERROR "a result that is known while the graph is"
	}
	return "fail"
}

func sorted(xs []Tensor) []Tensor {
	sort.Slice(xs, func(i, j int) bool { // ERROR "a tensor is passed to sort.Slice" "a predicate is not known"
		return xs[i] < xs[j]
	})
	return xs
}

func sorted2(xs []Tensor) []Tensor {
	slices.Sort(xs) // ERROR "slices.Sort, a function of Go, compares or"
	return xs
}

func maxOf(xs []Tensor) Tensor { return slices.Max(xs) } // ERROR "slices.Max, a function of Go, compares or"

func firstPositive(xs []Tensor) int {
	return slices.IndexFunc(xs, func(x Tensor) bool { // ERROR "a predicate is not known while the graph is"
		return x > 0
	})
}

func has(xs []Tensor, x Tensor) bool {
	return slices.Contains(xs, x) // ERROR "slices.Contains, a function of Go, compares"
}

func noise(x Tensor) Tensor {
	if rand.Float64() < float64(x) { // ERROR "float64 of a tensor"
		return 0
	}
	return x
}

func absolute(x Tensor) Tensor { return Tensor(math.Abs(float64(x))) } // ERROR "float64 of a tensor"

func isNaN(x Tensor) bool { return math.IsNaN(float64(x)) } // ERROR "float64 of a tensor"

func power(x Tensor) Tensor {
	y := Tensor(1)
	for x > 1 {
		x--
		y *= 2
		fmt.Println("step") // ERROR "fmt.Println is called once, while the graph"
	}
	return y
}

var cache = map[string]Tensor{} // ERROR "a variable of the package holds tensors:"

func cached(name string, x Tensor) Tensor {
	if y, ok := cache[name]; ok {
		return y
	}
	cache[name] = x * x // ERROR "an assignment to a variable outside of the"
	return x * x
}

var mu sync.Mutex

func locked(x Tensor) Tensor {
	mu.Lock()
	defer mu.Unlock() // ERROR "a definition defers no calls"
	return x * 2
}

var calls int

func counting(x Tensor) Tensor {
	calls++ // ERROR "an assignment to a variable outside of the"
	return x
}

func parallel(xs []Tensor) []Tensor {
	var wg sync.WaitGroup
	for i := range xs {
		wg.Add(1)
		go func() { // ERROR "a definition starts no goroutines"
			defer wg.Done()
			xs[i] *= 2
		}()
	}
	wg.Wait()
	return xs
}

func produced(xs []Tensor) Tensor {
	c := make(chan Tensor, len(xs)) // ERROR "definitions make no chan defn.Tensor"
	for _, x := range xs {
		c <- x // ERROR "a definition does not send to channels"
	}
	close(c) // ERROR "definitions do not call close"
	var s Tensor
	for x := range c { // ERROR "a definition does not range over chan"
		s += x
	}
	return s
}

func waited(a, b chan Tensor) Tensor {
	select { // ERROR "a definition has no select"
	case x := <-a:
		return x
	case y := <-b:
		return -y
	}
}

func swapped(a, b *Tensor) {
	*a, *b = *b, *a // ERROR "a pointer to tensors" "a pointer to tensors" "a pointer to tensors" "a pointer to tensors"
}

func doubled(x Tensor) Tensor {
	p := &x // ERROR "a pointer to tensors"
	*p *= 2 // ERROR "a pointer to tensors"
	return x
}

func described(v any) Tensor {
	switch v := v.(type) { // ERROR "a definition does not switch on types"
	case Tensor:
		return v
	case float64:
		return Tensor(v)
	}
	return 0
}

func asserted(v any) Tensor {
	if t, ok := v.(Tensor); ok { // ERROR "definitions do not have this form of"
		return t
	}
	return 0
}

func remainder(x Tensor) Tensor { return Tensor(int(x) % 2) } // ERROR "int of a tensor"

func bits(x Tensor) Tensor { return Tensor(int(x) & 1) } // ERROR "int of a tensor"

func repeated(x Tensor) string { return strings.Repeat("*", int(x)) } // ERROR "int of a tensor"

func ternary(x Tensor) Tensor {
	label := "small"
	if x > 10 {
		label = "large" // ERROR "label is known while the graph is built, and"
	}
	if label == "large" {
		return x / 2
	}
	return x
}

func tally(x Tensor) Tensor {
	var counter int
	add := func() { counter++ } // ERROR "a function literal assigns to counter, a"
	add()
	return x * Tensor(counter)
}

func accumulated(xs []Tensor) Tensor {
	var total Tensor
	each(xs, func(x Tensor) { total += x }) // ERROR "a function literal assigns to total, a"
	return total
}

func each(xs []Tensor, f func(Tensor)) {
	for _, x := range xs {
		f(x)
	}
}

func retried(x Tensor) Tensor {
retry:
	x = x / 2
	if x > 1 {
		goto retry // ERROR "a definition has no goto"
	}
	return x
}

func checked(x Tensor) Tensor {
	if x < 0 {
		panic(fmt.Sprint("negative: ", x)) // ERROR "a tensor is passed to fmt.Sprint, a function"
	}
	return x
}

func rescued(x Tensor) (y Tensor) {
	defer func() { // ERROR "a definition defers no calls"
		if recover() != nil {
			y = 0
		}
	}()
	return 1 / x
}

type Metres Tensor // ERROR "a type of its own for tensors: Metres"

type counts map[int]Tensor

func (h counts) Add(i int, x Tensor) { h[i] += x }

func lazily(x Tensor) func() Tensor {
	n := 0
	return func() Tensor {
		n++ // ERROR "a function literal assigns to n, a variable"
		return x * Tensor(n)
	}
}

func earlyNothing(x Tensor, show bool) {
	if x > 0 { // ERROR "a function without results returns under a"
		return
	}
	_ = x * 2
}

func shapes(x Tensor) Tensor {
	n := x.Shape()[0]
	if x.At(0) > 0 {
		n = 1 // ERROR "n is known while the graph is built, and"
	}
	return Reshape(x, n, -1)
}

func stepsValue(n Tensor) Tensor {
	var xs []Tensor
	for i := range slices.Values(slices.Collect(Steps(n))) { // ERROR "a definition does not range over"
		xs = append(xs, i)
	}
	return xs[0]
}

func nested(m map[string][]Tensor) Tensor { return m["a"][0] }

func eachKey(m map[string]float64, x Tensor) Tensor {
	for _, v := range m { // ERROR "a definition does not range over"
		x *= Tensor(v)
	}
	return x
}
