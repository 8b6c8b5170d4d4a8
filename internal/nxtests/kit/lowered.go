package kit

import (
	"testing"

	"github.com/go-nx/nx"
)

func Second[A, B any](_ A, b B) B { return b }

func Lowered(t *testing.T, f func(nx.Tensor) nx.Tensor, x nx.Tensor) string {
	t.Helper()
	e, err := nx.Compile(f, x)
	if err != nil {
		t.Fatal(err)
	}
	return e.Text()
}
