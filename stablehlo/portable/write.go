package portable

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// WriteOptions configure [Write].
type WriteOptions struct {
	// Version is the version of StableHLO that is to read the artifact, from 0.9.0
	// to [stablehlo.Current()], which the zero Version stands for.
	Version     stablehlo.Version
	NoLocations bool // leave out where ops come from
}

// Write writes a module as a portable artifact for a version of StableHLO. Ops of other dialects (chlo, sdy)
// stay in their dialects. The names of values are dropped: bytecode has none.
//
// An op, a type, an attribute or the value of an attribute that is not in the version is an error that names
// it. The module must be verified.
func Write(out io.Writer, m *stablehlo.Module, opts WriteOptions) (err error) {
	target := opts.Version
	switch {
	case target == stablehlo.Version{}:
		target = stablehlo.Current()
	case older(target, oldest):
		return fmt.Errorf("portable: version %s is older than %s, the first that can be written", target, oldest)
	case older(stablehlo.Current(), target):
		return fmt.Errorf("portable: version %s is newer than %s, the last that can be written", target, stablehlo.Current())
	}
	w := &writer{
		written: target,
		// Releases with a patch number have the ops of the one they patch.
		target:      stablehlo.Version{Major: target.Major, Minor: target.Minor},
		container:   containerOf(target),
		noLocations: opts.NoLocations,
		nodes:       nodes{byKey: map[string]*node{}},
		locs:        map[stablehlo.Location]*node{},
		values:      map[*stablehlo.Value]*value{},
		nonVHLO:     map[*stablehlo.Value]*value{},
		crossings:   crossings{map[*stablehlo.Value]bool{}, map[*stablehlo.Value]firstUse{}, 0},
		strings:     table{index: map[string]int{}},
		dialects:    table{index: map[string]int{}},
		names:       map[opName]*nameNode{},
		propIndex:   map[string]int{},
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case problem:
			err = p.err
		default:
			panic(p)
		}
	}()
	top := w.module(m)
	w.number(top)
	e := w.emit(top)
	e.flush()
	for _, c := range e.chunks {
		if _, err := out.Write(c); err != nil {
			return err
		}
	}
	return nil
}

// writer is the state of one Write.
type writer struct {
	written     stablehlo.Version // the version in the artifact
	target      stablehlo.Version // whose ops it has
	container   int
	noLocations bool
	op          *stablehlo.Op // the op being converted to VHLO

	nodes     nodes
	locs      map[stablehlo.Location]*node
	values    map[*stablehlo.Value]*value // with types of VHLO
	nonVHLO   map[*stablehlo.Value]*value // with types of other dialects
	crossings crossings

	attrs    []*node // in the order of their first use, then of their numbers
	types    []*node
	dialects table
	names    map[opName]*nameNode
	opNames  []*nameNode
	strings  table

	props     [][]byte // with their lengths
	propIndex map[string]int
}

// nameNode is the name of an op, which is numbered as attributes are.
type nameNode struct {
	opName
	refs, number, dialect int
}

// value is a value to be written.
type value struct {
	typ    *node
	loc    *node // of an argument
	number int
	owner  *outRegion
	by     *outOp // that it is a result of, or nil
	uses   []use
}

// outOp is an op to be written, in VHLO or in its own dialect.
type outOp struct {
	name     opName
	loc      *node
	attrs    []namedNode // discardable ones
	props    []prop      // in the order of their names
	results  []*value
	operands []*value
	regions  []*outRegion
	trait    bool // it is isolated by its definition
	isolated bool
	// rewritten: StableHLO's own writer builds the op again for the version.
	rewritten bool
	toVHLO    bool // it is a cast to VHLO

	nameNode *nameNode
	dict     *node
}

// prop is a property of an op.
type prop struct {
	name     string
	attr     *node // nil when it is absent
	optional bool
	sparse   []int64 // sizes of groups, which are not an attribute
}

type outRegion struct {
	op     *outOp
	empty  bool
	args   []*value
	ops    []*outOp
	values int
}

// module converts a module for writing.
func (w *writer) module(m *stablehlo.Module) *outOp {
	w.crossings.find(m.Op)
	return w.otherOp(nil, m.Op)
}

// block converts the ops of a block, and inserts casts where they change dialect.
func (w *writer) block(region *outRegion, b *stablehlo.Block) {
	for _, op := range b.Ops {
		if vhloName(op.Code) != "" {
			w.vhloOp(region, op)
			w.castFromVHLO(region, op.Results, op)
		} else {
			region.ops = append(region.ops, w.otherOp(region, op))
			w.castToVHLO(region, op.Results)
		}
	}
}

// otherOp converts an op that is not written as VHLO. Its operands get the types of its own dialect, as its
// results do.
func (w *writer) otherOp(region *outRegion, op *stablehlo.Op) *outOp {
	w.op = op
	dialect, name, _ := strings.Cut(op.Name(), ".")
	info := op.Code.Info()
	o := &outOp{
		name:  opName{dialect, name, op.Code != stablehlo.Unregistered || propertiesOf(op.Name()) != ""},
		loc:   w.location(op.Loc),
		trait: info.Traits&stablehlo.Isolated != 0,
	}
	for _, v := range op.Operands {
		o.operands = append(o.operands, w.nonVHLO[v])
	}
	for _, r := range op.Results {
		v := &value{typ: w.builtinType(r.Type()), owner: region}
		w.nonVHLO[r] = v
		o.results = append(o.results, v)
	}
	if w.container < nativeProperties {
		for _, a := range op.Attrs {
			o.attrs = append(o.attrs, namedNode{a.Name, w.builtinAttr(a.Value)})
		}
	} else {
		w.otherProps(o, op)
	}
	w.regions(o, op, w.builtinType, w.nonVHLO, w.castToVHLO)
	return o
}

// regions converts the regions of op. Their arguments get types by typ and are entered into values; cast appends the
// casts of those that ops of the other dialect use.
func (w *writer) regions(o *outOp, op *stablehlo.Op, typ func(stablehlo.Type) *node, values map[*stablehlo.Value]*value,
	cast func(*outRegion, []*stablehlo.Value)) {
	for _, r := range op.Regions {
		out := &outRegion{op: o, empty: len(r.Blocks) == 0}
		o.regions = append(o.regions, out)
		if out.empty {
			continue
		}
		for _, a := range r.Block().Args {
			v := &value{typ: typ(a.Type()), loc: w.location(a.Loc), owner: out}
			out.args = append(out.args, v)
			values[a] = v
		}
		cast(out, r.Block().Args)
		w.block(out, r.Block())
	}
}

// otherProps splits the attributes of an op into properties and others.
func (w *writer) otherProps(o *outOp, op *stablehlo.Op) {
	if op.Code == stablehlo.Unregistered {
		names := strings.Fields(propertiesOf(op.Name()))
		for _, name := range names {
			base, optional := strings.CutSuffix(name, "?")
			p := prop{name: base, optional: optional}
			if a := op.Attr(base); a != nil {
				p.attr = w.builtinAttr(a)
			} else if !optional {
				w.fail("attribute %s is missing", base)
			}
			o.props = append(o.props, p)
		}
		for _, a := range op.Attrs { // inherent and discardable attributes of an unknown op cannot be distinguished
			if !slices.Contains(names, a.Name) && !slices.Contains(names, a.Name+"?") {
				o.attrs = append(o.attrs, namedNode{a.Name, w.builtinAttr(a.Value)})
			}
		}
		return
	}
	info := op.Code.Info()
	for _, spec := range info.Attrs {
		p := prop{name: spec.Name, optional: spec.Optional}
		if a := op.Attr(spec.Name); older(w.target, spec.Since) { // readers do not expect it
			if a != nil && !stablehlo.SameAttr(a, spec.Default) {
				w.since(spec.Since, "the attribute "+spec.Name)
			}
			continue
		} else if a != nil {
			p.attr = w.builtinAttr(a)
		} else if !spec.Optional {
			w.fail("attribute %s is missing", spec.Name)
		}
		o.props = append(o.props, p)
	}
	segments := segmentNames[:]
	for _, a := range op.Attrs {
		if info.Attr(a.Name) == nil && (info.Traits&stablehlo.Segments == 0 || !slices.Contains(segments, a.Name)) {
			o.attrs = append(o.attrs, namedNode{a.Name, w.builtinAttr(a.Value)})
		}
	}
	if info.Traits&stablehlo.Segments != 0 {
		for _, name := range segments {
			if sizes := op.Ints(name); sizes != nil {
				o.props = append(o.props, prop{name: name, sparse: sizes})
			}
		}
	}
}

// vhloOp converts an op of StableHLO, or a function, to that of the target version.
func (w *writer) vhloOp(region *outRegion, op *stablehlo.Op) {
	w.op = op
	version, attrs := w.downgrade(op)
	o := &outOp{
		name: opName{"vhlo", fmt.Sprintf("%s_v%d", version.name, version.number), true},
		loc:  w.location(op.Loc),
	}
	o.rewritten = version.last != stablehlo.Version{}
	region.ops = append(region.ops, o)
	for _, a := range attrs {
		n := namedNode{a.Name, w.vhloAttr(a.Value)}
		if w.container >= nativeProperties && slices.Contains(version.attrs, a.Name) {
			o.props = append(o.props, prop{name: n.name, attr: n.attr})
		} else {
			o.attrs = append(o.attrs, n)
		}
	}
	for _, v := range op.Operands {
		o.operands = append(o.operands, w.values[v])
	}
	for _, r := range op.Results {
		v := &value{typ: w.vhloType(r.Type()), owner: region, by: o}
		w.values[r] = v
		o.results = append(o.results, v)
	}
	w.regions(o, op, w.vhloType, w.values, func(r *outRegion, args []*stablehlo.Value) { w.castFromVHLO(r, args, nil) })
}
