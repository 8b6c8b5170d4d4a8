package translate

import "github.com/go-nx/nx/internal/definition"

// checkRecursion reports definitions that call themselves whatever is known while the graph is built. Both branches of
// a predicate are built, so that only a static condition ends a recursion.
func (u *unit) checkRecursion() {
	calls := map[*definition.Func][]certainCall{}
	for _, f := range u.all {
		w := &certainCalls{}
		w.list(f.Body)
		calls[f] = w.calls
	}
	for _, f := range u.all {
		seen := map[*definition.Func]bool{}
		var reaches func(g *definition.Func) bool
		reaches = func(g *definition.Func) bool {
			if g == f || seen[g] {
				return g == f
			}
			seen[g] = true
			for _, c := range calls[g] {
				if reaches(c.callee) {
					return true
				}
			}
			return false
		}
		for _, c := range calls[f] {
			if reaches(c.callee) {
				u.report(c.At(), 0, "recursion",
					"write a loop: for x > 0 { … }, or end the recursion by a static value, such as an int",
					"%s calls itself without end while the graph is built, where both branches of a predicate are built",
					f.Name)
				break
			}
		}
	}
}

// certainCall is a call that is made whatever static values are.
type certainCall struct {
	*definition.Call
	callee *definition.Func
}

// certainCalls collects the calls of a function that no static condition avoids.
type certainCalls struct{ calls []certainCall }

// list collects those of a list, and reports whether what follows the list is certain too.
func (w *certainCalls) list(list []definition.Stmt) bool {
	for _, s := range list {
		for _, x := range definition.Exprs(s) {
			w.expr(x)
		}
		if definition.IsDynamicStmt(s) {
			certain := true
			for _, l := range definition.Lists(s) {
				certain = w.list(l) && certain
			}
			if !certain {
				return false
			}
			continue
		}
		switch s := s.(type) {
		case *definition.Block:
			if !w.list(s.Body) {
				return false
			}
		case *definition.Return:
			return true // of one path; others may go on
		case *definition.Jump, *definition.Fail:
			return false
		default:
			if mayEnd(definition.Lists(s)) {
				return false
			}
		}
	}
	return true
}

// mayEnd reports whether lists that static values choose return, jump or panic.
func mayEnd(lists [][]definition.Stmt) bool {
	ends := false
	for _, l := range lists {
		definition.Each(l, func(s definition.Stmt) {
			switch s.(type) {
			case *definition.Return, *definition.Jump, *definition.Fail:
				ends = true
			}
		})
	}
	return ends
}

func (w *certainCalls) expr(x definition.Expr) {
	if b, ok := x.(*definition.Binary); ok { // && and || may skip their right sides
		w.expr(b.X)
		return
	}
	if c, ok := x.(*definition.Call); ok {
		if f := definition.Callee(c); f != nil && !f.External {
			w.calls = append(w.calls, certainCall{c, f})
		}
	}
	for _, p := range definition.Parts(x) {
		w.expr(p)
	}
}
