package stablehlo

import (
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// names assigns every value a name for printing: its own name if that is free in the scope, else a new one.
type names struct {
	of   map[*Value]string // with "#1" for the second of several results
	used map[string]int    // the island in which a name was last taken
	undo []undoName
	// island numbers the regions of isolated ops, whose names are independent.
	isolated, numIsolated int
	next, nextArg         int // for values without a name
	clash                 int // for names that are taken
}

type undoName struct {
	name     string
	isolated int
}

// nameMark is the state to return to at the end of a region.
type nameMark struct{ undo, isolated, next, nextArg, clash int }

func (n *names) init() {
	n.of = map[*Value]string{}
	n.used = map[string]int{}
	n.isolated, n.numIsolated = 1, 1
}

func (n *names) open(isolated bool) nameMark {
	m := nameMark{len(n.undo), n.isolated, n.next, n.nextArg, n.clash}
	if isolated {
		n.numIsolated++
		n.isolated = n.numIsolated
		n.next, n.nextArg, n.clash = 0, 0, 0
	}
	return m
}

func (n *names) close(m nameMark) {
	for i := len(n.undo) - 1; i >= m.undo; i-- {
		n.used[n.undo[i].name] = n.undo[i].isolated
	}
	n.undo = n.undo[:m.undo]
	if n.isolated != m.isolated {
		n.isolated, n.next, n.nextArg, n.clash = m.isolated, m.next, m.nextArg, m.clash
	}
}

// take makes a name used, unless it is already.
func (n *names) take(name string) bool {
	old := n.used[name]
	if old == n.isolated {
		return false
	}
	n.undo = append(n.undo, undoName{name, old})
	n.used[name] = n.isolated
	return true
}

// number returns the next free number.
func (n *names) number() string {
	for {
		s := strconv.Itoa(n.next)
		n.next++
		if n.take(s) {
			return s
		}
	}
}

// unique returns the name, or one made from it that is free.
func (n *names) unique(name string) string {
	if n.take(name) {
		return name
	}
	if byteClass[name[0]]&clsDigit != 0 {
		return n.number()
	}
	for {
		s := name + "_" + strconv.Itoa(n.clash)
		n.clash++
		if n.take(s) {
			return s
		}
	}
}

// get returns the name of a value. A value without a name is defined outside of the printed op, or below its
// use.
func (n *names) get(v *Value) string {
	if s, ok := n.of[v]; ok {
		return s
	}
	base, index, packed := strings.Cut(v.name, "#")
	if !isValueName(base) {
		base, packed = "", false
	}
	if base == "" {
		base = n.number()
	} else if !packed {
		base = n.unique(base)
	}
	if packed {
		base += "#" + index
	}
	n.of[v] = base
	return base
}

// define names a block argument.
func (n *names) define(v *Value) {
	if _, ok := n.of[v]; ok {
		return
	}
	if isValueName(v.name) {
		n.of[v] = n.unique(v.name)
		return
	}
	name := "arg" + strconv.Itoa(n.nextArg)
	n.nextArg++
	n.of[v] = n.unique(name)
}

// group returns how many of the results, from the first, share a name: those called x#0, x#1, …, or all
// results if none has a name.
func (n *names) group(results []*Value) int {
	base, index, packed := strings.Cut(results[0].name, "#")
	if !packed || index != "0" {
		for _, v := range results {
			if v.name != "" {
				return 1
			}
		}
		if results[0].index > 0 {
			return 1
		}
		return len(results)
	}
	k := 1
	for k < len(results) && results[k].name == base+"#"+strconv.Itoa(k) {
		k++
	}
	return k
}

// defineGroup names results that share a name and returns it.
func (n *names) defineGroup(op *Op, group []*Value) string {
	if s, ok := n.of[group[0]]; ok && len(group) == 1 {
		return s // used above its definition
	}
	base, _, _ := strings.Cut(group[0].name, "#")
	switch {
	case isValueName(base):
		base = n.unique(base)
	case op.Code == OpConstant:
		base = n.unique(constantName(op))
	default:
		base = n.number()
	}
	for i, v := range group {
		if len(group) == 1 {
			n.of[v] = base
		} else {
			n.of[v] = base + "#" + strconv.Itoa(i)
		}
	}
	return base
}

// constantName returns the name that StableHLO gives constants: c, cst for floats.
func constantName(op *Op) string {
	if len(op.Results) == 1 {
		if k := DType(op.Results[0].typ).Kind(); k == dtype.KindFloat || k == dtype.KindComplex {
			return "cst"
		}
	}
	return "c"
}

// isValueName reports whether a name can stand behind "%".
func isValueName(s string) bool {
	if s == "" {
		return false
	}
	classes := uint8(clsLetter | clsDigit | clsPunct | clsDash)
	if byteClass[s[0]]&clsDigit != 0 {
		classes = clsDigit
	}
	for i := range len(s) {
		if byteClass[s[i]]&classes == 0 {
			return false
		}
	}
	return true
}
