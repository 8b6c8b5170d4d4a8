package simplify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// term is an operand of an einsum with the names of its dimensions.
type term struct {
	x     *stablehlo.Value
	names []rune
}

// lowerEinsum writes einsum and unary_einsum as diagonals, sums and a dot_general.
func lowerEinsum(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	if t := op.Operands[0].Tensor(); t.Quant() != nil {
		return nil, nil
	}
	ins, out, err := parseEinsum(op.Str("einsum_config"), len(op.Operands))
	if err != nil {
		return nil, err
	}
	terms := make([]term, len(ins), 2)
	for i, text := range ins {
		names, err := einsumNames(text, op.Operands[i].Tensor().Rank())
		if err != nil {
			return nil, err
		}
		terms[i] = e.diagonal(term{op.Operands[i], names})
	}
	result, err := einsumNames(out, op.Result().Tensor().Rank())
	if err != nil {
		return nil, err
	}
	if len(terms) == 1 {
		terms = append(terms, term{e.Full(terms[0].x.Tensor().WithDims(), 1), nil})
	}
	for i := range terms {
		terms[i] = e.squeeze(terms[i], terms[1-i])
	}
	for i := range terms { // names of one operand only are summed first
		other := terms[1-i].names
		terms[i] = e.sumNames(terms[i],
			func(n rune) bool { return !slices.Contains(result, n) && !slices.Contains(other, n) })
	}
	z, have := e.contract(terms[0], terms[1], result, op.Result().Tensor().Elem)
	perm := make([]int64, len(result))
	for i, name := range result {
		perm[i] = int64(slices.Index(have, name))
		if perm[i] < 0 {
			return nil, fmt.Errorf("%q is not in any operand of %q", string(name), op.Str("einsum_config"))
		}
	}
	return []*stablehlo.Value{e.Transpose(z, perm...)}, nil
}

// contract writes the contraction of two terms and returns the names of its dimensions.
func (e Emitter) contract(x, y term, result []rune, elem stablehlo.Type) (*stablehlo.Value, []rune) {
	d := &stablehlo.DotDims{}
	var batch, rest []rune
	for i, name := range x.names {
		j := slices.Index(y.names, name)
		switch {
		case j < 0:
			rest = append(rest, name)
		case slices.Contains(result, name):
			batch = append(batch, name)
			d.LHSBatching, d.RHSBatching = append(d.LHSBatching, int64(i)), append(d.RHSBatching, int64(j))
		default:
			d.LHSContracting, d.RHSContracting = append(d.LHSContracting, int64(i)), append(d.RHSContracting, int64(j))
		}
	}
	for _, name := range y.names {
		if !slices.Contains(x.names, name) {
			rest = append(rest, name)
		}
	}
	return e.dot(x.x, y.x, d, elem), append(batch, rest...)
}

// parseEinsum splits a config. A unary config may have the form ",ab->ba", and a config without
// "->" has the names that occur once as its result, sorted.
func parseEinsum(config string, operands int) (ins []string, out string, err error) {
	config = strings.ReplaceAll(config, " ", "")
	left, out, arrow := strings.Cut(config, "->")
	if operands == 1 {
		left = strings.TrimPrefix(left, ",")
	}
	ins = strings.Split(left, ",")
	if len(ins) != operands {
		return nil, "", fmt.Errorf("einsum config %q must name %d operands", config, operands)
	}
	if arrow {
		return ins, out, nil
	}
	var once []rune
	all := strings.ReplaceAll(strings.Join(ins, ""), "...", "")
	for _, r := range all {
		if strings.Count(all, string(r)) == 1 {
			once = append(once, r)
		}
	}
	slices.Sort(once)
	if strings.Contains(left, "...") {
		return ins, "..." + string(once), nil
	}
	return ins, string(once), nil
}

// einsumNames returns the name of each dimension of a term; those of "..." are numbered from the
// last, negatively.
func einsumNames(text string, rank int) ([]rune, error) {
	before, after, dots := strings.Cut(text, "...")
	names := []rune(before)
	if n := rank - len(names) - len([]rune(after)); dots {
		for i := range max(n, 0) {
			names = append(names, rune(i-n))
		}
	}
	names = append(names, []rune(after)...)
	if len(names) != rank {
		return nil, fmt.Errorf("einsum term %q must name the tensor's %d dimensions", text, rank)
	}
	return names, nil
}

// diagonal takes the diagonal over a name that occurs twice.
func (e Emitter) diagonal(t term) term {
	for i := 0; i < len(t.names); i++ {
		j := slices.Index(t.names[i+1:], t.names[i])
		if j < 0 {
			continue
		}
		j += i + 1
		dims := t.x.Tensor().Dims
		equal := e.Compare("EQ", e.Iota(dtype.S64, dims, i), e.Iota(dtype.S64, dims, j))
		kept := e.Select(equal, t.x, e.Full(t.x.Tensor(), 0))
		t = term{e.SumOver(kept, int64(j)), slices.Delete(slices.Clone(t.names), j, j+1)}
		i--
	}
	return t
}

// squeeze drops dimensions of size 1 that are broadcast against the other term.
func (e Emitter) squeeze(t, other term) term {
	var names []rune
	var dims []int64
	for i, n := range t.x.Tensor().Dims {
		j := slices.Index(other.names, t.names[i])
		if n == 1 && j >= 0 && other.x.Tensor().Dims[j] != 1 {
			continue
		}
		names, dims = append(names, t.names[i]), append(dims, n)
	}
	return term{e.Reshape(t.x, dims...), names}
}

// sumNames sums over the dimensions whose names drop accepts.
func (e Emitter) sumNames(t term, drop func(rune) bool) term {
	var over []int64
	var names []rune
	for i, name := range t.names {
		if drop(name) {
			over = append(over, int64(i))
		} else {
			names = append(names, name)
		}
	}
	return term{e.SumOver(t.x, over...), names}
}
