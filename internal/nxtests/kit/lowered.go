package kit

import (
	"testing"

	"github.com/go-nx/nx"
)

// Second returns its second argument: the second result of a call.
func Second[A, B any](_ A, b B) B { return b }

// Lowered returns the text of the program that a function is compiled to for an argument.
func Lowered(t *testing.T, f func(nx.Tensor) nx.Tensor, x nx.Tensor) string {
	t.Helper()
	e, err := nx.Compile(f, nx.Args(x))
	if err != nil {
		t.Fatal(err)
	}
	return e.Text()
}
