package definition

// KindOf returns when a value is known.
func KindOf(x Expr) Kind {
	switch x := x.(type) {
	case *Ref:
		return x.Var.Kind
	case *Op:
		return x.Kind
	case *Lift:
		return Tensor
	case *Unary:
		return KindOf(x.X)
	case *Binary:
		if KindOf(x.X) == Predicate || KindOf(x.Y) == Predicate {
			return Predicate
		}
		return Static
	case *Call:
		if f := Callee(x); f != nil && len(f.Results) == 1 {
			return f.Results[0].Kind
		}
		return x.Kind
	case *Lambda:
		return Container
	case *Select:
		if x.Field != nil {
			return x.Field.Kind
		}
		return x.Kind
	case *Index:
		return x.Kind
	case *Part:
		return x.Kind
	case *Composite:
		return x.Kind
	case *Convert:
		if x.Kind == Static && KindOf(x.X) == Predicate {
			return Predicate
		}
		return x.Kind
	case *Builtin:
		return x.Kind
	case *Name:
		return x.Kind
	}
	return Static
}

// Callee returns the definition that a call is of, nil where the function is a value.
func Callee(c *Call) *Func {
	switch f := c.Fun.(type) {
	case *Name:
		return f.Func
	case *Select:
		return f.Func
	}
	return nil
}

// IsDynamic reports whether a value is known only when the graph runs.
func IsDynamic(x Expr) bool {
	k := KindOf(x)
	return k == Tensor || k == Predicate
}
