package nn

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/go-nx/nx"
)

// StateNamer is a layer that names its tensors itself, as its counterpart in PyTorch has another form: the name of the
// tensor at a path below it, such as Forward[0].WeightIH.
type StateNamer interface {
	StateName(path string) string
}

var (
	tensorType = reflect.TypeFor[nx.Tensor]()
	namerType  = reflect.TypeFor[StateNamer]()
)

// StateNames returns the names that the tensors of a model have in a state_dict of PyTorch, by their paths: absent ones
// too. A field's name is in snake case (WeightIH is weight_ih), or that of its tag `nn:"name"`; elements of slices have
// their number, those of maps their key; an embedded struct has no name of its own, nor has a field with the tag
// `nn:",inline"`.
//
//	Blocks[0].QProj.Weight → blocks.0.q_proj.weight
func StateNames(model any) map[string]string {
	names := map[string]string{}
	nameAll(reflect.ValueOf(model), "", func(path string) string { return path }, nil, names)
	return names
}

// place is a value below a layer that names its tensors itself.
type place struct {
	namer  StateNamer
	prefix string // the name of the layer, with a dot
	below  int    // the length of the layer's path
}

// nameAll adds the names of the tensors below v, whose path is path and whose name is name("").
func nameAll(v reflect.Value, path string, name func(string) string, in *place, names map[string]string) {
	if len(path) > 4096 || !v.IsValid() {
		return
	}
	t := v.Type()
	if isTensor(t) {
		path := strings.TrimPrefix(path, ".")
		if in != nil {
			names[path] = in.prefix + in.namer.StateName(strings.TrimPrefix(path[min(in.below, len(path)):], "."))
			return
		}
		names[path] = strings.TrimSuffix(name(""), ".")
		return
	}
	if in == nil && v.Kind() == reflect.Struct {
		if n := namerOf(v); n != nil {
			in = &place{n, name(""), len(strings.TrimPrefix(path, "."))}
		}
	}
	join := func(step string) func(string) string {
		prefix := name("") + step + "."
		if step == "" {
			prefix = name("")
		}
		return func(rest string) string { return prefix + rest }
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		nameAll(v.Elem(), path, name, in, names)
	case reflect.Struct:
		for i := range v.NumField() {
			f := t.Field(i)
			if f.Tag.Get("nx") == "-" {
				continue
			}
			tag, options, _ := strings.Cut(f.Tag.Get("nn"), ",")
			step := snake(f.Name)
			switch {
			case tag != "":
				step = tag
			case f.Anonymous || options == "inline":
				step = ""
			}
			nameAll(v.Field(i), path+"."+f.Name, join(step), in, names)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			nameAll(v.Index(i), fmt.Sprintf("%s[%d]", path, i), join(fmt.Sprint(i)), in, names)
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, k := range keys {
			nameAll(v.MapIndex(k), fmt.Sprintf("%s[%v]", path, k), join(fmt.Sprint(k)), in, names)
		}
	}
}

func isTensor(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.ConvertibleTo(tensorType)
}

// namerOf returns the layer that a struct is, if it names its tensors.
func namerOf(v reflect.Value) StateNamer {
	if v.CanInterface() && v.Type().Implements(namerType) {
		return v.Interface().(StateNamer)
	}
	if reflect.PointerTo(v.Type()).Implements(namerType) {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		return p.Interface().(StateNamer)
	}
	return nil
}

// snake converts a Go name to snake case: QProj to q_proj, WeightIH to weight_ih, Conv1 to conv1.
func snake(name string) string {
	r := []rune(name)
	var b strings.Builder
	for i, c := range r {
		if i > 0 && unicode.IsUpper(c) &&
			(!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])) && r[i-1] != '_' {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
