package autodiff_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// attrKinds lists the kinds of values of an attribute that may affect derivatives, and returns the
// kinds of an op.
type attrKinds struct {
	kinds []string
	of    func(op *stablehlo.Op, a stablehlo.Attr) []string
}

// unlike returns the kinds of lists of numbers: those with a number other than the usual one, and
// those without.
func unlike(usual int64, other string) attrKinds {
	return attrKinds{[]string{"usual", other}, func(_ *stablehlo.Op, a stablehlo.Attr) []string {
		if slices.ContainsFunc(numbersOf(a), func(n int64) bool { return n != usual }) {
			return []string{other}
		}
		return []string{"usual"}
	}}
}

// numbersOf returns the numbers of a list attribute.
func numbersOf(a stablehlo.Attr) []int64 {
	switch a := a.(type) {
	case stablehlo.IntAttr:
		return []int64{a.Value}
	case stablehlo.IntsAttr:
		return a.Values
	case *stablehlo.ElementsAttr:
		var out []int64
		n, _ := a.Type.NumElems()
		if a.Splat {
			n = 1
		}
		for i := range int(n) {
			out = append(out, a.Type.DType().LoadInt(a.Data, i))
		}
		return out
	}
	return nil
}

var (
	signs = attrKinds{[]string{"negative", "none", "positive"}, func(_ *stablehlo.Op, a stablehlo.Attr) []string {
		kinds := []string{}
		for _, n := range numbersOf(a) {
			kinds = append(kinds, [...]string{"negative", "none", "positive"}[1+max(-1, min(n, 1))])
		}
		return kinds
	}}
	boolKind = attrKinds{[]string{"false", "true"}, func(_ *stablehlo.Op, a stablehlo.Attr) []string {
		b, ok := a.(stablehlo.BoolAttr)
		return []string{fmt.Sprint(ok && bool(b))}
	}}
	amount = attrKinds{[]string{"none", "one", "several"}, func(_ *stablehlo.Op, a stablehlo.Attr) []string {
		return []string{howMany(len(numbersOf(a)))}
	}}
	// position is the position of a dimension of the first operand.
	position = attrKinds{[]string{"first", "last", "between"}, func(op *stablehlo.Op, a stablehlo.Attr) []string {
		var kinds []string
		rank := int64(op.Operands[0].Tensor().Rank())
		for _, n := range numbersOf(a) {
			switch (n + rank) % rank {
			case 0:
				kinds = append(kinds, "first")
			case rank - 1:
				kinds = append(kinds, "last")
			default:
				kinds = append(kinds, "between")
			}
		}
		return kinds
	}}
)

func howMany(n int) string { return [...]string{"none", "one", "several"}[min(n, 2)] }

// choices returns the kinds of enumerations.
func choices(values ...string) attrKinds {
	return attrKinds{values, func(_ *stablehlo.Op, a stablehlo.Attr) []string {
		return []string{a.(stablehlo.EnumAttr).Value}
	}}
}

// attributes holds the kinds of each attribute that ops with derivatives have, by name.
var attributes = map[string]attrKinds{
	"padding": signs, "edge_padding_low": signs, "edge_padding_high": signs,
	"interior_padding":    unlike(0, "some"),
	"window_strides":      unlike(1, "larger"),
	"strides":             unlike(1, "larger"),
	"base_dilations":      unlike(1, "dilated"),
	"window_dilations":    unlike(1, "dilated"),
	"lhs_dilation":        unlike(1, "dilated"),
	"rhs_dilation":        unlike(1, "dilated"),
	"window_dimensions":   unlike(1, "larger"),
	"batch_group_count":   unlike(1, "several"),
	"feature_group_count": unlike(1, "several"),
	"window_reversal":     unlike(0, "reversed"),
	"start_indices":       unlike(0, "inside"),
	"dimension":           position, "feature_index": position, "dim": position,
	"dimensions":           amount,
	"broadcast_dimensions": amount,
	"broadcast_sizes":      amount,
	"fft_length":           {[]string{"one", "several"}, amount.of},
	"batch_dims":           unlike(0, "some"),
	"lower":                boolKind, "left_side": boolKind, "unit_diagonal": boolKind, "is_stable": boolKind,
	"is_reverse":     boolKind,
	"unique_indices": boolKind, "indices_are_sorted": boolKind,
	"fft_type":         choices("FFT", "IFFT", "RFFT", "IRFFT"),
	"transpose_a":      choices("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"),
	"rng_distribution": choices("UNIFORM", "NORMAL"),
	"permutation": {[]string{"its own inverse", "a cycle"}, func(_ *stablehlo.Op, a stablehlo.Attr) []string {
		p := numbersOf(a)
		for i, k := range p {
			if p[k] != int64(i) {
				return []string{"a cycle"}
			}
		}
		return []string{"its own inverse"}
	}},
	"dot_dimension_numbers": {[]string{"batching none", "batching one", "batching several",
		"contracting none", "contracting one", "contracting several"},
		func(_ *stablehlo.Op, a stablehlo.Attr) []string {
			d := a.(*stablehlo.DotDims)
			return []string{"batching " + howMany(len(d.LHSBatching)), "contracting " + howMany(len(d.LHSContracting))}
		}},
	"ragged_dot_dimension_numbers": {[]string{"batching none", "batching one"},
		func(_ *stablehlo.Op, a stablehlo.Attr) []string {
			return []string{"batching " + howMany(len(a.(*stablehlo.RaggedDotDims).LHSBatching))}
		}},
	"scatter_dimension_numbers": {[]string{"windows none", "windows one", "windows several",
		"batching none", "batching one",
		"inserted none", "inserted one", "inserted several"}, func(_ *stablehlo.Op, a stablehlo.Attr) []string {
		d := a.(*stablehlo.ScatterDims)
		return []string{"windows " + howMany(len(d.UpdateWindowDims)), "batching " + howMany(len(d.InputBatchingDims)),
			"inserted " + howMany(len(d.InsertedWindowDims))}
	}},
}

// structured holds the kinds of attributes whose meaning depends on the op.
var structured = map[string]attrKinds{
	"stablehlo.gather dimension_numbers": {[]string{"windows none", "windows one", "windows several", "batching none",
		"batching one", "collapsed none", "collapsed one", "collapsed several"},
		func(_ *stablehlo.Op, a stablehlo.Attr) []string {
			d := a.(*stablehlo.GatherDims)
			return []string{"windows " + howMany(len(d.OffsetDims)), "batching " + howMany(len(d.OperandBatchingDims)),
				"collapsed " + howMany(len(d.CollapsedSliceDims))}
		}},
	"stablehlo.convolution dimension_numbers": {[]string{"spatial none", "spatial one", "spatial several"},
		func(_ *stablehlo.Op, a stablehlo.Attr) []string {
			return []string{"spatial " + howMany(len(a.(*stablehlo.ConvDims).InputSpatial))}
		}},
}

// same are the attributes whose value does not affect a derivative, with the reason.
var same = map[string]string{
	"precision_config": "rounding", "algorithm": "rounding", "result_accuracy": "rounding",
	"channel_handle": "names a channel", "use_global_device_ids": "numbers devices",
	"replica_groups":      "which processes meet",
	"source_target_pairs": "which processes meet", "arg_attrs": "notes", "res_attrs": "notes", "no_inline": "a wish",
	"callee": "a name", "name": "a name", "decomposition": "a name", "version": "a name",
	"composite_attributes": "by composite",
	"call_target_name":     "a name", "api_version": "how to call", "backend_config": "how to call",
	"called_computations": "how to call", "has_side_effect": "how to call", "operand_layouts": "memory",
	"result_layouts": "memory", "result_tilings": "memory", "output_operand_aliases": "memory",
	"known_expanding_dimensions": "a hint", "known_nonexpanding_dimensions": "a hint", "epsilon": "a number",
	"exponent_bits": "a number", "mantissa_bits": "a number", "k": "a number", "split_count": "a number",
	"slice_sizes": "a number", "limit_indices": "a number", "scan_dim_size": "a number",
	"is_associative": "how to compute", "in_shardings": "by device", "out_shardings": "by device",
	"manual_axes": "by device",
	"sharding":    "a wish", "einsum_config": "written out as products", "all_gather_dim": "which dimension",
	"split_dimension": "which dimension", "concat_dimension": "which dimension", "scatter_dimension": "which dimension",
}

// reducers are the ops whose derivative depends on the computation of their last region.
var reducers = map[stablehlo.OpCode][]string{
	stablehlo.OpReduce:       {"add", "multiply", "maximum", "minimum", "of several tensors", "of another kind"},
	stablehlo.OpReduceWindow: {"add", "multiply", "maximum", "minimum", "of several tensors", "of another kind"},
	stablehlo.OpScatter: {"add", "multiply", "maximum", "minimum", "of several tensors", "of another kind",
		"set"},
	stablehlo.OpSelectAndScatter: {"add", "multiply", "of another kind"},
	stablehlo.OpSort:             {"of one tensor", "of several tensors"},
}

func reductionOf(op *stablehlo.Op) string {
	b := op.Regions[len(op.Regions)-1].Block()
	of := b.Terminator().Operands
	switch {
	case op.Code == stablehlo.OpSort && len(op.Results) == 1:
		return "of one tensor"
	case len(op.Results) > 1:
		return "of several tensors"
	case len(b.Ops) == 1 && of[0] == b.Args[1]:
		return "set"
	}
	if len(b.Ops) == 2 {
		if name := strings.TrimPrefix(b.Ops[0].Name(), "stablehlo."); slices.Contains(reducers[op.Code], name) {
			return name
		}
	}
	return "of another kind"
}

// required returns the varieties of an op whose derivatives must be checked.
func required(code stablehlo.OpCode, info *stablehlo.OpInfo) (list []string, err error) {
	add := func(format string, args ...any) { list = append(list, info.Name+" "+fmt.Sprintf(format, args...)) }
	for _, a := range info.Attrs {
		k, ok := attributesOf(info.Name, a.Name)
		if _, isSame := same[a.Name]; ok == isSame {
			return nil, fmt.Errorf("attribute %s of %s must be in one of the tables attributes, structured and same",
				a.Name, info.Name)
		}
		for _, kind := range k.kinds {
			add("%s: %s", a.Name, kind)
		}
	}
	for _, f := range reducers[code] {
		add("fold: %s", f)
	}
	if len(info.Operands) > 0 {
		types := info.Operands[0].Types
		if types&stablehlo.TFloat != 0 {
			add("of floats")
		}
		if types&stablehlo.TComplex != 0 {
			add("of complex numbers")
		}
		if info.Traits&stablehlo.Elementwise != 0 {
			add("of scalars")
		}
		if types&stablehlo.TFloat != 0 {
			add("without elements")
		}
	}
	return list, nil
}

func attributesOf(op, attr string) (attrKinds, bool) {
	if k, ok := structured[op+" "+attr]; ok {
		return k, true
	}
	k, ok := attributes[attr]
	return k, ok
}

// varieties returns the varieties of an op.
func varieties(op *stablehlo.Op) (list []string) {
	info := op.Code.Info()
	add := func(format string, args ...any) { list = append(list, info.Name+" "+fmt.Sprintf(format, args...)) }
	for _, a := range info.Attrs {
		k, ok := attributesOf(info.Name, a.Name)
		if !ok || k.of == nil {
			continue
		}
		v := op.Attr(a.Name)
		if v == nil {
			v = a.Default
		}
		for _, kind := range k.of(op, v) {
			add("%s: %s", a.Name, kind)
		}
		if v == nil && len(k.kinds) > 0 && k.kinds[0] == "usual" {
			add("%s: usual", a.Name)
		}
	}
	if reducers[op.Code] != nil {
		add("fold: %s", reductionOf(op))
	}
	if len(op.Operands) > 0 && op.Operands[0].Tensor() != nil {
		switch t := op.Operands[0].Tensor(); {
		case t.DType().IsComplex():
			add("of complex numbers")
		case t.DType().IsFloat():
			add("of floats")
		}
		if info.Traits&stablehlo.Elementwise != 0 && op.Operands[0].Tensor().Rank() == 0 {
			add("of scalars")
		}
		if n, _ := op.Operands[0].Tensor().NumElems(); n == 0 {
			add("without elements")
		}
	}
	return list
}

// checkedTwice holds the varieties whose second derivatives were checked.
var checkedTwice = map[string]bool{}

func coveredTwice(m *stablehlo.Module) {
	for op := range m.Walk() {
		if autodiff.HasTangents(op.Code) {
			for _, v := range varieties(op) {
				checkedTwice[v] = true
			}
		}
	}
}

// unchecked returns the varieties whose second derivatives were not checked, except those that
// cannot be.
func unchecked() (list []string) {
	for op, info := range stablehlo.Ops() {
		if !autodiff.HasTangents(op) {
			continue
		}
		all, err := required(op, info)
		if err != nil {
			list = append(list, err.Error())
		}
		for _, v := range all {
			if _, ok := excused[v]; !ok && !checkedTwice[v] {
				list = append(list, "no second derivative is checked of "+v)
			}
		}
	}
	return list
}

// excused are the varieties that cannot be checked by difference quotients, with the reason.
var excused = map[string]string{
	"chlo.bessel_i1e of complex numbers":           "refused: it has no derivative in them",
	"chlo.broadcast_next_after of complex numbers": "the op without broadcasts has no form for them",
	"chlo.broadcast_polygamma of complex numbers":  "the op without broadcasts has no form for them",
	"stablehlo.remainder of complex numbers":       "nothing says what a remainder of them is",
	"chlo.broadcast_remainder of complex numbers":  "nothing says what a remainder of them is",
	"chlo.top_k of complex numbers":                "they have no order",
	"stablehlo.rng without elements":               "each call draws other numbers",
	"stablehlo.rng of floats":                      "each call draws other numbers",
	"stablehlo.rng rng_distribution: UNIFORM":      "each call draws other numbers",
	"stablehlo.rng rng_distribution: NORMAL":       "each call draws other numbers",
}

// TestExcuses: each excuse is for a variety, and is needed.
func TestExcuses(t *testing.T) {
	all := map[string]bool{}
	for op, info := range stablehlo.Ops() {
		if autodiff.HasTangents(op) {
			list, err := required(op, info)
			if err != nil {
				t.Error(err)
			}
			for _, v := range list {
				all[v] = true
			}
		}
	}
	for _, v := range slices.Sorted(maps.Keys(excused)) {
		if !all[v] {
			t.Errorf("%q is not a variety", v)
		}
		if checkedTwice[v] {
			t.Errorf("%q is checked, and excused: %s", v, excused[v])
		}
	}
}
