package linalg_test

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// TestTryTellsCondition: errors for singular and for nearly singular matrices tell the condition number in the 1-norm
// to a factor of 3, in all types and beside others; those of matrices that are less so are none.
func TestTryTellsCondition(t *testing.T) {
	number := regexp.MustCompile(`about (\S+?)\n`)
	told := func(err error) float64 {
		m := number.FindStringSubmatch(fmt.Sprint(err) + "\n")
		if m == nil {
			t.Fatalf("the error tells no condition number: %v", err)
		}
		c, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, d := range types {
		for _, n := range []int{1, 2, 7} {
			q, _ := linalg.QR(random(1, d, n, n))
			p, _ := linalg.QR(random(2, d, n, n))
			for _, c := range []float64{10, 0.01 / eps(d), 40 / eps(d)} {
				if n == 1 {
					continue
				}
				s := nx.Pow(1/c, nx.Div(nx.Iota(nx.Shape{n}, nx.F64), float64(n-1)))
				a := nx.Dot(nx.Mul(q, nx.Cast(s, d)), p)
				_, err := linalg.TrySolve(a, nx.Ones(nx.Shape{n}, d))
				_, err2 := linalg.TryInv(a)
				if c < 1/eps(d) {
					if err != nil || err2 != nil {
						t.Errorf("%s, condition %.2g: %v, %v", d, c, err, err2)
					}
					continue
				}
				if !errors.Is(err, nx.ErrValue) || !errors.Is(err2, nx.ErrValue) {
					t.Errorf("%s, condition %.2g: %v, %v", d, c, err, err2)
					continue
				}
				want := nx.Item[float64](nx.Cast(linalg.Cond(a, linalg.MaxColumnSum), nx.F64))
				if got := told(err); !(got <= 1.1*want && got >= want/3) || got != told(err2) {
					t.Errorf("%s, %d: the condition number is %.3g, %.3g, not %.3g", d, n, got, told(err2), want)
				}
			}
			_, err := linalg.TryInv(nx.Stack([]nx.Tensor{nx.Eye(nx.Shape{n, n}, d), nx.Zeros(nx.Shape{n, n}, d)}))
			if !math.IsInf(told(err), 1) {
				t.Errorf("%s: the condition number of 0 is %v", d, err)
			}
		}
	}
	a := nx.New([][]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}) // of rank 2; the elimination rounds
	if _, err := linalg.TryInv(a); err == nil || told(err) < 1e16 {
		t.Error(err)
	}
	if _, err := linalg.TrySolve(nx.Zeros(nx.Shape{0, 0}, nx.F64), nx.Zeros(nx.Shape{0}, nx.F64)); err != nil {
		t.Error(err)
	}
}
