package stablehlo

import "slices"

// Attributes of an argument of @main whose memory the caller gives away, as JAX writes
// them: to whichever result takes it, or to the result of a number.
const (
	donorAttr = "jax.buffer_donor"
	aliasAttr = "tf.aliasing_output"
)

// Donated reports whether the caller gives the memory of argument i away, so that results
// may be computed there.
func (f Func) Donated(i int) bool {
	donor, _ := f.ArgAttr(i, donorAttr).(BoolAttr)
	return bool(donor) || f.ArgAttr(i, aliasAttr) != nil
}

// SetDonated reports of which arguments the caller gives the memory away: one bool each, false
// for those past the end of the list.
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
