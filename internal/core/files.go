package core

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/encoding/nxterm"
	"github.com/go-nx/nx/encoding/safetensors"
)

// SaveTensors implements nx.SaveTensors.
func SaveTensors(path string, p any) (err error) {
	defer Catch(&err)
	format := formatOf("SaveTensors", path)
	var names []string
	stored := map[string]Tensor{}
	eachNamed("SaveTensors", p, func(name string, t Tensor) {
		if t.p == nil {
			return
		}
		if _, twice := stored[name]; twice {
			fail(ErrContainer, "SaveTensors", "", "two tensors of the container are named %s", name)
		}
		names = append(names, name)
		stored[name] = t
		if format != ".nx" {
			stored[name] = devectorized(t)
		}
	})
	if format == ".nx" {
		var tensors []nxterm.Tensor
		for _, name := range names {
			t := stored[name]
			if t.p.spec.DType == Bool {
				t = cast(t, U8)
			}
			tensors = append(tensors, t.term(name))
		}
		return nxterm.WriteFile(path, tensors)
	}
	if format == ".npy" {
		if len(names) != 1 {
			fail(ErrContainer, "SaveTensors", "use .npz or .safetensors", "an .npy file holds one tensor, there are %d",
				len(names))
		}
		t := stored[names[0]]
		return npy.WriteFile(path, npy.New(t.DType(), t.Shape(), Bytes(t)))
	}
	if format == ".npz" {
		var entries []npy.Entry
		for _, name := range names {
			t := stored[name]
			entries = append(entries, npy.Entry{Name: name, Array: npy.New(t.DType(), t.Shape(), Bytes(t))})
		}
		return npy.WriteZipFile(path, entries)
	}
	var tensors []safetensors.Tensor
	for _, name := range names {
		t := stored[name]
		tensors = append(tensors,
			safetensors.Tensor{Info: safetensors.Info{Name: name, DType: t.DType(), Shape: t.Shape()}, Data: Bytes(t)})
	}
	return safetensors.WriteFile(path, tensors, nil)
}

// LoadTensors implements nx.LoadTensors.
func LoadTensors[P any](path string, into *P) (err error) {
	defer Catch(&err)
	format := formatOf("LoadTensors", path)
	if into == nil {
		fail(ErrArgument, "LoadTensors", "pass the address of a container: &params", "there is nothing to load into")
	}
	stored, err := readTensors(format, path)
	if err != nil {
		return err
	}
	if m := (*map[string]Tensor)(unsafe.Pointer(into)); isTensorMap(reflect.TypeFor[P]()) && len(*m) == 0 {
		*m = map[string]Tensor{}
		for name, a := range stored {
			(*m)[name] = a.tensor(path, name)
		}
		return nil
	}
	used := map[string]bool{}
	var loaded []Tensor
	eachNamed("LoadTensors", *into, func(name string, old Tensor) {
		if format == ".npy" {
			name = ""
		}
		a, ok := stored[name]
		if !ok && old.p == nil { // stays absent
			loaded = append(loaded, old)
			return
		}
		if !ok {
			fail(ErrContainer, "LoadTensors", "the file has "+someNames(stored, name), "%s has no tensor %s", path,
				name)
		}
		used[name] = true
		loaded = append(loaded, fromStored(path, name, a, old))
	})
	for name := range stored {
		if !used[name] {
			fail(ErrContainer, "LoadTensors", "load all of them into a map[string]nx.Tensor",
				"%s has a tensor %s, the container has none", path, name)
		}
	}
	next := 0
	*into = replace("LoadTensors", *into, func(Tensor) Tensor { next++; return loaded[next-1] })
	return nil
}

// fromStored returns a tensor of a file in the place of an old one.
func fromStored(path, name string, a storedTensor, old Tensor) Tensor {
	if old.p == nil {
		return a.tensor(path, name)
	}
	s := old.p.spec
	n := s.DType.Bits()
	if (n < 8 || n < 32 && !s.DType.IsInteger()) && (a.Void != 0 || a.DType == U8 || a.DType == U16) {
		if bits, err := a.As(s.DType); err == nil && holdsAll(s.DType, bits.Data, a) {
			a.Array = bits
		}
	}
	if a.Void == 0 && (a.DType != s.DType || !slices.Equal(a.Shape, s.whole())) {
		fail(ErrContainer, "LoadTensors", "", "%s of %s is %s, the container has %s", tensorNamed(name), path,
			Spec{DType: a.DType, Shape: a.Shape}, s)
	}
	a.names, a.vectors = nil, len(s.Vectors)
	for _, v := range s.Vectors {
		a.names = append(a.names, v.Name)
	}
	a.names = append(a.names, s.names()...)
	return a.tensor(path, name)
}

// holdsAll reports whether elements of type t hold all bits of the items of a file: raw items without sign extension.
func holdsAll(t DType, elems []byte, a storedTensor) bool {
	for i, v := range elems {
		if v != a.Data[i] && (a.Void == 0 || v&(1<<t.Bits()-1) != a.Data[i]) {
			return false
		}
	}
	return true
}

// storedTensor is a tensor of a file. In .nx it has names of axes, the first of which may
// be vectorised.
type storedTensor struct {
	npy.Array
	names   []string
	vectors int
}

func (a storedTensor) tensor(path, name string) Tensor {
	if a.Void != 0 {
		fail(ErrContainer, "LoadTensors", "read it into a tensor of its type, or with package npy",
			"%s of %s has raw items of %d bytes", tensorNamed(name), path, a.Void)
	}
	t := FromBytes(a.Data, a.Shape, a.DType, Names(a.names...))
	if a.vectors > 0 {
		t = Vectorize(t, a.names[:a.vectors]...)
	}
	return t
}

// readTensors reads all tensors of a file by their names.
func readTensors(format, path string) (map[string]storedTensor, error) {
	stored := map[string]storedTensor{}
	switch format {
	case ".nx":
		tensors, err := nxterm.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, t := range tensors {
			stored[t.Name] = storedTensor{npy.New(t.DType, t.Shape, t.Data), t.Names, t.Vectors}
		}
	case ".npy":
		a, err := npy.ReadFile(path)
		if err != nil {
			return nil, err
		}
		stored[""] = storedTensor{Array: a}
	case ".npz":
		entries, err := npy.ReadZipFile(path)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			stored[e.Name] = storedTensor{Array: e.Array}
		}
	default:
		tensors, err := safetensors.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, t := range tensors {
			stored[t.Name] = storedTensor{Array: npy.New(t.DType, t.Shape, t.Data)}
		}
	}
	return stored, nil
}

// tensorNamed is a tensor of a file in messages: in .npy it has no name.
func tensorNamed(name string) string { return strings.TrimSpace("tensor " + name) }

// formatOf returns the format of the extension of a file.
func formatOf(op, path string) string {
	switch format := strings.ToLower(filepath.Ext(path)); format {
	case ".npy", ".npz", ".safetensors", ".nx":
		return format
	}
	fail(ErrArgument, op, "name the file .npy, .npz, .safetensors or .nx", "the name %q does not say the format", path)
	return ""
}

// eachNamed calls leaf for the tensors of a container with their names in a file.
func eachNamed(op string, p any, leaf func(name string, t Tensor)) {
	isMap := isTensorMap(reflect.TypeOf(p))
	eachLeaf(op, p, func(path string, t Tensor) {
		if isMap { // the path is the key in brackets
			path = path[1 : len(path)-1]
		}
		leaf(path, t)
	})
}

// someNames lists names of a file for messages, with the one that the user may mean.
func someNames(stored map[string]storedTensor, name string) string {
	var names []string
	for n := range stored {
		names = append(names, n)
	}
	slices.Sort(names)
	text := nameList(names[:min(len(names), 8)])
	if len(names) > 8 {
		text += fmt.Sprintf(" and %d more", len(names)-8)
	}
	return text + nearest(name, names)
}

// isTensorMap reports whether a type is map[string]Tensor.
func isTensorMap(t reflect.Type) bool {
	return t != nil && t.Name() == "" && t.Kind() == reflect.Map && t.Key() == reflect.TypeFor[string]() &&
		plans.IsLeaf(t.Elem())
}
