package definition

import (
	"go/constant"
	"go/token"
)

// operators are the functions of package nx that Go's operators on tensors are.
var operators = map[token.Token]string{
	token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Div",
	token.LSS: "Less", token.LEQ: "LessEqual", token.GTR: "Greater", token.GEQ: "GreaterEqual",
	token.EQL: "Equal", token.NEQ: "NotEqual",
}

// logical are those that Go's operators on predicates are.
var logical = map[token.Token]string{token.LAND: "LogicalAnd", token.LOR: "LogicalOr", token.EQL: "Equal",
	token.NEQ: "NotEqual"}

// Operator returns the op of an operator on tensors, nil where they have none.
func Operator(op token.Token, x, y Expr, n Node) *Op {
	name, ok := operators[op]
	if !ok {
		return nil
	}
	n.Kind = Tensor
	if IsComparison(op) {
		n.Kind = Predicate
	}
	return &Op{Node: n, Pkg: "nx", Func: name, Args: []Expr{x, y}, Roles: "oo"}
}

// Logical returns the function of package nx of an operator on predicates, "" where they have none.
func Logical(op token.Token) string { return logical[op] }

// IsComparison reports whether an operator compares.
func IsComparison(op token.Token) bool {
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		return true
	}
	return false
}

// Truncates returns the quotient of integer constants that Go would cut off, as text, "" where it is exact.
func Truncates(x, y constant.Value) string {
	x, y = constant.ToInt(x), constant.ToInt(y)
	if x.Kind() != constant.Int || y.Kind() != constant.Int || constant.Sign(y) == 0 ||
		constant.Sign(constant.BinaryOp(x, token.REM, y)) == 0 {
		return ""
	}
	return constant.BinaryOp(x, token.QUO_ASSIGN, y).ExactString()
}
