package stablehlo

import "iter"

// RepeatAttr is the attribute of a custom_call that has run before, with its effects, and runs
// again only where its results are needed: the second run of a step in reverse mode.
const RepeatAttr = "nx.repeat"

// Effects reports which ops of a module do more than compute their results: they call a Go function, transfer
// data, or check something. A call or a composite has the effects of its callee, and an op with regions those
// of the ops in them. Transformations query Effects before they drop, merge, duplicate or move an op.
type Effects struct {
	module *Op
	funcs  map[string]bool // whether an op of a function has an effect
}

// Effects returns the effects of the ops of a module. Functions may be added to the module
// later; those there are keep their effects.
func (m *Module) Effects() *Effects { return &Effects{m.Op, map[string]bool{}} }

// Effects returns the effects of the ops of the function's module.
func (f Func) Effects() *Effects { return &Effects{f.Op.Parent(), map[string]bool{}} }

// Has reports whether an op, an op in its regions, or one that these call has an effect.
func (e *Effects) Has(op *Op) bool {
	for x := range op.Walk() {
		if e.HasOwn(x) {
			return true
		}
	}
	return false
}

// HasOwn is [Effects.Has] without the ops in regions.
func (e *Effects) HasOwn(op *Op) bool {
	if op.Code == Unregistered {
		return true
	}
	if name := op.Callee(); name != "" {
		return e.ofFunc(name)
	}
	return op.Code.Info().Traits&SideEffects != 0 && op.Attr(RepeatAttr) == nil
}

// ofFunc reports whether an op of a function has an effect. A function without a body may have
// any. A function that calls itself, which no transformation takes, has those of its other ops.
func (e *Effects) ofFunc(name string) bool {
	has, known := e.funcs[name]
	if known {
		return has
	}
	if e.module == nil {
		return true
	}
	f, ok := (&Module{Op: e.module}).Func(name)
	if !ok || f.IsDeclaration() {
		return true
	}
	e.funcs[name] = false
	for _, op := range f.Body().Ops {
		if has = e.Has(op); has {
			break
		}
	}
	e.funcs[name] = has
	return has
}

// Callee returns the name of the function that a call, or a composite by its decomposition, is
// an application of; "" of other ops.
func (o *Op) Callee() string {
	switch o.Code {
	case OpCall:
		return o.Str("callee")
	case OpComposite:
		return o.Str("decomposition")
	}
	return ""
}

// Reached yields an op, the ops in its regions, and those of the functions of the module that
// these call, each function once.
func (m *Module) Reached(op *Op) iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		var seen map[string]bool
		var visit func(op *Op) bool
		visit = func(op *Op) bool {
			for x := range op.Walk() {
				if !yield(x) {
					return false
				}
				name := x.Callee()
				if name == "" || seen[name] {
					continue
				}
				if seen == nil {
					seen = map[string]bool{}
				}
				seen[name] = true
				if f, ok := m.Func(name); ok && !visitBody(f, visit) {
					return false
				}
			}
			return true
		}
		visit(op)
	}
}

// CallsHost reports whether an op, an op in its regions, or one that these call, calls a function
// of the program.
func (m *Module) CallsHost(op *Op) bool {
	for x := range m.Reached(op) {
		if x.Attr(HostTarget) != nil {
			return true
		}
	}
	return false
}

func visitBody(f Func, visit func(*Op) bool) bool {
	if f.IsDeclaration() {
		return true
	}
	for _, op := range f.Body().Ops {
		if !visit(op) {
			return false
		}
	}
	return true
}
