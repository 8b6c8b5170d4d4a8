// Package formula evaluates formulas that a program gets when it runs: expressions of numerical definitions.
package formula

import (
	"errors"
	"fmt"
	"go/constant"
	"math"
	"strings"
	"sync"

	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/definition"
)

// parsed keeps the formulas used last, or rather those since it was full.
var parsed struct {
	sync.Mutex
	formulas map[string]*definition.Formula
}

const maxParsed = 256

// Parse parses a formula. It panics with an error of op.
func Parse(op, text string) *definition.Formula {
	parsed.Lock()
	f := parsed.formulas[text]
	parsed.Unlock()
	if f != nil {
		return f
	}
	f, err := definition.ParseFormula(text, func(name string) (string, int, int) {
		full, n := function(strings.ToLower(name))
		return full, n, n
	})
	if err != nil {
		hint := ""
		var e *definition.FormulaError
		if errors.As(err, &e) {
			hint = e.Hint
		}
		panic(diag.New(core.ErrArgument, op, hint, "%s", err))
	}
	parsed.Lock()
	defer parsed.Unlock()
	if parsed.formulas == nil || len(parsed.formulas) >= maxParsed {
		parsed.formulas = map[string]*definition.Formula{}
	}
	parsed.formulas[text] = f
	return f
}

// Names returns the variables of a formula, in the order of their first use.
func Names(f *definition.Formula) []string {
	names := []string{}
	for _, v := range f.Vars {
		if _, isConstant := definition.Constant(v.Name); !isConstant {
			names = append(names, v.Name)
		}
	}
	return names
}

// Eval evaluates a formula.
func Eval(f *definition.Formula, value func(name string) (core.Tensor, bool)) core.Tensor {
	e := &evaluator{f: f, vars: map[*definition.Var]core.Tensor{}}
	for _, v := range f.Vars {
		t, ok := value(v.Name)
		if c, isConstant := definition.Constant(v.Name); !ok && isConstant {
			t, ok = number(c), true
		}
		if !ok {
			panic(diag.New(core.ErrArgument, "Expr", "add it to the variables", "%s has no value, in %q", v.Name,
				f.Text))
		}
		e.vars[v] = t
	}
	return e.eval(f.X)
}

type evaluator struct {
	f    *definition.Formula
	vars map[*definition.Var]core.Tensor
}

func (e *evaluator) eval(x definition.Expr) core.Tensor {
	switch x := x.(type) {
	case *definition.Ref:
		return e.vars[x.Var]
	case *definition.Lift:
		l := x.X.(*definition.Lit)
		if l.Float {
			f, _ := constant.Float64Val(l.Value)
			return core.New(f)
		}
		return number(l.Value)
	case *definition.Op:
		args := make([]core.Tensor, len(x.Args))
		for i, a := range x.Args {
			args[i] = e.eval(a)
		}
		return e.apply(x, args)
	}
	panic(fmt.Sprintf("formula: %T", x)) // ParseFormula makes no others
}

// apply calls a function; its errors say where in the formula it is.
func (e *evaluator) apply(x *definition.Op, args []core.Tensor) core.Tensor {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if d, ok := r.(*diag.Error); ok && !strings.Contains(d.Detail, "in the formula") {
			c := *d
			c.Detail += fmt.Sprintf(", at column %d in the formula %q", e.column(x), e.f.Text)
			panic(&c)
		}
		panic(r)
	}()
	return apply(x.Func, args)
}

// column returns the place of an expression, from 1; the file set of a formula has its first byte at 1.
func (e *evaluator) column(x definition.Expr) int { return int(x.At()) }

// number returns a constant as a weak scalar, as exact as its type.
func number(v constant.Value) core.Tensor {
	switch v.Kind() {
	case constant.Bool:
		return core.New(constant.BoolVal(v))
	case constant.Int:
		if i, ok := constant.Int64Val(v); ok {
			return core.New(int(i))
		}
		if u, ok := constant.Uint64Val(v); ok {
			return core.New(u)
		}
	}
	f, _ := constant.Float64Val(constant.ToFloat(v))
	if math.IsInf(f, 0) {
		panic(diag.New(core.ErrValue, "Expr", "", "the constant %s is too large", v))
	}
	return core.New(f)
}
