package core

import (
	"path/filepath"
	"reflect"
	"strings"

	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/encoding/nxterm"
	"github.com/go-nx/nx/encoding/safetensors"
)

// SaveTensors implements nx.SaveTensors.
func SaveTensors(path string, p any) (err error) {
	defer Catch(&err)
	format := formatOf("SaveTensors", path)
	requirePresent("SaveTensors", p)
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

// formatOf returns the format of the extension of a file.
func formatOf(op, path string) string {
	format := strings.ToLower(filepath.Ext(path))
	if !isFormat(format) {
		fail(ErrArgument, op, "name the file .npy, .npz, .safetensors or .nx", "the name %q does not say the format",
			path)
	}
	return format
}

func isFormat(ext string) bool {
	return ext == ".npy" || ext == ".npz" || ext == ".safetensors" || ext == ".nx"
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

// isTensorMap reports whether a type is map[string]Tensor.
func isTensorMap(t reflect.Type) bool {
	return t != nil && t.Name() == "" && t.Kind() == reflect.Map && t.Key() == reflect.TypeFor[string]() &&
		plans.IsLeaf(t.Elem())
}
