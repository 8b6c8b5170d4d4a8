package onnx

import (
	"slices"
	"sort"

	"github.com/go-nx/nx/internal/core"
)

// stringOps are ops that only move elements, or compare them: those of strings are computed on data, between the parts
// of a program, by the indices of strings in a sorted list of all.
var stringOps = []struct {
	domain, op string
	numbers    int // the index of the first result that has numbers
}{
	{"", "Identity", 1}, {"", "Reshape", 1}, {"", "Flatten", 1}, {"", "Squeeze", 1}, {"", "Unsqueeze", 1},
	{"", "Transpose", 1}, {"", "Concat", 1}, {"", "Split", 1 << 20}, {"", "Slice", 1}, {"", "Gather", 1},
	{"", "GatherElements", 1}, {"", "GatherND", 1}, {"", "Expand", 1}, {"", "Tile", 1}, {"", "Where", 1},
	{"", "Compress", 1}, {"", "ScatterElements", 1}, {"", "ScatterND", 1}, {"", "ReverseSequence", 1},
	{"", "DepthToSpace", 1}, {"", "SpaceToDepth", 1}, {"", "Unique", 1}, {"", "Equal", 0}, {"", "Shape", 0},
	{"", "Size", 0}, {mlDomain, "ArrayFeatureExtractor", 1},
}

// addStrings lets the ops that may have strings as elements have them.
func addStrings(table map[opName][]row) {
	for _, s := range stringOps {
		list := table[opName{s.domain, s.op}]
		for i := range list {
			list[i] = ofStrings(list[i], s.numbers)
		}
	}
}

func (v Value) isString() bool { return v.kind == stringKind }

// ofStrings is a row that computes with indices where operands have strings; results from numbers on stay as they are.
func ofStrings(r row, numbers int) row {
	run := r.run
	r.strings = true
	r.run = func(n *node) []Value {
		var all []string
		for _, v := range n.ins {
			if v.isString() {
				all = append(all, v.strings...)
			}
		}
		if !slices.ContainsFunc(n.ins, Value.isString) {
			return run(n)
		}
		n.needsData()
		slices.Sort(all)
		all = slices.Compact(all)
		m := *n
		m.ins = slices.Clone(n.ins)
		for i, v := range n.ins {
			if !v.isString() {
				continue
			}
			at := make([]int, len(v.strings))
			for k, s := range v.strings {
				at[k] = sort.SearchStrings(all, s)
			}
			m.ins[i] = Value{t: core.Reshape(intsTensor(at), v.shape...), read: true}
		}
		out := run(&m)
		for i, v := range out {
			if i >= numbers || v.t.IsZero() {
				continue
			}
			list := make([]string, 0, v.t.Size())
			for _, k := range toInts(v.t) {
				list = append(list, all[k])
			}
			out[i] = StringsValue(dims(v.t), list)
		}
		return out
	}
	if r.host == nil {
		r.host = onData(r.run)
	}
	return r
}
