package translate

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/go-nx/nx/internal/definition"
)

// Translate returns the Go source of the functions of a package of definitions. The error is an [Errors] where the
// package does what a graph cannot.
func Translate(p *Package, t Target) ([]byte, error) {
	u := newUnit(p)
	if len(u.order) == 0 && len(u.errors) == 0 {
		return nil, fmt.Errorf("%s: %w", p.Path, errNoDefinitions)
	}
	u.lower()
	if len(u.errors) > 0 {
		return nil, u.errors.sorted()
	}
	text, err := u.emit(t)
	if len(u.errors) > 0 {
		return nil, u.errors.sorted()
	}
	return text, err
}

// lower finds the predicates, and replaces the control flow by them.
func (u *unit) lower() {
	u.infer()
	u.check()
	u.checkRecursion()
	early := slices.Clone(u.errors)
	for _, f := range u.all {
		if slices.ContainsFunc(early, func(d Diagnostic) bool { return u.isIn(d, f) }) {
			continue // what is missing there would be reported again
		}
		for _, p := range definition.Lower(f, types.Typ[types.Bool]) {
			u.report(p.Pos, 0, p.Code, p.Hint, "%s", p.Message)
		}
	}
}

// isIn reports whether a diagnostic is in a function.
func (u *unit) isIn(d Diagnostic, f *definition.Func) bool {
	from, to := u.fset.Position(f.Pos), u.fset.Position(f.End)
	return d.Position.Filename == from.Filename && d.Position.Offset >= from.Offset && d.Position.Offset <= to.Offset
}

// Check returns the errors of a package of definitions.
func Check(p *Package) Errors {
	u := newUnit(p)
	u.lower()
	return u.errors.sorted()
}
