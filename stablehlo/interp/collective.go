package interp

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/stablehlo"
)

// exchange returns the operands of each member of the process's group. All must
// bring the same types.
func (f *frame) exchange(op *stablehlo.Op, group []processes.ID, operands []*Tensor) ([][]*Tensor, error) {
	brought, err := f.proc.Rendezvous(f.ctx, op, group, operands)
	if err != nil {
		return nil, canceled(f.ctx)
	}
	all := make([][]*Tensor, len(brought))
	for i, b := range brought {
		theirs := b.([]*Tensor)
		all[i] = theirs
		if len(theirs) != len(operands) {
			return nil, faultf(BadShape, "processes bring %d and %d operands", len(operands), len(theirs))
		}
		for i, x := range theirs {
			if !stablehlo.SameType(x.Type, operands[i].Type) {
				return nil, faultf(BadShape, "processes bring operands of types %s and %s", operands[i].Type, x.Type)
			}
		}
	}
	return all, nil
}

// group returns the group of an op that contains the process; nil if the process is in no group.
func (f *frame) group(op *stablehlo.Op, by processes.Strategy) ([]processes.ID, error) {
	g, err := f.proc.Group(op, by, processes.MeshIn(f.it.module))
	return g, noParallel(err)
}

// member returns the process's group, which it must have.
func (f *frame) member(op *stablehlo.Op, by processes.Strategy) ([]processes.ID, error) {
	g, err := f.group(op, by)
	if g == nil && err == nil {
		err = faultf(NoParallel, "process (%d, %d) is in no replica group", f.proc.Replica, f.proc.Partition)
	}
	return g, err
}

// ofEach returns operand i of each process.
func ofEach(all [][]*Tensor, i int) []*Tensor {
	out := make([]*Tensor, len(all))
	for p, operands := range all {
		out[p] = operands[i]
	}
	return out
}

func evalAllGather(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	group, err := f.member(s.op, processes.Reducing(s.op))
	if err != nil {
		return nil, err
	}
	all, err := f.exchange(s.op, group, x)
	if err != nil {
		return nil, err
	}
	results := make([]Value, len(x))
	for i := range x {
		r, err := concatenate(f, s.op.Results[i].Tensor(), ofEach(all, i), int(s.op.Int("all_gather_dim", 0)))
		if err != nil {
			return nil, err
		}
		results[i] = r
	}
	return results, nil
}

func evalAllReduce(f *frame, s *step, args []Value) ([]Value, error) {
	results, _, err := f.allReduce(s, args)
	return values(results), err
}

// allReduce combines the operands of the group's processes in their order.
func (f *frame) allReduce(s *step, args []Value) ([]*Tensor, []processes.ID, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, nil, err
	}
	group, err := f.member(s.op, processes.Reducing(s.op))
	if err != nil {
		return nil, nil, err
	}
	all, err := f.exchange(s.op, group, x)
	if err != nil {
		return nil, nil, err
	}
	results := make([]*Tensor, len(x))
	for i := range x {
		if results[i], err = f.combine(s, i, ofEach(all, i)); err != nil {
			return nil, nil, err
		}
	}
	return results, group, nil
}

// evalCrossReplicaSum adds the operands of the group's processes in their order.
func evalCrossReplicaSum(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	group, err := f.member(s.op, processes.CrossReplica)
	if err != nil {
		return nil, err
	}
	all, err := f.exchange(s.op, group, x)
	if err != nil {
		return nil, err
	}
	add := binaryKernel(stablehlo.NewOp(stablehlo.OpAdd, nil, nil), x[0].Type.DType())
	sum := &Tensor{x[0].Type, slices.Clone(x[0].Data)}
	for p, operands := range all {
		if p == 0 {
			copy(sum.Data, operands[0].Data)
			continue
		}
		for i := range len(sum.Data) / sum.Type.DType().Size() {
			add(sum.Data, sum.Data, operands[0].Data, i)
		}
	}
	return []Value{sum}, nil
}

// combine reduces tensors elementwise with the op's computation; every operand
// of the op has the computation to itself.
func (f *frame) combine(s *step, result int, x []*Tensor) (*Tensor, error) {
	body, err := f.newReduction(s.regions[0])
	if err != nil {
		return nil, err
	}
	first, err := convert(f, x[0], body.elem(0))
	if err != nil {
		return nil, err
	}
	r := &Tensor{first.Type, slices.Clone(first.Data)}
	for _, y := range x[1:] {
		if y, err = convert(f, y, body.elem(1)); err != nil {
			return nil, err
		}
		for i := range r.numElems() {
			if err := body.add([]*Tensor{r}, i, []*Tensor{y}, i); err != nil {
				return nil, err
			}
		}
	}
	return convert(f, r, s.op.Results[result].Tensor().Elem)
}

func evalReduceScatter(f *frame, s *step, args []Value) ([]Value, error) {
	reduced, group, err := f.allReduce(s, args)
	if err != nil {
		return nil, err
	}
	r, err := part(f, s.op.Result().Tensor(), reduced[0], int(s.op.Int("scatter_dimension", 0)),
		f.proc.IndexIn(group), len(group))
	return []Value{r}, err
}

// part returns part i of n of x along dimension d.
func part(f *frame, t *stablehlo.TensorType, x *Tensor, d, i, n int) (*Tensor, error) {
	dims, steps := slices.Clone(x.dims()), rowMajor(x.dims())
	if dims[d]%int64(n) != 0 || i >= n {
		return nil,
			faultf(BadShape, "dimension %d of shape %v cannot be split into %d parts for as many processes", d, dims, n)
	}
	dims[d] /= int64(n)
	r, err := makeTensor(t, dims...)
	if err != nil {
		return nil, err
	}
	return r, newMover(dims, r.size(), rowMajor(dims), steps).run(f, r.Data, x.Data, 0,
		i*int(dims[d])*steps[d], r.size())
}

func evalAllToAll(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	group, err := f.member(s.op, processes.Moving(s.op))
	if err != nil {
		return nil, err
	}
	all, err := f.exchange(s.op, group, x)
	if err != nil {
		return nil, err
	}
	split, n := int(s.op.Int("split_dimension", 0)), int(s.op.Int("split_count", 1))
	results := make([]Value, len(x))
	for i := range x {
		parts := ofEach(all, i)
		for p, y := range parts {
			if parts[p], err = part(f, y.Type, y, split, f.proc.IndexIn(group), n); err != nil {
				return nil, err
			}
		}
		r, err := concatenate(f, s.op.Results[i].Tensor(), parts, int(s.op.Int("concat_dimension", 0)))
		if err != nil {
			return nil, err
		}
		results[i] = r
	}
	return results, nil
}

// zero returns the tensor that a process gets which takes no part.
func zero(f *frame, t *stablehlo.TensorType, x *Tensor) (*Tensor, error) {
	zeros, err := makeTensor(t.WithElem(stablehlo.Scalar(dtype.Bool)), x.dims()...)
	if err != nil {
		return nil, err
	}
	return convert(f, zeros, t.Elem) // for a quantised type the value that represents 0
}

func zeros(f *frame, op *stablehlo.Op, x []*Tensor) ([]Value, error) {
	out := make([]Value, len(op.Results))
	for i, r := range op.Results {
		z, err := zero(f, r.Tensor(), x[i])
		if err != nil {
			return nil, err
		}
		out[i] = z
	}
	return out, nil
}

// roots returns, for each result, the index in the group of its root process: the first, or that of the last
// operand.
func roots(op *stablehlo.Op, x []*Tensor, group int) ([]int, error) {
	out := make([]int, len(op.Results))
	if !op.Bool("has_dynamic_root", false) {
		return out, nil
	}
	at := ints(x[len(x)-1])
	for i := range out {
		if i >= len(at) || at[i] < 0 || at[i] >= int64(group) {
			return nil, faultf(NoParallel, "roots %v in a group of %d processes", at, group)
		}
		out[i] = int(at[i])
	}
	return out, nil
}

func evalCollectiveBroadcast(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	group, err := f.group(s.op, processes.Moving(s.op))
	if err != nil {
		return nil, err
	}
	if group == nil {
		return zeros(f, s.op, x)
	}
	from, err := roots(s.op, x, len(group))
	if err != nil {
		return nil, err
	}
	all, err := f.exchange(s.op, group, x)
	if err != nil {
		return nil, err
	}
	results := make([]Value, len(from))
	for i, root := range from {
		results[i] = all[root][i]
	}
	return results, nil
}

// evalCollectiveReduce is all_reduce whose results only the roots get; the
// groups are those of all_reduce too, as use_global_device_ids has it.
func evalCollectiveReduce(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args)
	if err != nil {
		return nil, err
	}
	group, err := f.group(s.op, processes.Reducing(s.op))
	if err != nil {
		return nil, err
	}
	if group == nil {
		return zeros(f, s.op, x)
	}
	to, err := roots(s.op, x, len(group))
	if err != nil {
		return nil, err
	}
	all, err := f.exchange(s.op, group, x)
	if err != nil {
		return nil, err
	}
	results, err := zeros(f, s.op, x)
	if err != nil {
		return nil, err
	}
	for i, root := range to {
		if root != f.proc.IndexIn(group) {
			continue
		}
		if results[i], err = f.combine(s, i, ofEach(all, i)); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// evalCollectivePermute sends along each pair of processes that this one is
// part of; a pair with itself needs no meeting.
func evalCollectivePermute(f *frame, s *step, args []Value) ([]Value, error) {
	x := args[0].(*Tensor)
	result, err := zero(f, s.op.Result().Tensor(), x)
	if err != nil {
		return nil, err
	}
	pairs, _ := s.op.Attr("source_target_pairs").(*stablehlo.ElementsAttr)
	if pairs == nil {
		return nil, faultf(Unsupported, "collective_permute without pairs")
	}
	for _, ids := range processes.RowsOf(pairs) {
		if len(ids) != 2 {
			return nil, faultf(NoParallel, "source_target_pairs must hold pairs, got %v", ids)
		}
		if ids[0] == ids[1] {
			ids = ids[:1]
		}
		group, err := f.proc.GroupOf(processes.Moving(s.op), ids)
		if err != nil {
			return nil, noParallel(err)
		}
		if group == nil {
			continue
		}
		all, err := f.exchange(s.op, group, []*Tensor{x})
		if err != nil {
			return nil, err
		}
		if f.proc.IndexIn(group) == len(group)-1 {
			result = all[0][0]
		}
	}
	return []Value{result}, nil
}

func evalReplicaID(f *frame, s *step, _ []Value) ([]Value, error) {
	return []Value{scalarOf(s.op.Result().Tensor().DType(), int64(f.proc.Replica))}, nil
}

func evalPartitionID(f *frame, s *step, _ []Value) ([]Value, error) {
	return []Value{scalarOf(s.op.Result().Tensor().DType(), int64(f.proc.Partition))}, nil
}
