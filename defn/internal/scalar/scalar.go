// Package scalar runs functions of package nx on single numbers, for definitions that run as Go functions.
package scalar

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/go-nx/nx"
)

// In returns a number as a tensor.
func In[T ~float64](t T) nx.Tensor { return nx.New(float64(t)) }

// Ins returns numbers as tensors.
func Ins[T ~float64](ts []T) []nx.Tensor {
	out := make([]nx.Tensor, len(ts))
	for i, t := range ts {
		out[i] = In(t)
	}
	return out
}

// Bool returns a predicate as a tensor.
func Bool(p bool) nx.Tensor { return nx.New(p) }

// Value returns a number or a predicate as a tensor.
func Value[T ~float64 | ~bool](v T) nx.Tensor {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Bool {
		return nx.New(r.Bool())
	}
	return nx.New(reflect.ValueOf(v).Float())
}

// Out returns the number that a function of package nx gives. It panics where the result is not one, or where the
// function needs a tensor with axes.
func Out[T ~float64](name string, f func() nx.Tensor) T {
	return T(nx.Item[float64](single(name, f)))
}

// Predicate is [Out] of a function that compares.
func Predicate(name string, f func() nx.Tensor) bool {
	return nx.Item[bool](single(name, f))
}

// single returns the result of f, which has one element.
func single(name string, f func() nx.Tensor) (t nx.Tensor) {
	var err error
	func() {
		defer nx.Catch(&err)
		t = f()
	}()
	if err != nil {
		panic(fmt.Errorf("%w; on a single number: %w", Untranslated(name), err))
	}
	if t.Rank() != 0 {
		panic(fmt.Errorf("%w; on a single number its result is %v", Untranslated(name), t.Spec()))
	}
	return t
}

// Untranslated is the error of a function that works on tensors only.
func Untranslated(name string) error {
	return errors.New("defn: " + name + " works on tensors, not on single numbers: run go tool defn in the folder of " +
		"the definition, and call the function that it writes")
}
