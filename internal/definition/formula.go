package definition

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// FormulaError is a formula that does not parse, or that has what formulas have not.
type FormulaError struct {
	Formula       string
	Offset, End   int // of the place, in bytes
	Message, Hint string
}

// Error returns the place as line and column, the message, and the line of the formula with the place underlined.
func (e *FormulaError) Error() string {
	line, column, text := 1, e.Offset+1, e.Formula
	if i := strings.LastIndexByte(e.Formula[:e.Offset], '\n'); i >= 0 {
		line, column = 1+strings.Count(e.Formula[:e.Offset], "\n"), e.Offset-i
		text = e.Formula[i+1:]
	}
	text, _, _ = strings.Cut(text, "\n")
	const shown = 100 // bytes of a longer line
	at := column
	if len(text) > shown {
		from := max(0, min(column-1-shown/2, len(text)-shown))
		text, at = text[from:from+shown], column-from
	}
	var mark strings.Builder
	for i, r := range text {
		switch {
		case i >= at-1 && (i == at-1 || i < at-1+e.End-e.Offset):
			mark.WriteByte('^')
		case i < at-1 && r == '\t':
			mark.WriteByte('\t')
		case i < at-1:
			mark.WriteByte(' ')
		}
	}
	if mark.Len() < at {
		mark.WriteByte('^')
	}
	return fmt.Sprintf("%d:%d: %s\n\t%s\n\t%s", line, column, e.Message, text, mark.String())
}

// Formula is a parsed formula.
type Formula struct {
	Text string
	X    Expr
	Vars []*Var // in the order of their first use
}

// maxFormula bounds the length of a formula, and so the depth of its tree.
const maxFormula = 1 << 16

// ParseFormula parses an expression of Go on tensors, with ** for powers, which binds tighter than a sign before it and
// goes from right to left as in Python. functions reports which functions there are: their numbers of arguments, the
// largest of which is negative for any number. Names are those of package nx, in small or capital letters.
func ParseFormula(text string, functions func(name string) (full string, least, most int)) (f *Formula, err error) {
	p := &formulaParser{f: &Formula{Text: text}, vars: map[string]*Var{}, functions: functions}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *FormulaError:
			f, err = nil, r
		default:
			panic(r)
		}
	}()
	if len(text) > maxFormula {
		p.fail(0, 1, "", "the formula has %d bytes, and at most %d are allowed", len(text), maxFormula)
	}
	fset := token.NewFileSet()
	x, err := parser.ParseExprFrom(fset, "", strings.NewReplacer("\n", " ", "\r", " ").Replace(text), 0)
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		p.fail(min(list[0].Pos.Offset, len(text)), 0, "", "%s", list[0].Msg)
	} else if err != nil {
		p.fail(0, 0, "", "%s", err)
	}
	p.base = fset.File(x.Pos()).Base()
	p.f.X = p.lift(p.expr(powers(x)))
	return p.f, nil
}

type formulaParser struct {
	f         *Formula
	vars      map[string]*Var
	base      int
	functions func(string) (string, int, int)
}

func (p *formulaParser) fail(offset, end int, hint, format string, args ...any) {
	panic(&FormulaError{Formula: p.f.Text, Offset: offset, End: max(end, offset+1),
		Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (p *formulaParser) refuse(n ast.Node, hint, format string, args ...any) {
	p.fail(int(n.Pos())-p.base, int(n.End())-p.base, hint, format, args...)
}

// power is x ** y in the tree that powers makes.
type power struct {
	*ast.BinaryExpr
}

// powers gives ** its precedence. The parser of Go reads x ** y as x times what y points to.
func powers(x ast.Expr) ast.Expr {
	switch x := x.(type) {
	case *ast.ParenExpr:
		x.X = powers(x.X)
	case *ast.UnaryExpr:
		x.X = powers(x.X)
	case *ast.CallExpr:
		for i, a := range x.Args {
			x.Args[i] = powers(a)
		}
	case *ast.BinaryExpr:
		if s, ok := x.Y.(*ast.StarExpr); ok && x.Op == token.MUL && s.Star == x.OpPos+1 {
			return raise(powers(x.X), powers(s.X), x.OpPos)
		}
		x.X, x.Y = powers(x.X), powers(x.Y)
	}
	return x
}

// raise returns x ** y, where x may be a product or have a sign, of which the last factor is raised.
func raise(x, y ast.Expr, pos token.Pos) ast.Expr {
	switch x := x.(type) {
	case *ast.UnaryExpr:
		return &ast.UnaryExpr{OpPos: x.OpPos, Op: x.Op, X: raise(x.X, y, pos)}
	case power:
		return power{&ast.BinaryExpr{X: x.X, OpPos: x.OpPos, Op: token.MUL, Y: raise(x.Y, y, pos)}}
	case *ast.BinaryExpr:
		return &ast.BinaryExpr{X: x.X, OpPos: x.OpPos, Op: x.Op, Y: raise(x.Y, y, pos)}
	}
	return power{&ast.BinaryExpr{X: x, OpPos: pos, Op: token.MUL, Y: y}}
}

// lift makes a tensor of a constant.
func (p *formulaParser) lift(x Expr) Expr {
	if l, ok := x.(*Lit); ok {
		k := Tensor
		if l.Value.Kind() == constant.Bool {
			k = Predicate
		}
		return &Lift{Node: Node{Pos: l.Pos, Kind: k}, X: l}
	}
	return x
}

func (p *formulaParser) expr(e ast.Expr) Expr {
	n := Node{Pos: e.Pos(), Kind: Tensor}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.expr(e.X)
	case *ast.BasicLit:
		v := constant.MakeFromLiteral(e.Value, e.Kind, 0)
		if v.Kind() != constant.Int && v.Kind() != constant.Float {
			p.refuse(e, "", "formulas have no %s", strings.ToLower(e.Kind.String())+" constants")
		}
		return &Lit{Node: n, Value: v, Text: e.Value}
	case *ast.Ident:
		return p.ident(e)
	case *ast.UnaryExpr:
		return p.unary(e)
	case power:
		x, y := p.expr(e.X), p.expr(e.Y)
		a, isA := x.(*Lit)
		if b, isB := y.(*Lit); isA && isB && b.Value.Kind() != constant.Bool && constant.Sign(b.Value) < 0 {
			x = &Lit{Node: a.Node, Value: constant.ToFloat(a.Value), Float: true} // 2**-1 is 0.5
		}
		return &Op{Node: n, Pkg: "nx", Func: "Pow", Args: []Expr{p.lift(x), p.lift(y)}, Roles: "oo"}
	case *ast.BinaryExpr:
		return p.binary(e)
	case *ast.CallExpr:
		return p.call(e)
	}
	p.refuse(e, "", "formulas have constants, names, operators and calls of functions")
	return nil
}

// constants are the names that formulas have without variables.
var constants = map[string]string{
	"pi": "3.14159265358979323846264338327950288419716939937510582097494459",
	"e":  "2.71828182845904523536028747135266249775724709369995957496696763",
}

func (p *formulaParser) ident(e *ast.Ident) Expr {
	n := Node{Pos: e.Pos(), Kind: Tensor}
	switch e.Name {
	case "true", "false":
		return &Lit{Node: n, Value: constant.MakeBool(e.Name == "true")}
	case "_":
		p.refuse(e, "", "_ has no value")
	}
	v := p.vars[e.Name]
	if v == nil {
		v = &Var{Name: e.Name, Kind: Tensor, Pos: e.Pos()}
		p.vars[e.Name] = v
		p.f.Vars = append(p.f.Vars, v)
	}
	return &Ref{Node: n, Var: v}
}

// Constant returns the value of a name that is not a variable.
func Constant(name string) (constant.Value, bool) {
	s, ok := constants[name]
	if !ok {
		return nil, false
	}
	return constant.MakeFromLiteral(s, token.FLOAT, 0), true
}

func (p *formulaParser) unary(e *ast.UnaryExpr) Expr {
	n := Node{Pos: e.Pos(), Kind: Tensor}
	x := p.expr(e.X)
	l, isConst := x.(*Lit)
	switch {
	case e.Op == token.NOT:
		return &Op{Node: Node{Pos: e.Pos(), Kind: Predicate}, Pkg: "nx", Func: "LogicalNot", Args: []Expr{p.lift(x)},
			Roles: "t"}
	case e.Op != token.ADD && e.Op != token.SUB:
		p.refuse(e, "", "formulas have no %s before an operand", e.Op)
	case isConst && l.Value.Kind() != constant.Bool:
		return &Lit{Node: n, Value: constant.UnaryOp(e.Op, l.Value, 0)}
	case e.Op == token.ADD:
		return x
	}
	return &Op{Node: n, Pkg: "nx", Func: "Neg", Args: []Expr{p.lift(x)}, Roles: "t"}
}

func (p *formulaParser) binary(e *ast.BinaryExpr) Expr {
	n := Node{Pos: e.OpPos, Kind: Tensor}
	x, y := p.expr(e.X), p.expr(e.Y)
	a, isA := x.(*Lit)
	b, isB := y.(*Lit)
	if isA && isB && !IsComparison(e.Op) && Operator(e.Op, x, y, n) != nil && a.Value.Kind() != constant.Bool &&
		b.Value.Kind() != constant.Bool {
		return p.fold(e, a, b)
	}
	if name := Logical(e.Op); name != "" && !IsComparison(e.Op) {
		n.Kind = Predicate
		return &Op{Node: n, Pkg: "nx", Func: name, Args: []Expr{p.lift(x), p.lift(y)}, Roles: "oo"}
	}
	o := Operator(e.Op, p.lift(x), p.lift(y), n)
	if o == nil {
		hint := ""
		if e.Op == token.XOR {
			hint = "a power is x ** y"
		}
		p.refuse(e, hint, "formulas have no operator %s", e.Op)
	}
	return o
}

// fold computes with constants, exactly.
func (p *formulaParser) fold(e *ast.BinaryExpr, a, b *Lit) Expr {
	op := e.Op
	if op == token.QUO {
		if constant.Sign(b.Value) == 0 {
			return &Op{Node: Node{Pos: e.OpPos, Kind: Tensor}, Pkg: "nx", Func: "Div", Roles: "oo",
				Args: []Expr{p.lift(a), p.lift(b)}}
		}
		if a.Value.Kind() == constant.Int && b.Value.Kind() == constant.Int {
			if q := Truncates(a.Value, b.Value); q != "" {
				text := p.f.Text[int(e.X.Pos())-p.base : int(e.End())-p.base]
				p.refuse(e, "write a constant with a point: 1.0/2",
					"the quotient of the integer constants %s is cut off to %s", text, q)
			}
			op = token.QUO_ASSIGN // of integers
		}
	}
	v := constant.BinaryOp(a.Value, op, b.Value)
	if v.Kind() == constant.Unknown {
		p.refuse(e, "", "the constant is too large")
	}
	return &Lit{Node: Node{Pos: e.Pos(), Kind: Tensor}, Value: v}
}

func (p *formulaParser) call(e *ast.CallExpr) Expr {
	id, ok := e.Fun.(*ast.Ident)
	if !ok {
		p.refuse(e.Fun, "", "formulas call functions by their names")
	}
	if e.Ellipsis.IsValid() {
		p.refuse(e, "", "formulas have no slices")
	}
	var args []Expr
	for _, a := range e.Args {
		args = append(args, p.lift(p.expr(a)))
	}
	n := Node{Pos: e.Pos(), Kind: Tensor}
	if (id.Name == "min" || id.Name == "max") && len(args) > 1 {
		name := map[string]string{"min": "Minimum", "max": "Maximum"}[id.Name]
		x := args[0]
		for _, y := range args[1:] {
			x = &Op{Node: n, Pkg: "nx", Func: name, Args: []Expr{x, y}, Roles: "oo"}
		}
		return x
	}
	full, least, most := p.functions(id.Name)
	switch {
	case full == "":
		p.refuse(id, "functions are those of package nx that take tensors only: exp, log, where, sum, …",
			"there is no function %s", id.Name)
	case len(args) < least || most >= 0 && len(args) > most:
		p.refuse(e, "", "%s takes %s, not %d", id.Name, arguments(least, most), len(args))
	}
	return &Op{Node: n, Pkg: "nx", Func: full, Args: args}
}

func arguments(least, most int) string {
	switch {
	case most < 0:
		return fmt.Sprintf("%d or more arguments", least)
	case least == most && least == 1:
		return "1 argument"
	case least == most:
		return fmt.Sprintf("%d arguments", least)
	}
	return fmt.Sprintf("%d to %d arguments", least, most)
}
