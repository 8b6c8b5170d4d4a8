// Package nxtest compares tensors in tests, with differences a person can read, and
// derivatives with difference quotients.
//
//	nxtest.AssertAllClose(t, got, want, nx.Tolerance(1e-6, 0))
//	nxtest.AssertGradient(t, loss, params, nxtest.SecondOrder)
package nxtest

import (
	"fmt"
	"math/cmplx"
	"strings"

	"github.com/go-nx/nx"
)

// TB is what of testing.TB the assertions use.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// shown is the number of differing elements that are listed.
const shown = 10

// AssertEqual reports a test as failed unless two tensors have the same type, shape, names
// and vectorised axes, and equal elements: NaN is equal to NaN. It returns whether they
// have.
func AssertEqual(tb TB, got, want nx.Tensor) bool {
	tb.Helper()
	return assert(tb, "equal", got, want, func(got, want nx.Tensor) nx.Tensor {
		return nx.LogicalOr(nx.Equal(got, want), nx.LogicalAnd(nx.IsNaN(got), nx.IsNaN(want)))
	})
}

// AssertAllClose reports a test as failed unless two tensors have the same type, shape, names and vectorised
// axes, and elements that are close, as by [nx.IsClose] with these options. It returns whether the check
// passed.
func AssertAllClose(tb TB, got, want nx.Tensor, opts ...nx.CloseOption) bool {
	tb.Helper()
	return assert(tb, "close", got, want, func(got, want nx.Tensor) nx.Tensor { return nx.IsClose(got, want, opts...) })
}

func assert(tb TB, what string, got, want nx.Tensor, same func(got, want nx.Tensor) nx.Tensor) bool {
	tb.Helper()
	var text string
	err := func() (err error) {
		defer nx.Catch(&err)
		text = difference(what, got, want, same)
		return nil
	}()
	if err != nil {
		text = err.Error()
	}
	if text != "" {
		tb.Errorf("%s", text)
	}
	return text == ""
}

// difference reports how two tensors differ; "" when they do not.
func difference(what string, got, want nx.Tensor, same func(got, want nx.Tensor) nx.Tensor) string {
	if got.IsZero() || want.IsZero() {
		if got.IsZero() && want.IsZero() {
			return ""
		}
		return fmt.Sprintf("got %v, want %v", kind(got), kind(want))
	}
	if g, w := got.Spec(), want.Spec(); !g.Equal(w) {
		return fmt.Sprintf("the tensor is %s, want %s\ngot\n%v\nwant\n%v", g, w, got, want)
	}
	got, want = nx.Devectorize(got), nx.Devectorize(want)
	equal := nx.Data[bool](same(got, want))
	g, w := nx.Data[complex128](got), nx.Data[complex128](want)
	var b strings.Builder
	differ, listed, most := 0, 0, 0.0
	for i, ok := range equal {
		if ok {
			continue
		}
		differ++
		most = max(most, cmplx.Abs(g[i]-w[i]))
		if listed < shown {
			listed++
			fmt.Fprintf(&b, "\n  at %v got %s, want %s", position(i, want.Shape()), element(got, i), element(want, i))
		}
	}
	if differ == 0 {
		return ""
	}
	if differ > listed {
		fmt.Fprintf(&b, "\n  and %d more", differ-listed)
	}
	return fmt.Sprintf("%d of %d elements of %s are not %s, the largest difference is %.4g%s", differ, len(equal),
		want.Spec(), what, most, b.String())
}

func kind(t nx.Tensor) string {
	if t.IsZero() {
		return "no tensor"
	}
	return t.Spec().String()
}

// position returns the index of the i-th element in row-major order.
func position(i int, s nx.Shape) []int {
	at := make([]int, len(s))
	for k := len(s) - 1; k >= 0; k-- {
		at[k], i = i%s[k], i/s[k]
	}
	return at
}

// element returns the i-th element as it prints.
func element(t nx.Tensor, i int) string {
	_, text, _ := strings.Cut(fmt.Sprint(nx.Flatten(t).At(i)), " ")
	return text
}
