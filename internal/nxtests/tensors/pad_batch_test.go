package tensors_test

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx"
)

func TestPadBatch(t *testing.T) {
	type batch struct {
		X, Y nx.Tensor
		Name string
	}
	b := batch{nx.Ones(nx.Shape{5, 2}, nx.F32), nx.New([]int{1, 2, 3, 4, 5}, nx.Names("row")), "a"}
	for _, c := range []struct {
		sizes []int
		want  int
	}{{[]int{8}, 8}, {[]int{16, 8, 4}, 8}, {[]int{5}, 5}} {
		p, n := nx.PadBatch(b, c.sizes...)
		if n != 5 || nx.AxisSize(p.X, 0) != c.want || nx.AxisSize(p.Y, "row") != c.want || p.Name != "a" {
			t.Errorf("%v: %d rows of %s, %s", c.sizes, n, p.X.Spec(), p.Y.Spec())
		}
		if got := nx.Data[int](p.Y.At(nx.To(n))); fmt.Sprint(got) != "[1 2 3 4 5]" {
			t.Errorf("the rows are %v", got)
		}
		if nx.Item[float32](nx.Sum(p.X)) != 10 {
			t.Error("the padding is not zero")
		}
	}
}
