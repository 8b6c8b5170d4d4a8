package stablehlo

import "slices"

// funcChecks are the module, functions, calls and returns.
var funcChecks = checkRows{
	{OpModule, checkModule},
	{OpFunc, checkFuncOp},
	{OpCall, checkCall},
	{OpFuncReturn, checkFuncReturn},
	{OpReturn, checkFuncReturn}, // the op around a region knows what it must return
}

func checkModule(c *check) {
	c.visibility()
	seen := map[string]bool{}
	for op := range symbolsIn(c.Op) {
		name := op.Str("sym_name")
		if seen[name] && c.verifier != nil {
			c.verifier.report(op, "", "the symbol @%s exists already", name)
		}
		seen[name] = true
	}
}

func (c *check) visibility() {
	v := c.Str("sym_visibility")
	c.require(v == "" || v == "public" || v == "private" || v == "nested", "",
		"sym_visibility must be public, private or nested, not %q", v)
}

func checkFuncOp(c *check) {
	f := Func{c.Op}
	c.visibility()
	c.require(f.Name() != "", "", "needs a name")
	t, ok := c.Attr("function_type").(TypeAttr).Type.(*FuncType)
	if !c.require(ok, "", "function_type must be a function type, not %s", c.Attr("function_type")) {
		return
	}
	if c.verifier != nil && !c.verifier.wellFormed(c.Op, t) {
		return
	}
	c.argAttrs("arg_attrs", len(t.Ins))
	c.argAttrs("res_attrs", len(t.Outs))
	if f.IsDeclaration() {
		c.require(f.IsPrivate(), "", "a function without a body must be private")
		return
	}
	args := valueTypes(f.Args())
	c.require(slices.EqualFunc(args, t.Ins, SameType), "", "the body takes %s, but the type of the function is %s",
		typesText(args), t)
}

// argAttrs checks that a list of attributes of arguments or results has a
// dictionary for each of n.
func (c *check) argAttrs(name string, n int) {
	list, ok := c.Attr(name).(ArrayAttr)
	if !ok {
		return
	}
	dicts := !slices.ContainsFunc(list, func(a Attr) bool { return !isA[DictAttr](a) })
	c.require(len(list) == n && dicts, "", "%s must have a dictionary for each of %d values", name, n)
}

func checkFuncReturn(c *check) {
	f := c.Parent()
	if f == nil || f.Code != OpFunc {
		return
	}
	got, want := valueTypes(c.Operands), Func{f}.Type().Outs
	c.require(slices.EqualFunc(got, want, SameType), "", "returns %s from a function of results %s",
		typesText(got), typesText(want))
}

func checkCall(c *check) {
	name := c.Attr("callee").(SymbolAttr)
	if !c.require(len(name.Nested) == 0, "", "callee %s must be a function of this module", name) {
		return
	}
	f, ok := c.function("", name.Name)
	if !ok {
		return
	}
	t := f.Type()
	c.require(slices.EqualFunc(valueTypes(c.Operands), t.Ins, SameType), "",
		"operands %s do not fit @%s, which takes %s",
		typesText(valueTypes(c.Operands)), name.Name, typesText(t.Ins))
	if len(c.Results) > 0 || c.verifier != nil {
		got := valueTypes(c.Results)
		c.require(slices.EqualFunc(got, t.Outs, SameType), "",
			"results %s do not fit @%s, which returns %s", typesText(got),
			name.Name, typesText(t.Outs))
		return
	}
	c.infer(append([]Type{}, t.Outs...)...)
}
