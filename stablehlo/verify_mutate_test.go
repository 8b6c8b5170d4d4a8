package stablehlo

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/testkit"
)

// validPrograms use every op that has constraints.
var validPrograms = []string{
	convProgram, quantConvProgram, gatherProgram, scatterProgram, reduceProgram, reduceWindowProgram,
	selectAndScatterProgram, sortProgram, promotingReductionProgram, allGatherProgram, allReduceProgram,
	reduceScatterProgram, allToAllProgram, collectiveBroadcastProgram, collectiveReduceProgram,
	collectivePermuteProgram, meshGroupsProgram, transferProgram, asyncProgram, compositeProgram,
	customCallLayoutsProgram, customCallAliasesProgram, bufferCallsProgram, dynamicBroadcastInDimProgram,
	quantizedDynamicBroadcastProgram, dynamicReshapeProgram, quantizedDynamicReshapeProgram, dynamicPadProgram,
	dynamicIotaProgram, realDynamicSliceProgram, rngProgram, topKProgram, scanProgram, constantLikeProgram,
	raggedDotProgram,
	elementwiseProgram, selectShapesProgram, quantizedProgram, broadcastProgram, shapeProgram, quantizedShapeProgram,
	dotProgram, linalgProgram, controlProgram, testOpsProgram,
}

// mutator breaks modules at random.
type mutator struct {
	*rand.Rand
	ops    []*Op
	values []*Value
	attrs  []Attr
	types  []Type
}

func newMutator(m *Module, seed uint64) *mutator {
	u := &mutator{Rand: rand.New(rand.NewPCG(seed, 1)), values: []*Value{nil}, attrs: []Attr{
		nil, IntAttr{-1, Scalar(dtype.S64)}, IntAttr{1 << 62, nil}, IntsAttr{dtype.S64, nil},
		IntsAttr{dtype.Bool, []int64{1, 1, 1}},
		ArrayAttr{nil}, DictAttr{}, StringAttr("x"), Symbol("f"), UnitAttr{}, TypeAttr{},
		EnumAttr{"stablehlo", "precision", "NONE"}, OpaqueAttr{"x"},
		&ElementsAttr{Type: Tensor(dtype.S64, 1<<40, 1<<40), Data: make([]byte, 8), Splat: true},
		&ElementsAttr{Type: Tensor(dtype.S64, 0, 2), Data: nil},
		&GatherDims{IndexVectorDim: -1}, &ScatterDims{UpdateWindowDims: []int64{9}}, &ConvDims{},
		&DotDims{LHSBatching: []int64{5}}, &RaggedDotDims{},
		&ChannelHandle{}, &OutputOperandAlias{OperandIndex: 9}, &ReplicaGroupMeshAxes{}, &ResultAccuracy{},
		&DotAlgorithm{},
	}, types: []Type{
		nil, Scalar(dtype.F32), TokenType{}, &TupleType{}, &FutureType{}, &BufferType{}, NoneType{},
		OtherType{"i17"}, &FuncType{},
		&UnrankedTensorType{Elem: Scalar(dtype.F32)}, Tensor(dtype.F32), Tensor(dtype.F32, Dynamic),
		Tensor(dtype.Bool, 0, 2),
		&TensorType{}, &TensorType{Dims: []int64{-7}, Elem: Scalar(dtype.S32)},
		&TensorType{Dims: []int64{Dynamic}, Bounds: []int64{3, 4}, Elem: IndexType{}},
		&TensorType{Dims: []int64{2, 3}, Elem: &QuantType{Storage: dtype.S8, Expressed: dtype.F32, Axis: 1}},
		&TensorType{Dims: []int64{2, 3}, Elem: &QuantType{Storage: dtype.S8, Expressed: dtype.F32, Axis: 7,
			Scales: []float64{1}, ZeroPoints: []int64{0}, Min: -128, Max: 127}},
		Tensor(dtype.F64, 1<<62, 1<<62),
	}}
	for op := range m.Walk() {
		u.ops = append(u.ops, op)
		u.values = append(u.values, op.Results...)
		for _, a := range op.Attrs {
			u.attrs = append(u.attrs, a.Value)
		}
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				u.values = append(u.values, b.Args...)
			}
		}
	}
	for _, v := range u.values[1:] {
		u.types = append(u.types, v.typ)
	}
	return u
}

func pick[T any](u *mutator, list []T) T { return list[u.IntN(len(list))] }

// mutate changes one thing of one op.
func (u *mutator) mutate() {
	op := pick(u, u.ops)
	switch u.IntN(8) {
	case 0, 1:
		u.changeAttr(op)
	case 2:
		op.Operands = u.changeList(op.Operands)
	case 3:
		u.changeResults(op)
	case 4, 5:
		u.changeRegion(op)
	default:
		if len(op.Operands)+len(op.Results) > 0 {
			if v := pick(u, slices.Concat(op.Operands, op.Results)); v != nil {
				v.typ = u.changedType(v.typ)
			}
		}
	}
}

func (u *mutator) changeAttr(op *Op) {
	if len(op.Attrs) == 0 {
		return
	}
	a := &op.Attrs[u.IntN(len(op.Attrs))]
	switch x := a.Value.(type) {
	case IntAttr:
		a.Value = IntAttr{pick(u, []int64{-1, 0, 1, 2, 7, 1 << 62, -1 << 63}), x.Type}
		return
	case IntsAttr:
		x.Values = u.changedInts(x.Values)
		a.Value = x
		return
	case structAttr:
		f := pick(u, x.fields())
		switch at := f.at.(type) {
		case *[]int64:
			*at = u.changedInts(*at)
		case *int64:
			*at = pick(u, []int64{-1, 0, 1, 2, 7, 1 << 62})
		}
		return
	}
	switch u.IntN(3) {
	case 0:
		op.SetAttr(a.Name, nil)
	default:
		a.Value = pick(u, u.attrs)
	}
}

func (u *mutator) changedInts(list []int64) []int64 {
	list = slices.Clone(list)
	n := pick(u, []int64{-1, 0, 1, 2, 3, 1 << 62, -1 << 63})
	switch i := u.IntN(len(list) + 1); {
	case i == len(list) || u.IntN(3) == 0:
		return append(list, n)
	case u.IntN(2) == 0:
		return slices.Delete(list, i, i+1)
	default:
		list[i] = n
		return list
	}
}

func (u *mutator) changeList(list []*Value) []*Value {
	list = slices.Clone(list)
	if len(list) == 0 || u.IntN(3) == 0 {
		return append(list, pick(u, u.values))
	}
	i := u.IntN(len(list))
	if u.IntN(2) == 0 {
		return slices.Delete(list, i, i+1)
	}
	list[i] = pick(u, u.values)
	return list
}

func (u *mutator) changeResults(op *Op) {
	types := make([]Type, 0, len(op.Results)+1)
	for _, r := range op.Results {
		types = append(types, r.typ)
	}
	if len(types) == 0 || u.IntN(2) == 0 {
		types = append(types, pick(u, u.types))
	} else {
		types = types[1:]
	}
	op.setResults(types)
}

func (u *mutator) changeRegion(op *Op) {
	if len(op.Regions) == 0 || u.IntN(8) == 0 {
		op.Regions = append(op.Regions, &Region{parent: op})
		return
	}
	i := u.IntN(len(op.Regions))
	r := op.Regions[i]
	b := r.Block()
	switch k := u.IntN(7); {
	case k == 0:
		op.Regions = slices.Delete(slices.Clone(op.Regions), i, i+1)
	case k == 1 || b == nil:
		r.Blocks = nil
	case k == 2:
		r.AddBlock()
	case k == 3:
		b.AddArg(pick(u, u.types))
	case k == 4 && len(b.Args) > 0:
		b.Args = b.Args[1:]
	case k == 5 && len(b.Ops) > 0:
		b.SetOps(b.Ops[:len(b.Ops)-1])
	case len(b.Args) > 0:
		v := pick(u, b.Args)
		v.typ = u.changedType(v.typ)
	}
}

func (u *mutator) changedType(t Type) Type {
	x, ok := t.(*TensorType)
	if !ok || u.IntN(3) == 0 {
		return pick(u, u.types)
	}
	y := *x
	y.Dims = u.changedInts(x.Dims)
	return &y
}

// Verify and InferTypes report the errors of a broken module; they never panic.
func TestVerifyMutations(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	for i, program := range validPrograms {
		t.Run(strconv.Itoa(i), func(t *testing.T) { mutateAll(t, &Source{Text: []byte(program)}, rounds) })
	}
}

// The same for the programs of StableHLO's own tests.
func TestVerifyMutationsOfCorpus(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", "stablehlo", "verify"), "*.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) { mutateAll(t, &Source{Name: path, Text: text}, 20) })
	}
}

// mutateAll breaks a program in many ways.
func mutateAll(t *testing.T, s *Source, rounds int) {
	for seed := range rounds {
		m, err := ParseSource(&Source{Name: s.Name, Text: s.Text})
		if err != nil {
			return
		}
		u := newMutator(m, uint64(seed))
		for range 1 + u.IntN(3) {
			u.mutate()
		}
		tryVerify(t, m, seed)
	}
}

func tryVerify(t *testing.T, m *Module, seed int) {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("seed %d: panic: %v\n%s", seed, r, debug.Stack())
		}
	}()
	if err := m.Verify(); err != nil {
		_ = err.Error()
	}
	for op := range m.Walk() {
		if _, err := InferTypes(op); err != nil {
			_ = err.Error()
		}
	}
}

// FuzzVerify checks that no text makes the verifier panic.
func FuzzVerify(f *testing.F) {
	for _, program := range validPrograms {
		f.Add([]byte(program))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse("", text)
		if err != nil {
			return
		}
		if err := m.Verify(); err != nil {
			_ = err.Error()
		}
	})
}
