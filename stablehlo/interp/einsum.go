package interp

import (
	"slices"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// evalEinsum runs "ab,bc->ac". A name that occurs twice in an operand takes
// its diagonal; "..." stands for dimensions in front, broadcast together.
func evalEinsum(f *frame, s *step, args []Value) ([]Value, error) {
	ins, out, err := parseEinsum(s.op.Str("einsum_config"), 2)
	if err != nil {
		return nil, err
	}
	return einsum(f, s.op, args[0].(*Tensor), args[1].(*Tensor), ins[0], ins[1], out)
}

// evalUnaryEinsum runs "ab->ba" as a contraction with 1.
func evalUnaryEinsum(f *frame, s *step, args []Value) ([]Value, error) {
	ins, out, err := parseEinsum(s.op.Str("einsum_config"), 1)
	if err != nil {
		return nil, err
	}
	x := args[0].(*Tensor)
	one := scalarOf(stablehlo.DType(stablehlo.IndexType{}), 1)
	if one, err = convert(f, one, x.Type.Elem); err != nil {
		return nil, err
	}
	return einsum(f, s.op, x, one, ins[0], "", out)
}

// parseEinsum splits a config. A unary config may have the form ",ab->ba",
// and a config without "->" keeps the names that occur once, sorted.
func parseEinsum(config string, operands int) (ins []string, out string, err error) {
	config = strings.ReplaceAll(config, " ", "")
	left, out, arrow := strings.Cut(config, "->")
	if operands == 1 {
		left = strings.TrimPrefix(left, ",")
	}
	ins = strings.Split(left, ",")
	if len(ins) != operands {
		return nil, "", faultf(Unsupported, "einsum config %q does not name %d operands", config, operands)
	}
	if !arrow {
		var once []rune
		all := strings.ReplaceAll(strings.Join(ins, ""), "...", "")
		for _, r := range all {
			if strings.Count(all, string(r)) == 1 {
				once = append(once, r)
			}
		}
		slices.Sort(once)
		out = string(once)
		if strings.Contains(left, "...") {
			out = "..." + out
		}
	}
	return ins, out, nil
}

// einsumName is the name of a dimension: a letter, or minus the distance from
// the last of the dimensions that "..." stands for.
type einsumName = rune

// names returns the name of each dimension of a term with rank dimensions.
func names(term string, rank int) ([]einsumName, error) {
	before, after, dots := strings.Cut(term, "...")
	out := []einsumName(before)
	if n := rank - len(out) - len([]rune(after)); dots && n >= 0 {
		for i := range n {
			out = append(out, einsumName(i-n))
		}
	}
	out = append(out, []einsumName(after)...)
	if len(out) != rank {
		return nil, faultf(BadShape, "einsum term %q for a tensor with %d dimensions", term, rank)
	}
	return out, nil
}

func einsum(f *frame, op *stablehlo.Op, x, y *Tensor, xTerm, yTerm, outTerm string) ([]Value, error) {
	labels := map[einsumName]*label{}
	var order []einsumName
	collect := func(t *Tensor, term string, step func(*label) *int) ([]einsumName, error) {
		ns, err := names(term, t.Type.Rank())
		if err != nil {
			return nil, err
		}
		steps := rowMajor(t.dims())
		for d, name := range ns {
			l := labels[name]
			if l == nil {
				l = &label{n: t.dims()[d]}
				labels[name], order = l, append(order, name)
			}
			switch n := t.dims()[d]; {
			case n == l.n:
			case n == 1 && name < 0: // broadcast
				continue
			case l.n == 1 && name < 0:
				l.n, l.x, l.y = n, 0, 0
			default:
				return nil, faultf(BadShape, "einsum: dimension %q has sizes %d and %d", string(name), l.n, n)
			}
			*step(l) += steps[d]
		}
		return ns, nil
	}
	xs, err := collect(x, xTerm, func(l *label) *int { return &l.x })
	if err != nil {
		return nil, err
	}
	ys, err := collect(y, yTerm, func(l *label) *int { return &l.y })
	if err != nil {
		return nil, err
	}
	outs, err := names(outTerm, op.Result().Tensor().Rank())
	if err != nil {
		return nil, err
	}
	for _, name := range outs {
		if labels[name] == nil {
			return nil, faultf(BadShape, "einsum: %q is not in %q or %q", string(name), xTerm, yTerm)
		}
	}
	var c contraction
	var got []einsumName // the names of the contraction's result, in order
	add := func(to *[]label, want func(inX, inY, inOut bool) bool, toResult bool) {
		for _, name := range order {
			if want(slices.Contains(xs, name), slices.Contains(ys, name), slices.Contains(outs, name)) {
				*to = append(*to, *labels[name])
				if toResult {
					got = append(got, name)
				}
			}
		}
	}
	add(&c.batch, func(inX, inY, inOut bool) bool { return inX && inY && inOut }, true)
	add(&c.left, func(inX, inY, inOut bool) bool { return inX && !inY && inOut }, true)
	add(&c.right, func(inX, inY, inOut bool) bool { return !inX && inY && inOut }, true)
	add(&c.sum, func(_, _, inOut bool) bool { return !inOut }, false)
	packed, err := makeTensor(op.Result().Tensor(), c.dims()...)
	if err != nil {
		return nil, err
	}
	if err := c.into(f, packed, x, y); err != nil {
		return nil, err
	}
	dims, steps, from := make([]int64, len(outs)), make([]int, len(outs)), rowMajor(packed.dims())
	for d, name := range outs {
		i := slices.Index(got, name)
		dims[d], steps[d] = packed.dims()[i], from[i]
	}
	r, err := rearrange(f, op, packed, dims, 0, steps)
	return []Value{r}, err
}
