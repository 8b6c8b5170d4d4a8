package simplify

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Flatten removes ops and values that only order or group others: tokens, tuples and the futures of
// async ops. Effects keep their order without tokens. Tuples that reach the results of f or of an
// op that does not create them stay.
func Flatten(f stablehlo.Func, checkCancel ...CheckCancel) {
	l := &flattener{values: Renames{}, groups: map[*stablehlo.Value][]*stablehlo.Value{},
		checkCancel: checkCancelOf(checkCancel)}
	l.block(f.Body())
	t := f.Type()
	f.SetAttr("function_type",
		stablehlo.TypeAttr{Type: &stablehlo.FuncType{Ins: withoutTokens(t.Ins), Outs: withoutTokens(t.Outs)}})
}

func withoutTokens(types []stablehlo.Type) []stablehlo.Type {
	var out []stablehlo.Type
	for _, t := range types {
		if _, ok := t.(stablehlo.TokenType); !ok {
			out = append(out, t)
		}
	}
	return out
}

func isToken(v *stablehlo.Value) bool {
	_, ok := v.Type().(stablehlo.TokenType)
	return ok
}

type flattener struct {
	values      Renames                                 // the replacements of elements of groups
	groups      map[*stablehlo.Value][]*stablehlo.Value // the elements of tuples and futures
	checkCancel CheckCancel
}

func (l *flattener) block(b *stablehlo.Block) {
	e := emit.To(b)
	for _, op := range e.Take() {
		l.checkCancel()
		l.values.Operands(op)
		l.op(e, op)
	}
	b.DropArgs(isToken)
}

func (l *flattener) op(e emit.Emitter, op *stablehlo.Op) {
	switch op.Code {
	case stablehlo.OpAfterAll, stablehlo.OpCreateToken:
		return
	case stablehlo.OpTuple:
		l.groups[op.Result()] = op.Operands
		e.Append(op) // dead unless it escapes
		return
	case stablehlo.OpGetTupleElement:
		if g := l.groups[op.Operands[0]]; g != nil {
			l.replace(op.Result(), g[op.Int("index", 0)])
			return
		}
	case stablehlo.OpAsyncStart:
		inner := op.Regions[0].Block()
		l.block(inner)
		l.groups[op.Result()] = e.Inline(inner, op.Operands...)
		return
	case stablehlo.OpAsyncDone:
		if g := l.groups[op.Operands[0]]; g != nil {
			for i, r := range op.Results {
				l.replace(r, g[i])
			}
			return
		}
	}
	dropTokens(op)
	e.Append(op)
	for _, r := range op.Regions {
		l.block(r.Block())
	}
}

// replace replaces old by v, which may be a group.
func (l *flattener) replace(old, v *stablehlo.Value) {
	l.values[old] = v
	if g := l.groups[v]; g != nil {
		l.groups[old] = g
	}
}

// dropTokens removes the token operands and results of an op.
func dropTokens(op *stablehlo.Op) {
	var in []*stablehlo.Value
	for _, v := range op.Operands {
		if !isToken(v) {
			in = append(in, v)
		}
	}
	if len(in) < len(op.Operands) {
		op.Operands = in
	}
	op.DropResults(isToken)
}
