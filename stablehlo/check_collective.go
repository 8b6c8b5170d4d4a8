package stablehlo

import "github.com/go-nx/nx/dtype"

// collectiveChecks are the checks of ops that all processes of a group run together.
var collectiveChecks = checkRows{
	{OpAllGather, checkAllGather},
	{OpAllReduce, checkAllReduce},
	{OpCrossReplicaSum, checkCrossReplicaSum},
	{OpAllToAll, checkAllToAll},
	{OpCollectiveBroadcast, checkCollectiveBroadcast},
	{OpCollectivePermute, checkCollectivePermute},
	{OpCollectiveReduce, checkCollectiveReduce},
	{OpReduceScatter, checkReduceScatter},
}

func checkAllGather(c *check) {
	const op = "all_gather"
	dim := c.Int("all_gather_dim", 0)
	if !c.replicaGroups(groupRules{unique: op + "_c2", ids: op + "_c4", even: true}) ||
		!c.globalIDs(op+"_c5", 0) || !c.require(c.building() || len(c.Results) == len(c.Operands), op+"_c6",
		"has %d results for %d operands", len(c.Results), len(c.Operands)) {
		return
	}
	for i := range c.Operands {
		in, out := c.arg(i), c.res(i)
		if in == nil || !c.axis(op+"_c1", "all_gather_dim", dim, in) {
			return
		}
		if out == nil {
			continue // being built
		}
		if !c.require(in.Rank() == out.Rank(), op+"_c6", "operand %s and result %s differ in rank", in, out) ||
			!c.require(SameType(in.Elem, out.Elem), op+"_c6",
				"operand %s and result %s differ in element type", in, out) ||
			!c.sameBut(op+"_c6", dim, in, out) {
			return
		}
		from, to := in.Dims[dim], out.Dims[dim]
		if !c.require(from != 0, op+"_c6", "dimension %d of operand %s is empty, so nothing can be gathered", dim, in) ||
			!c.require(from == Dynamic || to == Dynamic || to%from == 0, op+"_c6",
				"dimension %d of result %s is not a multiple of that of operand %s", dim, out, in) {
			return
		}
	}
}

func checkAllReduce(c *check) {
	const op = "all_reduce"
	if c.replicaGroups(groupRules{unique: op + "_c1", ids: op + "_c3"}) && c.globalIDs(op+"_c4", 1) {
		c.reduceEach(op+"_c5", op+"_c6", c.Operands)
	}
}

// checkCrossReplicaSum has no constraints of its own: those of all_reduce hold.
func checkCrossReplicaSum(c *check) {
	c.replicaGroups(groupRules{unique: "all_reduce_c1", ids: "all_reduce_c3"})
}

func checkReduceScatter(c *check) {
	const op = "reduce_scatter"
	in, out, dim := c.arg(0), c.res(0), c.Int("scatter_dimension", 0)
	if in == nil || !c.replicaGroups(groupRules{unique: op + "_c3", ids: op + "_c5", even: true}) ||
		!c.globalIDs(op+"_c6", 1) || !c.axis(op+"_c2", "scatter_dimension", dim, in) {
		return
	}
	acc, ok := c.reducer(reducer{constraint: op + "_c7", inputs: []*TensorType{in},
		inits: []*TensorType{in.WithDims()}})
	if !ok || out == nil ||
		!c.require(in.Rank() == out.Rank(), op+"_c8", "operand %s and result %s differ in rank", in, out) ||
		!c.sameBut(op+"_c8", dim, in, out) {
		return
	}
	from, to := in.Dims[dim], out.Dims[dim]
	if c.require(from != 0 && to != 0, op+"_c8",
		"dimension %d of operand %s or of result %s is empty, so nothing can be scattered", dim, in, out) &&
		c.require(from == Dynamic || to == Dynamic || from%to == 0, op+"_c8",
			"dimension %d of operand %s is not a multiple of that of result %s", dim, in, out) {
		c.require(SameType(out.Elem, acc[0].Elem), op+"_c9", "result %s must have the elements of the reduction's %s",
			out, acc[0])
	}
}

func checkAllToAll(c *check) {
	const op = "all_to_all"
	count := c.Int("split_count", 1)
	split, concat := c.Int("split_dimension", 0), c.Int("concat_dimension", 0)
	if !c.require(count > 0, op+"_c4", "split_count is %d, but must be at least 1", count) ||
		!c.replicaGroups(groupRules{unique: op + "_c5", ids: op + "_c7", size: op + "_c8", want: count, even: true}) {
		return
	}
	types := make([]Type, len(c.Operands))
	for i := range c.Operands {
		t := c.arg(i)
		if t == nil || !c.axis(op+"_c1", "split_dimension", split, t) ||
			!c.axis(op+"_c3", "concat_dimension", concat, t) {
			return
		}
		n := t.Dims[split]
		if !c.require(n == Dynamic || n%count == 0, op+"_c2",
			"dimension %d of operand %s is not a multiple of split_count %d",
			split, t, count) {
			return
		}
		sizes := sizesOf(t)
		if split != concat {
			if !c.require(sizes[concat].known() <= maxExtent/count, op+"_c9",
				"dimension %d of operand %s times split_count %d does not fit in 64 bits", concat, t, count) {
				return
			}
			sizes[split] = sizes[split].scaled(1, count)
			sizes[concat] = sizes[concat].scaled(count, 1)
		}
		types[i] = tensorOf(t.Elem, sizes)
	}
	c.inferBy(op+"_c9", types...)
}

// scaled returns the size times mul divided by div.
func (s size) scaled(mul, div int64) size {
	if s.dim != Dynamic {
		s.dim = s.dim * mul / div
	}
	if s.bound != Dynamic {
		s.bound = s.bound * mul / div
	}
	return s
}

func checkCollectiveBroadcast(c *check) {
	const op = "collective_broadcast"
	if !c.replicaGroups(groupRules{unique: op + "_c1", ids: op + "_c2", sparse: true}) {
		return
	}
	if data, ok := c.rooted(op+"_c3", op+"_c4"); ok {
		types := make([]Type, len(data))
		for i, v := range data {
			types[i] = v.Type()
		}
		c.inferBy(op+"_c5", types...)
	}
}

func checkCollectiveReduce(c *check) {
	const op = "collective_reduce"
	if !c.replicaGroups(groupRules{unique: op + "_c1", ids: op + "_c2"}) || !c.globalIDs(op+"_c2", 1) {
		return
	}
	if data, ok := c.rooted(op+"_c3", op+"_c3"); ok {
		c.reduceEach(op+"_c4", op+"_c3", data)
	}
}

// rooted returns the operands that are sent: all, or all but the last when that
// holds the root of each group.
func (c *check) rooted(countID, rootID string) ([]*Value, bool) {
	n := len(c.Operands)
	if !c.Bool("has_dynamic_root", false) {
		return c.Operands, c.require(n >= 1, countID, "needs at least one operand")
	}
	if !c.require(n >= 2, rootID, "has_dynamic_root needs at least one operand and the roots") {
		return nil, false
	}
	roots, want := c.Operands[n-1], Tensor(dtype.S32, int64(n-1))
	return c.Operands[:n-1], c.require(SameType(roots.Type(), want), rootID,
		"the last operand is %s, but must hold the root of each other operand: %s", roots.Type(), want)
}

// reduceEach checks a region that reduces each operand on its own, and infers
// results of the operands' shapes.
func (c *check) reduceEach(constraint, resultID string, operands []*Value) {
	inputs := c.tensors(operands)
	types := make([]Type, len(inputs))
	for i, t := range inputs {
		acc, ok := c.reducer(reducer{constraint: constraint, inputs: []*TensorType{t},
			inits: []*TensorType{t.WithDims()}})
		if !ok {
			return
		}
		types[i] = t.WithElem(acc[0].Elem)
	}
	if inputs != nil {
		c.inferBy(resultID, types...)
	}
}

func checkCollectivePermute(c *check) {
	if c.sourceTargetPairs("collective_permute") && c.arg(0) != nil {
		c.inferBy("collective_permute_c5", c.arg(0))
	}
}

// sourceTargetPairs checks the pairs of processes between which data moves.
// Their constraints are the first four of each op that has them.
func (c *check) sourceTargetPairs(op string) bool {
	a, ok := structOf[*ElementsAttr](c, "source_target_pairs")
	if !ok || a.Type == nil {
		return false
	}
	dims := a.Type.Dims
	if !c.require(len(dims) == 2 && dims[1] == 2, op+"_c1", "source_target_pairs has shape %s: want [n, 2]",
		dimsText(dims)) {
		return false
	}
	if a.Splat && dims[0] > 1 {
		c.fail(op+"_c2", "source_target_pairs must not repeat a source, but all %d pairs are equal", dims[0])
		return false
	}
	list := a.Int64s()
	var source, target []int64
	for i := 0; i+1 < len(list); i += 2 {
		source, target = append(source, list[i]), append(target, list[i+1])
	}
	for _, id := range list {
		if !c.require(id >= 0, op+"_c4", "source_target_pairs holds %d, but process ids are not negative", id) {
			return false
		}
	}
	return c.distinct(op+"_c2", dimList{"sources of source_target_pairs", source}) &&
		c.distinct(op+"_c3", dimList{"targets of source_target_pairs", target})
}

// globalIDs checks that use_global_device_ids comes with a channel whose id is at least minID.
func (c *check) globalIDs(constraint string, minID int64) bool {
	id := int64(0)
	if h, ok := c.Attr("channel_handle").(*ChannelHandle); ok {
		id = h.Handle
	}
	return c.require(!c.Bool("use_global_device_ids", false) || id >= minID, constraint,
		"use_global_device_ids needs a channel id of at least %d, but channel_handle has %d", minID, id)
}

// axis requires that a number name a dimension of t.
func (c *check) axis(constraint, name string, dim int64, t *TensorType) bool {
	return c.require(0 <= dim && dim < int64(t.Rank()), constraint, "%s is %d, but %s has rank %d", name,
		dim, t, t.Rank())
}

// sameBut requires that two shapes of equal rank agree in all dimensions but one.
func (c *check) sameBut(constraint string, dim int64, in, out *TensorType) bool {
	for i, n := range in.Dims {
		if int64(i) != dim &&
			!c.require(compatibleSize(n, out.Dims[i]), constraint, "operand %s and result %s differ in dimension %d",
				in, out, i) {
			return false
		}
	}
	return true
}
