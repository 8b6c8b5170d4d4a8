package simplify

import "github.com/go-nx/nx/stablehlo"

// Flatten removes what only orders and groups values: tokens, tuples and the
// futures of async ops. Effects keep their order without tokens; tuples that
// reach the results of f or of an op that does not make them stay.
func Flatten(f stablehlo.Func, pause ...Pause) {
	flattenBlock(f.Body(), pauseOf(pause))
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

func flattenBlock(b *stablehlo.Block, pause Pause) {
	w := &writer{values: Renames{}}
	groups := map[*stablehlo.Value][]*stablehlo.Value{} // what tuples and futures hold
	for _, op := range b.Ops {
		pause()
		w.rename(op)
		switch op.Code {
		case stablehlo.OpAfterAll, stablehlo.OpCreateToken:
			continue
		case stablehlo.OpTuple:
			groups[op.Result()] = op.Operands
			w.ops = append(w.ops, op) // dead unless it escapes
			continue
		case stablehlo.OpGetTupleElement:
			if g := groups[op.Operands[0]]; g != nil {
				w.replace(op.Result(), g[op.Int("index", 0)], groups)
				continue
			}
		case stablehlo.OpAsyncStart:
			inner := op.Regions[0].Block()
			flattenBlock(inner, pause)
			groups[op.Result()] = w.body(inner, op.Operands...)
			continue
		case stablehlo.OpAsyncDone:
			if g := groups[op.Operands[0]]; g != nil {
				for i, r := range op.Results {
					w.replace(r, g[i], groups)
				}
				continue
			}
		}
		dropTokens(op)
		w.ops = append(w.ops, op)
		for _, r := range op.Regions {
			flattenBlock(r.Block(), pause)
		}
	}
	b.DropArgs(isToken)
	b.SetOps(w.ops)
}

// replace makes old mean v, which may be a group.
func (w *writer) replace(old, v *stablehlo.Value, groups map[*stablehlo.Value][]*stablehlo.Value) {
	w.values[old] = v
	if g := groups[v]; g != nil {
		groups[old] = g
	}
}

// dropTokens removes the tokens that an op takes and returns.
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
