package stablehlo

import "slices"

// ArgAttr returns an attribute of argument i, nil if it is absent. If arguments were dropped or added since,
// so that the owners of the attributes are unknown, it returns nil.
func (f Func) ArgAttr(i int, name string) Attr {
	return f.valueAttrs("arg_attrs", len(f.Args()), i).Get(name)
}

// SetArgAttr sets an attribute of argument i, or removes it when a is nil.
func (f Func) SetArgAttr(i int, name string, a Attr) {
	f.setValueAttr("arg_attrs", len(f.Args()), i, name, a)
}

// ResultAttr returns an attribute of result i, nil if it is absent.
func (f Func) ResultAttr(i int, name string) Attr {
	return f.valueAttrs("res_attrs", len(f.Type().Outs), i).Get(name)
}

// SetResultAttr sets an attribute of result i, or removes it when a is nil.
func (f Func) SetResultAttr(i int, name string, a Attr) {
	f.setValueAttr("res_attrs", len(f.Type().Outs), i, name, a)
}

// valueAttrs returns the attributes of one of n arguments or results.
func (f Func) valueAttrs(list string, n, i int) DictAttr {
	all, _ := f.Attr(list).(ArrayAttr)
	if i >= len(all) || len(all) != n {
		return nil
	}
	d, _ := all[i].(DictAttr)
	return d
}

func (f Func) setValueAttr(list string, n, i int, name string, a Attr) {
	all, empty := make(ArrayAttr, n), true
	for k := range all {
		d := slices.Clone(f.valueAttrs(list, n, k))
		if k == i {
			d = slices.DeleteFunc(d, func(x NamedAttr) bool { return x.Name == name })
			if a != nil {
				d = append(d, Named(name, a))
			}
		}
		all[k], empty = d, empty && len(d) == 0
	}
	if empty {
		f.SetAttr(list, nil)
		return
	}
	f.SetAttr(list, all)
}
