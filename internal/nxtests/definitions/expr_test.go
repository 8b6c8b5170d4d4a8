package definitions

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

func TestExpr(t *testing.T) {
	x, y := number(1.5), number(-2)
	for text, want := range map[string]float64{
		"x": 1.5, "-x**2": -2.25, "2*x**2*y": -9, "x**2**3": math.Pow(1.5, 8), "2**-1": 0.5,
		"2**-x**2": math.Pow(2, -2.25),
		"(x+1)**2": 6.25, "x/2 - y/4": 1.25, "x - y - 1": 2.5, "4/2*x": 3, "1.0/3*x": 0.5, "+x": 1.5,
		"exp(log(x))": 1.5, "Exp(0) + sqrt(4)": 3, "min(x, y, 3) + max(x, y)": -0.5, "where(x > 1 && y < 0, 1, 2)": 1,
		"where(!(x > 1) || y >= 0, 1, 2)": 2, "where(x == 1.5 && x != 2, 1, 0)": 1, "pi*x/pi": 1.5, "log(e)": 1,
		"sum(x) + mean(x)": 3, "norm": 7, "0.1 + 0.2 - 0.3": 0, "9007199254740993 - 9007199254740992 + 0*x": 1,
		"logaddexp(x, x)": 1.5 + math.Log(2), "x\n + 1": 2.5, "sigmoid(0)*x": 0.75, "abs(y)": 2, "pow(x, 2)": 2.25,
	} {
		got := nx.Expr(text, nx.Vars{"x": x, "y": y, "norm": 7, "k": 2})
		if d := nx.Item[float64](got) - want; math.Abs(d) > 1e-14*(1+math.Abs(want)) {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
	e := nx.Expr("e * x", nx.Vars{"x": 2, "e": 10})
	if nx.Item[int](e) != 20 {
		t.Errorf("a variable is hidden by a constant: %v", e)
	}
}

func TestExprGrad(t *testing.T) {
	f := nx.Jit(nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Expr("a*x**3 - log(x)", nx.Vars{"x": x, "a": 2}) }))
	same(t, f(nx.New([]float64{1, 2})), nx.New([]float64{5, 23.5}))
}

func TestExprVars(t *testing.T) {
	names, err := nx.ExprVars("0.5 * s**2 * t + log(x/k) + pi*s")
	if err != nil || !slices.Equal(names, []string{"s", "t", "x", "k"}) {
		t.Errorf("%v, %v", names, err)
	}
}

func TestExprErrors(t *testing.T) {
	for text, want := range map[string]string{
		"1/2*x":             `1:1: the quotient of the integer constants 1/2 is cut off to 0`,
		"x + ":              `1:5: expected operand, found 'EOF'`,
		"x ^ 2":             `1:1: formulas have no operator ^`,
		"foo(x)":            `1:1: there is no function foo`,
		"exp(x, x)":         `1:1: exp takes 1 argument, not 2`,
		"x.y":               `1:1: formulas have constants, names, operators and calls of functions`,
		"\"a\"":             `1:1: formulas have no string constants`,
		"x[0]":              `1:1: formulas have constants`,
		"func() {}":         `formulas have constants`,
		"x * *y":            `1:5: formulas have constants`,
		"x + z":             `z has no value`,
		"x\n+ q(x)":         `2:3: there is no function q`,
		"exp(x) + m":        `Add: `,
		"":                  `expected operand`,
		"1e999999*1e999999": `too large`,
		"_ + x":             `_ has no value`,
		"&x":                `formulas have no &`,
	} {
		var err error
		func() {
			defer nx.Catch(&err)
			nx.Expr(text, nx.Vars{"x": nx.New([]float64{1, 2}), "y": 2, "m": nx.New([]float64{1, 2, 3})})
		}()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
		var e *nx.Error
		if !errors.As(err, &e) || !strings.HasSuffix(e.File, "expr_test.go") {
			t.Errorf("%q: at %v", text, e)
		}
	}
	if _, err := nx.ExprVars("x +"); err == nil {
		t.Error("no error")
	}
	if _, err := nx.ExprVars(strings.Repeat("(", 1<<15) + "x" + strings.Repeat(")", 1<<15)); err == nil {
		t.Error("no error")
	}
	if _, err := nx.ExprVars(strings.Repeat("- ", 1<<14) + "x"); err != nil {
		t.Error(err)
	}
}

func FuzzExpr(f *testing.F) {
	for _, s := range []string{
		"-x**2", "1/2*x", "where(x > 0, x, min(x, 1, 2))", "exp(", "x**", "1e99999**2", "!x && y",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var err error
		defer nx.Catch(&err)
		nx.Expr(s, nx.Vars{"x": number(2), "y": 3})
	})
}
