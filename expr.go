package nx

import (
	"fmt"

	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/formula"
)

// Vars are the variables of a formula: tensors and Go numbers by their names.
type Vars map[string]any

// Expr evaluates a formula, for formulas that a program gets when it runs: from users, from files. It is an expression
// of numerical definitions (package defn), an expression of Go on tensors:
//
//	price := nx.Expr("0.5 * s**2 * t + log(x/k)", nx.Vars{"s": s, "t": t, "x": x, "k": 100})
//
// It has constants, which are exact until they meet a tensor; variables; the operators + - * /, == != < <= > >=,
// && || ! and ** for powers; min and max of two or more; and the functions of this package that take tensors only, in
// small letters: exp(x), where(x > 0, x, 0), sum(x). pi and e are those of mathematics unless a variable has the name.
// A formula is parsed once, however often it is evaluated, also in functions that are compiled or differentiated.
//
// Shapes: those of the functions, which broadcast. DTypes: those of the functions. Gradient: that of the functions.
// Accuracy: that of each function. Errors: [ErrArgument] for a formula that does not parse, with the
// place; for a variable without a value; for the quotient of integer constants that Go would cut off, such as 1/2.
func Expr(text string, vars Vars) Tensor {
	f := formula.Parse("Expr", text)
	return Tensor(formula.Eval(f, func(name string) (core.Tensor, bool) {
		v, ok := vars[name]
		if !ok {
			return core.Tensor{}, false
		}
		return variable(name, v), true
	}))
}

// variable returns the value of a variable as a tensor.
func variable(name string, v any) core.Tensor {
	switch v := v.(type) {
	case Tensor:
		return core.Tensor(v)
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64, complex64,
		complex128:
		return core.New(v)
	}
	panic(diag.New(core.ErrArgument, "Expr", "", "the variable %s must be a tensor or a number, not %s", name,
		fmt.Sprintf("%T", v)))
}

// ExprVars parses a formula and returns the names of its variables, in the order of their first use: what a program
// checks of a formula before it evaluates it with [Expr].
func ExprVars(text string) (names []string, err error) {
	defer Catch(&err)
	return formula.Names(formula.Parse("ExprVars", text)), nil
}
