package collective

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/stablehlo"
)

// Infeed returns the next values of an infeed.
type Infeed func(ctx context.Context) (types []stablehlo.Type, data [][]byte, err error)

// Lower lowers the collective ops of a function without tokens, for processes whose groups have the same sizes as those
// of p. infeed may be nil.
func Lower(m *stablehlo.Module, f stablehlo.Func, p *processes.Process, infeed Infeed) (err error) {
	defer emit.Catch(&err)
	l := &lowering{p: p, infeed: infeed, meshOf: processes.MeshIn(m), values: map[*stablehlo.Value]*stablehlo.Value{}}
	l.block(f.Body())
	return nil
}

// GroupSizes returns, for each collective op in order, the size of the group of a process, 0 for none. Processes with
// the same sizes share their code.
func GroupSizes(m *stablehlo.Module, p *processes.Process) (sizes []int, err error) {
	meshOf := processes.MeshIn(m)
	for op := range m.Walk() {
		var by processes.Strategy
		switch op.Code {
		case stablehlo.OpAllReduce, stablehlo.OpAllGather, stablehlo.OpReduceScatter, stablehlo.OpCollectiveReduce:
			by = processes.Reducing(op)
		case stablehlo.OpAllToAll:
			by = processes.Moving(op)
		case stablehlo.OpCrossReplicaSum:
			by = processes.CrossReplica
		default:
			continue
		}
		group, err := p.Group(op, by, meshOf)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op.Name(), err)
		}
		sizes = append(sizes, len(group))
	}
	return sizes, nil
}

type lowering struct {
	p      *processes.Process
	infeed Infeed
	meshOf processes.MeshOf
	values map[*stablehlo.Value]*stablehlo.Value // replacements of lowered results
	out    *stablehlo.Block
	op     *stablehlo.Op // current op
}

func (l *lowering) append(op *stablehlo.Op) *stablehlo.Op { return l.out.Append(op) }

func (l *lowering) emitter() emit.Emitter {
	e := emit.To(l.out)
	e.B.Loc = l.op.Loc
	return e
}

// lowerings are the lowerings of the collective ops.
var lowerings lazy.Value[map[stablehlo.OpCode]lowerFunc]

type lowerFunc func(l *lowering, op *stablehlo.Op) ([]*stablehlo.Value, error)

func listLowerings() map[stablehlo.OpCode]lowerFunc {
	return map[stablehlo.OpCode]lowerFunc{
		stablehlo.OpAllReduce:           (*lowering).allReduce,
		stablehlo.OpAllGather:           (*lowering).allGather,
		stablehlo.OpReduceScatter:       (*lowering).reduceScatter,
		stablehlo.OpAllToAll:            (*lowering).allToAll,
		stablehlo.OpCollectiveBroadcast: (*lowering).broadcast,
		stablehlo.OpCollectiveReduce:    (*lowering).reduceToRoot,
		stablehlo.OpCollectivePermute:   (*lowering).permute,
		stablehlo.OpCrossReplicaSum:     (*lowering).crossReplicaSum,
		stablehlo.OpReplicaId:           (*lowering).replicaID,
		stablehlo.OpPartitionId:         (*lowering).partitionID,
		stablehlo.OpSend:                (*lowering).send,
		stablehlo.OpRecv:                (*lowering).receive,
		stablehlo.OpInfeed:              (*lowering).infeedOp,
	}
}

func (l *lowering) block(b *stablehlo.Block) {
	ops, out := b.Ops, l.out
	defer func() { l.out = out }()
	b.SetOps(nil)
	l.out = b
	for _, op := range ops {
		op.Replace(l.values)
		for _, r := range op.Regions {
			l.block(r.Block())
			l.out = b
		}
		f := lowerings.Get(listLowerings)[op.Code]
		if f == nil {
			b.Append(op)
			continue
		}
		l.op = op
		results, err := l.lower(f, op)
		if err != nil {
			emit.FailWith(&emit.Error{Op: op, Err: err})
		}
		for i, r := range op.Results {
			l.values[r] = results[i]
		}
	}
}

func (l *lowering) lower(f func(l *lowering, op *stablehlo.Op) ([]*stablehlo.Value, error),
	op *stablehlo.Op) ([]*stablehlo.Value, error) {
	for _, v := range op.Operands {
		if t := v.Tensor(); t == nil || t.Quant() != nil {
			return nil, fmt.Errorf("operands of collective ops must be tensors that are not quantised, got %s", v.Type())
		}
	}
	return f(l, op)
}

// size returns the number of processes in the group.
func (l *lowering) size(op *stablehlo.Op, by processes.Strategy) (int, error) {
	group, err := groupOf(l.p, op, by, l.meshOf)
	return len(group), err
}

// gatherAll returns, for each operand, the contributions of the group.
func (l *lowering) gatherAll(op *stablehlo.Op, by processes.Strategy) ([][]*stablehlo.Value, error) {
	n, err := l.size(op, by)
	if err != nil {
		return nil, err
	}
	return l.exchange(op, by, n), nil
}

// allReduce combines the contributions of the group, in order.
func (l *lowering) allReduce(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	all, err := l.gatherAll(op, processes.Reducing(op))
	if err != nil {
		return nil, err
	}
	results := make([]*stablehlo.Value, len(op.Results))
	for i, r := range op.Results {
		results[i] = l.combine(op, all[i], r.Tensor().DType())
	}
	return results, nil
}

// combine reduces tensors element by element with the computation of an op.
func (l *lowering) combine(op *stablehlo.Op, x []*stablehlo.Value, d dtype.Type) *stablehlo.Value {
	e, body := l.emitter(), op.Regions[0].Block()
	left, right := stablehlo.DType(body.Args[0].Type()), stablehlo.DType(body.Args[1].Type())
	acc := e.Convert(x[0], left)
	result := x[0].Tensor().WithElem(stablehlo.Scalar(stablehlo.DType(body.Terminator().Operands[0].Type())))
	dims := make([]int64, x[0].Tensor().Rank())
	for i := range dims {
		dims[i] = int64(i)
	}
	for _, y := range x[1:] {
		reduction := stablehlo.NewOp(stablehlo.OpMap, []*stablehlo.Value{e.Convert(acc, left), e.Convert(y, right)},
			[]stablehlo.Type{result}, stablehlo.Named("dimensions", stablehlo.I64s(dims...)))
		reduction.Regions = op.Clone(map[*stablehlo.Value]*stablehlo.Value{}).Regions
		reduction.PlaceAt(op)
		acc = l.append(reduction).Result()
	}
	return e.Convert(acc, d)
}

func (l *lowering) allGather(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	all, err := l.gatherAll(op, processes.Reducing(op))
	if err != nil {
		return nil, err
	}
	results := make([]*stablehlo.Value, len(all))
	for i, parts := range all {
		results[i] = l.concatenate(parts, op.Int("all_gather_dim", 0))
	}
	return results, nil
}

func (l *lowering) concatenate(parts []*stablehlo.Value, dim int64) *stablehlo.Value {
	return l.emitter().Value(stablehlo.OpConcatenate, parts, stablehlo.Named("dimension", stablehlo.I64(dim)))
}

// slicePart returns the part of x, one of n along a dimension, with the index of the process.
func (l *lowering) slicePart(x *stablehlo.Value, dim int64, n int, index *stablehlo.Value) (*stablehlo.Value, error) {
	sizes := slices.Clone(emit.Sizes(x))
	if n == 0 || sizes[dim]%int64(n) != 0 {
		return nil, fmt.Errorf("dimension %d of shape %v must be divisible by the %d processes", dim, sizes, n)
	}
	sizes[dim] /= int64(n)
	e := l.emitter()
	in := []*stablehlo.Value{x}
	for d := range sizes {
		if int64(d) == dim {
			in = append(in, e.Mul(index, e.Ints(dtype.S32, sizes[dim])))
		} else {
			in = append(in, e.Ints(dtype.S32, 0))
		}
	}
	for i, v := range in[1:] { // scalars
		in[i+1] = e.Value(stablehlo.OpReshape, []*stablehlo.Value{v}, stablehlo.Results{stablehlo.Tensor(dtype.S32)})
	}
	return e.Value(stablehlo.OpDynamicSlice, in, stablehlo.Named("slice_sizes", stablehlo.I64s(sizes...))), nil
}

// indexInGroup returns the index of the process in its group, as a tensor of one s32.
func (l *lowering) indexInGroup(op *stablehlo.Op, by processes.Strategy) *stablehlo.Value {
	meshOf := l.meshOf
	return l.processScalar(op, stablehlo.Tensor(dtype.S32, 1), func(p *processes.Process) (int, error) {
		group, err := groupOf(p, op, by, meshOf)
		return p.IndexIn(group), err
	})
}

func (l *lowering) reduceScatter(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	by := processes.Reducing(op)
	n, err := l.size(op, by)
	if err != nil {
		return nil, err
	}
	reduced, err := l.allReduce(op)
	if err != nil {
		return nil, err
	}
	r, err := l.slicePart(reduced[0], op.Int("scatter_dimension", 0), n, l.indexInGroup(op, by))
	return []*stablehlo.Value{r}, err
}

func (l *lowering) allToAll(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	by := processes.Moving(op)
	all, err := l.gatherAll(op, by)
	if err != nil {
		return nil, err
	}
	index, n := l.indexInGroup(op, by), int(op.Int("split_count", 1))
	results := make([]*stablehlo.Value, len(all))
	for i, parts := range all {
		if len(parts) != n {
			return nil, fmt.Errorf("split_count must be the size of the group, got %d in a group of %d processes", n, len(parts))
		}
		cut := make([]*stablehlo.Value, n)
		for k, x := range parts {
			if cut[k], err = l.slicePart(x, op.Int("split_dimension", 0), n, index); err != nil {
				return nil, err
			}
		}
		results[i] = l.concatenate(cut, op.Int("concat_dimension", 0))
	}
	return results, nil
}

// reduceToRoot is allReduce with zeros instead of the results on all processes but the roots.
func (l *lowering) reduceToRoot(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	if op.Bool("has_dynamic_root", false) {
		return nil, errors.New("a dynamic root is not supported")
	}
	e, by := l.emitter(), processes.Reducing(op)
	group, err := l.p.Group(op, by, l.meshOf)
	if err != nil {
		return nil, err
	}
	results := make([]*stablehlo.Value, len(op.Results))
	if group == nil {
		for i, r := range op.Results {
			results[i] = e.Zeros(r.Type())
		}
		return results, nil
	}
	reduced, err := l.allReduce(op)
	if err != nil {
		return nil, err
	}
	index := e.Value(stablehlo.OpReshape, []*stablehlo.Value{l.indexInGroup(op, by)},
		stablehlo.Results{stablehlo.Tensor(dtype.S32)})
	isRoot := e.Compare("EQ", index, e.Fill(index, 0))
	for i, x := range reduced {
		results[i] = e.Keep(isRoot, x)
	}
	return results, nil
}

func (l *lowering) crossReplicaSum(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	all, err := l.gatherAll(op, processes.CrossReplica)
	if err != nil {
		return nil, err
	}
	e, acc := l.emitter(), all[0][0]
	for _, x := range all[0][1:] {
		acc = e.Add(acc, x)
	}
	return []*stablehlo.Value{acc}, nil
}

func (l *lowering) replicaID(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	return []*stablehlo.Value{l.processScalar(op, op.Result().Type(),
		func(p *processes.Process) (int, error) { return p.Replica, nil })}, nil
}

func (l *lowering) partitionID(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	return []*stablehlo.Value{l.processScalar(op, op.Result().Type(),
		func(p *processes.Process) (int, error) { return p.Partition, nil })}, nil
}

// infeedOp reads the next values of the infeed.
func (l *lowering) infeedOp(op *stablehlo.Op) ([]*stablehlo.Value, error) {
	if l.infeed == nil {
		return nil, errors.New("the executable must have an infeed")
	}
	types, infeed := typesOf(op.Results), l.infeed
	return l.append(HostCall(op, nil, types, func(ctx context.Context, _, outs [][]byte) error {
		got, data, err := infeed(ctx)
		if err != nil {
			return err
		}
		return contribution{got, data}.copyTo(outs, types)
	})).Results, nil
}
