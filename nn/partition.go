package nn

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/tree"
)

// Buffer is a tensor of a layer that is saved with the model but not trained, such as a running mean. A field of type
// nx.Tensor with the tag `nn:",buffer"` is one too.
type Buffer nx.Tensor

// IsZero reports whether the buffer is absent.
func (b Buffer) IsZero() bool { return nx.Tensor(b).IsZero() }

var bufferType = reflect.TypeFor[Buffer]()

// Leaf is a tensor of a model, for functions that choose among them.
type Leaf struct {
	Path   string // Blocks[0].Attn.Q.Weight
	Tensor nx.Tensor
	Buffer bool
}

// Leaves returns the tensors of a model in order; absent ones are left out.
func Leaves(model any) []Leaf {
	var list []Leaf
	buffers := map[string]bool{}
	addTagged(reflect.ValueOf(model), "", false, buffers)
	for path, t := range tree.Types(model) {
		buffers[path] = buffers[path] || t == bufferType
	}
	for path, t := range tree.Leaves(model) {
		list = append(list, Leaf{path, t, buffers[path]})
	}
	return list
}

// addTagged adds the paths of tensors in fields with the tag `nn:",buffer"`.
func addTagged(v reflect.Value, path string, tagged bool, buffers map[string]bool) {
	if !v.IsValid() || len(path) > 4096 {
		return
	}
	t := v.Type()
	if isTensor(t) {
		if tagged {
			buffers[strings.TrimPrefix(path, ".")] = true
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		addTagged(v.Elem(), path, tagged, buffers)
	case reflect.Struct:
		for i := range v.NumField() {
			f := t.Field(i)
			if f.Tag.Get("nx") == "-" {
				continue
			}
			_, options, _ := strings.Cut(f.Tag.Get("nn"), ",")
			addTagged(v.Field(i), path+"."+f.Name, tagged || options == "buffer", buffers)
		}
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() < reflect.Array { // numbers
			return
		}
		for i := range v.Len() {
			addTagged(v.Index(i), fmt.Sprintf("%s[%d]", path, i), tagged, buffers)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			addTagged(v.MapIndex(k), fmt.Sprintf("%s[%v]", path, k), tagged, buffers)
		}
	}
}

// Trainable reports whether a leaf is a parameter: a tensor of floats or complex numbers that is not a [Buffer].
func Trainable(l Leaf) bool {
	return !l.Buffer && (l.Tensor.DType().IsFloat() || l.Tensor.DType().IsComplex())
}

// Partition divides a model into two of its type: the tensors for which keep is true, and the others. In each, the
// tensors of the other are absent; tree.Combine puts them together.
func Partition[M any](model M, keep func(Leaf) bool) (chosen, rest M) {
	kept := map[string]bool{}
	for _, l := range Leaves(model) {
		kept[l.Path] = keep(l)
	}
	if len(kept) == 0 { // a layer without parameters
		return model, model
	}
	part := func(want bool) M {
		return tree.MapLeaves(func(path string, t nx.Tensor) nx.Tensor {
			if kept[path] != want {
				return nx.Tensor{}
			}
			return t
		}, model)
	}
	return part(true), part(false)
}

// Cast returns a model whose parameters have the type d: tensors of floats that are not buffers.
//
// Gradient: forward and reverse; a cotangent has the type of the parameter given.
func Cast[M any](model M, d nx.DType) M {
	buffers := map[string]bool{}
	for _, l := range Leaves(model) {
		buffers[l.Path] = l.Buffer
	}
	if len(buffers) == 0 {
		return model
	}
	return tree.MapLeaves(func(path string, t nx.Tensor) nx.Tensor {
		if !t.DType().IsFloat() || buffers[path] {
			return t
		}
		return nx.Cast(t, d)
	}, model)
}

// Match returns a function which reports whether a leaf's path matches one of the patterns. In a pattern * stands for
// characters of one field, key or index, and ** for any: "Blocks[*].Attn.**", "**.Bias". A pattern also matches what is
// below it: "Stem" is "Stem.**" too.
//
// Errors: [nx.ErrArgument] for a pattern that matches no tensor of the model.
func Match(model any, patterns ...string) func(Leaf) bool {
	var list []*regexp.Regexp
	leaves := Leaves(model)
	for _, p := range patterns {
		re := pattern(p)
		found := false
		for _, l := range leaves {
			found = found || re.MatchString(l.Path)
		}
		if !found {
			panic(diag.New(nx.ErrArgument, "Match", "nn.Leaves lists the paths of a model",
				"the pattern %q matches no tensor of the model", p))
		}
		list = append(list, re)
	}
	return func(l Leaf) bool {
		for _, re := range list {
			if re.MatchString(l.Path) {
				return true
			}
		}
		return false
	}
}

// pattern compiles a pattern of [Match].
func pattern(p string) *regexp.Regexp {
	e := regexp.QuoteMeta(p)
	e = strings.ReplaceAll(e, `\*\*`, `.*`)
	e = strings.ReplaceAll(e, `\*`, `[^.\[\]]*`)
	return regexp.MustCompile(`^` + e + `($|[.\[])`)
}
