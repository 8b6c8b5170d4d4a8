package core

import (
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/internal/model"
)

// renameArraysOption is the option made by [RenameArrays].
type renameArraysOption struct{ f func(name string) string }

// RenameArrays implements nx.RenameArrays.
func RenameArrays(f func(name string) string) LoadTensorsOption {
	notNil("RenameArrays", f == nil)
	return renameArraysOption{f}
}

func (o renameArraysOption) loadTensorsOption(l *loadTensorsOptions) { l.rename = o.f }

// partialOption is the type of [Partial].
type partialOption bool

// Partial is nx.Partial.
const Partial partialOption = true

func (o partialOption) loadTensorsOption(l *loadTensorsOptions) { l.partial = bool(o) }

// LoadTensors implements nx.LoadTensors.
func LoadTensors[P any](path string, into *P, opts ...LoadTensorsOption) (err error) {
	defer Catch(&err)
	const op = "LoadTensors"
	if !isReadable(path) {
		formatOf(op, path)
	}
	arrays, closeFile, err := model.OpenArrays(background, path)
	if err != nil {
		return err
	}
	defer closeFile()
	_, err = LoadArrays(op, path, arrays, into, opts...)
	return err
}

// isReadable reports whether a path has the form of files that are read, but not written.
func isReadable(path string) bool {
	for _, end := range []string{".safetensors.index.json", ".bin.index.json", ".bin", ".pt", ".pth", ".gguf"} {
		if strings.HasSuffix(strings.ToLower(path), end) {
			return true
		}
	}
	return false
}

// LoadArrays loads arrays of files, in messages those of from, into the container that into points to, and reports
// what became of each array and tensor. After an error the container is unchanged. Only arrays that become tensors
// are read, and these are mapped where that is possible. Its *Error is one of the operation op.
//
// LoadTensors is this of the arrays of one file. A function that changes arrays on the way, transposed weights for
// example, gives them another Header and Read.
func LoadArrays[P any](op, from string, arrays []model.Array, into *P,
	opts ...LoadTensorsOption) (report *model.Report, err error) {
	defer Catch(&err)
	distinct(op, opts)
	var o loadTensorsOptions
	for _, x := range opts {
		if x != nil {
			x.loadTensorsOption(&o)
		}
	}
	if into == nil {
		fail(ErrArgument, op, "pass the address of a container: &params", "there is nothing to load into")
	}
	var fields []model.Field
	var old []Tensor // of each field, absent for any type
	all := (*map[string]Tensor)(unsafe.Pointer(into))
	receivesAll := isTensorMap(reflect.TypeFor[P]()) && len(*all) == 0
	if receivesAll {
		fields, o.rename = fieldsForAll(arrays, o.rename)
		old = make([]Tensor, len(fields))
	} else {
		fields, old = fieldsOf(op, *into)
	}
	report = model.Assign(arrays, fields, o.rename)
	if lines := report.Problems(o.partial); len(lines) > 0 {
		failToLoad(op, from, lines, len(fields) == 0, report)
	}
	loaded := make([]Tensor, len(fields))
	for _, p := range report.Loaded {
		if loaded[p.F], err = loadArray(op, &arrays[p.A], old[p.F]); err != nil {
			return report, err
		}
	}
	if receivesAll {
		*all = map[string]Tensor{}
		for i, f := range fields {
			(*all)[f.Name] = loaded[i]
		}
		return report, nil
	}
	next := 0
	*into = replace(op, *into, func(old Tensor) Tensor {
		next++
		if t := loaded[next-1]; t.p != nil {
			return t
		}
		return old
	})
	return report, nil
}

// fieldsOf returns the tensors of a container as places for arrays.
func fieldsOf(op string, p any) (fields []model.Field, old []Tensor) {
	_, root := asTensor(p)
	eachNamed(op, p, func(name string, t Tensor) {
		f := model.Field{Name: name, Type: "a tensor of any type", Root: root, Optional: true, Takes: isTyped}
		if t.p != nil {
			s := t.p.spec
			f.Type, f.Optional = s.String(), false
			f.Takes = func(h npy.Header) bool { return model.Holds(h, s.DType) && slices.Equal(h.Shape, s.whole()) }
		}
		fields, old = append(fields, f), append(old, t)
	})
	return fields, old
}

// isTyped reports whether the items of an array have a type, which an absent tensor takes.
func isTyped(h npy.Header) bool { return h.Void == 0 }

// fieldsForAll returns the places of all arrays in an empty map, and the renaming without a second call of rename.
func fieldsForAll(arrays []model.Array, rename func(string) string) ([]model.Field, func(string) string) {
	var fields []model.Field
	renamed, have := map[string]string{}, map[string]bool{}
	for i := range arrays {
		name := arrays[i].Name
		to := name
		if rename != nil {
			to = rename(name)
		}
		renamed[name] = to
		if !have[to] && (to != "" || rename == nil) {
			have[to] = true
			fields = append(fields, model.Field{Name: to, Type: "a tensor of any type", Takes: isTyped})
		}
	}
	if rename == nil {
		return fields, nil
	}
	return fields, func(name string) string { return renamed[name] }
}

// loadArray returns an array in the place of an old tensor, of whose type it is, with its names of axes. In that of an
// absent one it has its own, the first of which may be vectorised.
func loadArray(op string, a *model.Array, old Tensor) (Tensor, error) {
	own := *a
	d := a.Header.DType
	if old.p != nil {
		s := old.p.spec
		d, own.Axes, own.Vectors = s.DType, nil, len(s.Vectors)
		for _, v := range s.Vectors {
			own.Axes = append(own.Axes, v.Name)
		}
		own.Axes = append(own.Axes, s.names()...)
	}
	t, err := arrayTensor(op, local(), &own, d)
	if err == nil && own.Vectors > 0 {
		t = Vectorize(t, own.Axes[:own.Vectors]...)
	}
	return t, err
}

// failToLoad fails with what does not fit.
func failToLoad(op, from string, lines []string, noTensors bool, r *model.Report) {
	hint := ""
	switch {
	case noTensors:
		lines = []string{"the container has no tensors"}
		hint = "give its slices their lengths and its maps their keys first, or load into a map[string]nx.Tensor"
	case len(r.Unused) > 0 || slices.ContainsFunc(r.Missing, func(g model.Gap) bool { return !g.Optional }):
		hint = "nx.RenameArrays gives arrays the paths of the container, nx.Partial loads what both have"
	}
	detail := from + ": " + lines[0]
	if len(lines) > 1 {
		detail = from + " does not fit the container:\n    - " + strings.Join(lines, "\n    - ")
	}
	fail(ErrContainer, op, hint, "%s", detail)
}
