package onnx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// forest is an ensemble of trees as arrays over the nodes of all: a row starts at each root, and takes as many steps as
// the deepest tree has levels. A leaf is its own child.
type forest struct {
	feature, mode []int
	value         []float64
	missing       []bool // the true branch is taken for NaN
	child         []int  // of a node i: 2i if it is false, 2i+1 if it is true
	roots         []int
	votes         []vote
	float         dtype.Type // of thresholds and sums
}

// vote is what a leaf adds to a class or target.
type vote struct {
	node, target int
	weight       float64
}

// Modes of nodes in the order of version 5; that of leaves is apart.
const (
	branchLEQ = iota
	branchLT
	branchGTE
	branchGT
	branchEQ
	branchNEQ
	branchMember
	leafMode = -1
)

var treeModes = map[string]int{"BRANCH_LEQ": branchLEQ, "BRANCH_LT": branchLT, "BRANCH_GTE": branchGTE,
	"BRANCH_GT": branchGT, "BRANCH_EQ": branchEQ, "BRANCH_NEQ": branchNEQ, "LEAF": leafMode}

// doubles reads an attribute of floats, or of doubles as a tensor.
func (n *node) doubles(name string) []float64 {
	if v, ok := n.attrTensor(name + "_as_tensor"); ok {
		return core.Data[float64](v.t)
	}
	return n.attrFloats(name)
}

func (f *forest) add(feature, mode int, value float64, missing bool, no, yes int) {
	f.feature, f.mode, f.value = append(f.feature, feature), append(f.mode, mode), append(f.value, value)
	f.missing, f.child = append(f.missing, missing), append(f.child, no, yes)
}

// forestOf reads the attributes of versions 1 and 3; votes have the prefix class or target.
func (n *node) forestOf(x core.Tensor, votes string) *forest {
	trees, ids := n.attrInts("nodes_treeids"), n.attrInts("nodes_nodeids")
	features, modes, values := n.attrInts("nodes_featureids"), n.attrStrings("nodes_modes"), n.doubles("nodes_values")
	yes, no := n.attrInts("nodes_truenodeids"), n.attrInts("nodes_falsenodeids")
	missing := n.attrInts("nodes_missing_value_tracks_true")
	for _, l := range []int{len(ids), len(features), len(modes), len(values), len(yes), len(no)} {
		if l != len(trees) {
			n.fail("the lists of nodes have different lengths, %d and %d", l, len(trees))
		}
	}
	if len(missing) != 0 && len(missing) != len(trees) {
		n.fail("nodes_missing_value_tracks_true has %d numbers for %d nodes", len(missing), len(trees))
	}
	f := &forest{float: x.DType()}
	type key struct{ tree, id int }
	at := map[key]int{}
	for i, t := range trees {
		if _, ok := at[key{t, ids[i]}]; ok {
			n.fail("the tree %d has two nodes %d", t, ids[i])
		}
		at[key{t, ids[i]}] = i
	}
	inner := make([]bool, len(trees))
	for i, t := range trees {
		mode, ok := treeModes[modes[i]]
		if !ok {
			n.fail("the node %d has the mode %q", i, modes[i])
		}
		if mode == leafMode {
			f.add(0, branchLEQ, 0, false, i, i)
			continue
		}
		a, okA := at[key{t, no[i]}]
		b, okB := at[key{t, yes[i]}]
		if !okA || !okB {
			n.fail("the node %d of the tree %d has no child", ids[i], t)
		}
		inner[a], inner[b] = true, true
		f.add(features[i], mode, values[i], len(missing) > 0 && missing[i] != 0, a, b)
	}
	rooted := map[int]bool{}
	for i, t := range trees {
		if !inner[i] && !rooted[t] {
			rooted[t] = true
			f.roots = append(f.roots, i)
		}
	}
	voteTrees, voteNodes, targets := n.attrInts(votes+"_treeids"), n.attrInts(votes+"_nodeids"),
		n.attrInts(votes+"_ids")
	weights := n.doubles(votes + "_weights")
	if len(voteNodes) != len(voteTrees) || len(targets) != len(voteTrees) || len(weights) != len(voteTrees) {
		n.fail("the lists of votes have different lengths")
	}
	for i, t := range voteTrees {
		leaf, ok := at[key{t, voteNodes[i]}]
		if !ok {
			n.fail("the tree %d has no node %d", t, voteNodes[i])
		}
		f.votes = append(f.votes, vote{leaf, targets[i], weights[i]})
	}
	return f
}

// forestOf5 reads the attributes of version 5: leaves have their own list, and nodes may ask for members of a set,
// which become chains of nodes that ask for equality.
func (n *node) forestOf5(x core.Tensor) *forest {
	tensorOf := func(name string) []float64 {
		v, ok := n.attrTensor(name)
		if !ok || v.kind != tensorKind {
			n.fail("the attribute %s is missing", name)
		}
		return core.Data[float64](v.t)
	}
	features, modes, values := n.attrInts("nodes_featureids"), tensorOf("nodes_modes"), tensorOf("nodes_splits")
	yes, no := n.attrInts("nodes_truenodeids"), n.attrInts("nodes_falsenodeids")
	yesLeaf, noLeaf := n.attrInts("nodes_trueleafs"), n.attrInts("nodes_falseleafs")
	missing := n.attrInts("nodes_missing_value_tracks_true")
	count := len(features)
	for _, l := range []int{len(modes), len(values), len(yes), len(no), len(yesLeaf), len(noLeaf)} {
		if l != count {
			n.fail("the lists of nodes have different lengths, %d and %d", l, count)
		}
	}
	weights, targets := tensorOf("leaf_weights"), n.attrInts("leaf_targetids")
	if len(weights) != len(targets) || len(missing) != 0 && len(missing) != count {
		n.fail("the lists of leaves or nodes have different lengths")
	}
	f := &forest{float: x.DType()}
	place := func(at, isLeaf int) int {
		limit := count
		if isLeaf != 0 {
			limit = len(weights)
		}
		if at < 0 || at >= limit {
			n.fail("there is no node or leaf %d", at)
		}
		if isLeaf != 0 {
			return count + at
		}
		return at
	}
	for i := range count {
		f.add(features[i], int(modes[i]), values[i], len(missing) > 0 && missing[i] != 0, place(no[i], noLeaf[i]),
			place(yes[i], yesLeaf[i]))
	}
	for i, w := range weights {
		f.add(0, branchLEQ, 0, false, count+i, count+i)
		f.votes = append(f.votes, vote{count + i, targets[i], w})
	}
	f.expandMembers(n, count)
	for _, r := range n.attrInts("tree_roots") {
		f.roots = append(f.roots, place(r, 0))
	}
	return f
}

// expandMembers replaces nodes that ask for members of a set; the sets end with NaN.
func (f *forest) expandMembers(n *node, count int) {
	var members []float64
	if v, ok := n.attrTensor("membership_values"); ok && v.kind == tensorKind {
		members = core.Data[float64](v.t)
	}
	for i := range count {
		if f.mode[i] < 0 || f.mode[i] > branchMember {
			n.fail("the node %d has the mode %d", i, f.mode[i])
		}
		if f.mode[i] != branchMember {
			continue
		}
		var set []float64
		for len(members) > 0 && members[0] == members[0] {
			set, members = append(set, members[0]), members[1:]
		}
		if len(members) > 0 {
			members = members[1:]
		}
		no, yes, at := f.child[2*i], f.child[2*i+1], i
		f.mode[i] = branchEQ
		if len(set) > 0 {
			f.value[i] = set[0]
		} else {
			f.mode[i], f.value[i] = branchLT, -maxFloat
		}
		for _, v := range set[min(1, len(set)):] {
			next := len(f.mode)
			f.child[2*at] = next
			f.add(f.feature[i], branchEQ, v, f.missing[i], no, yes)
			at = next
		}
	}
}

const maxFloat = 0x1p1023

// depth is the number of steps from a root to its last leaf.
func (f *forest) depth(n *node) int {
	const open, done = 1, 2
	state, depth := make([]uint8, len(f.mode)), make([]int, len(f.mode))
	stack := append([]int{}, f.roots...)
	deepest := 0
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		kids := f.child[2*i : 2*i+2]
		if kids[0] == i && kids[1] == i || state[i] == done {
			state[i] = done
			stack = stack[:len(stack)-1]
			continue
		}
		if state[i] == open {
			depth[i] = 1 + max(depth[kids[0]], depth[kids[1]])
			deepest = max(deepest, depth[i])
			state[i] = done
			stack = stack[:len(stack)-1]
			continue
		}
		state[i] = open
		for _, k := range kids {
			if state[k] == open {
				n.fail("a tree has a cycle")
			}
			if state[k] == 0 {
				stack = append(stack, k)
			}
		}
	}
	return deepest
}

// leaves returns the number of the leaf of each tree for each row, [rows, trees].
func (f *forest) leaves(n *node, x core.Tensor) core.Tensor {
	ints := func(list []int) core.Tensor { return n.table(core.Cast(intsTensor(list), dtype.S32)) }
	for _, at := range f.feature {
		if at < 0 || at >= dims(x)[1] {
			n.fail("a node asks for the feature %d of %d", at, dims(x)[1])
		}
	}
	modes, missing := map[int]bool{}, false
	for i, m := range f.mode {
		if f.child[2*i] != i || f.child[2*i+1] != i {
			modes[m] = true
			missing = missing || f.missing[i]
		}
	}
	feature, child, mode := ints(f.feature), ints(f.child), ints(f.mode)
	value := n.table(vector(f.value, f.float))
	var track core.Tensor
	if missing {
		track = n.table(core.FromSlice(f.missing, core.Shape{len(f.missing)}))
	}
	at := core.BroadcastTo(ints(f.roots), dims(x)[0], len(f.roots))
	return core.Fori(f.depth(n), at, func(_, at core.Tensor) core.Tensor {
		v := core.TakeAlong(x, core.Take(feature, at), core.Axis(1))
		t := core.Take(value, at)
		yes := core.Tensor{}
		for m := range branchMember {
			if !modes[m] {
				continue
			}
			is := compareNode(m, v, t)
			if yes.IsZero() {
				yes = is
			} else {
				yes = core.Where(core.Equal(core.Take(mode, at), m), is, yes)
			}
		}
		if yes.IsZero() {
			return at
		}
		if missing {
			yes = core.LogicalOr(yes, core.LogicalAnd(core.IsNaN(v), core.Take(track, at)))
		}
		return core.Take(child, core.Add(core.Mul(at, 2), core.Cast(yes, dtype.S32)))
	})
}

func compareNode(mode int, v, t core.Tensor) core.Tensor {
	switch mode {
	case branchLEQ:
		return core.LessEqual(v, t)
	case branchLT:
		return core.Less(v, t)
	case branchGTE:
		return core.GreaterEqual(v, t)
	case branchGT:
		return core.Greater(v, t)
	case branchEQ:
		return core.Equal(v, t)
	}
	return core.NotEqual(v, t)
}

// table returns data that are looked up: large ones are arguments of the program.
func (n *node) table(t core.Tensor) core.Tensor {
	if bytesOf(t) > maxKnown {
		return n.argument(t)
	}
	return t
}
