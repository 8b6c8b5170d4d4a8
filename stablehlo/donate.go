package stablehlo

import "slices"

// Attributes of a donated argument of @main, as JAX writes them: donated to any result of the type, or aliased
// to the result of a number.
const (
	donorAttr = "jax.buffer_donor"
	aliasAttr = "tf.aliasing_output"
)

// Donated reports whether the caller donates the memory of argument i, so that results may be computed in it.
func (f Func) Donated(i int) bool {
	donor, _ := f.ArgAttr(i, donorAttr).(BoolAttr)
	return bool(donor) || f.ArgAttr(i, aliasAttr) != nil
}

// SetDonated sets which arguments the caller donates: one bool each, false for those past the end of the list.
func (f Func) SetDonated(donated []bool) {
	list := make(ArrayAttr, len(f.Args()))
	empty := true
	for i := range list {
		d := slices.DeleteFunc(slices.Clone(f.valueAttrs("arg_attrs", len(list), i)), func(a NamedAttr) bool {
			return a.Name == donorAttr || a.Name == aliasAttr
		})
		if i < len(donated) && donated[i] {
			d = append(d, Named(donorAttr, BoolAttr(true)))
		}
		list[i], empty = d, empty && len(d) == 0
	}
	if empty {
		f.SetAttr("arg_attrs", nil)
		return
	}
	f.SetAttr("arg_attrs", list)
}
