package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/files"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// A bundle of torch_xla (torch_xla/stablehlo.py) is a folder with
//
//	functions/forward.bytecode   the program, a portable artifact
//	functions/forward.meta       where its arguments come from, as JSON
//	data/NAME                    the weights, a .npy file each
//	constants/0 …                other constants, a .npy file each

// torchMeta is the part of forward.meta that is used.
type torchMeta struct {
	Name           string `json:"name"`
	InputSignature []struct {
		Shape       []int64 `json:"shape"`
		DType       string  `json:"dtype"`
		DynamicDims []int   `json:"dynamic_dims"`
	} `json:"input_signature"`
	OutputSignature []struct {
		Shape []int64 `json:"shape"`
		DType string  `json:"dtype"`
	} `json:"output_signature"`
	InputLocations []struct {
		Type     string `json:"type_"`
		Position int    `json:"position"`
		Name     string `json:"name"`
	} `json:"input_locations"`
	InputTree  string `json:"input_pytree_spec"`
	OutputTree string `json:"output_pytree_spec"`
}

// isBundle reports whether a folder is a bundle of torch_xla.
func isBundle(fsys fs.FS, dir string) bool { return len(functionsOf(fsys, dir)) > 0 }

// functionsOf returns the programs of a bundle, none of another folder.
func functionsOf(fsys fs.FS, dir string) (list []string) {
	folder := filepath.Join(dir, "functions")
	entries, err := files.ReadDir(fsys, folder)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".bytecode" {
			list = append(list, filepath.Join(folder, e.Name()))
		}
	}
	return list
}

// maxMeta is the most bytes that the description of a bundle may have.
const maxMeta = 64 << 20

// readBundle reads a bundle of torch_xla.
func readBundle(ctx context.Context, fsys fs.FS, dir string) (*Program, error) {
	functions := functionsOf(fsys, dir)
	if len(functions) == 0 {
		return nil, fmt.Errorf("%s: the folder is not a bundle of torch_xla: it has no functions/*.bytecode", dir)
	}
	if len(functions) > 1 {
		if i := slices.IndexFunc(functions,
			func(f string) bool { return filepath.Base(f) == "forward.bytecode" }); i >= 0 {
			functions = functions[i:]
		}
	}
	code := functions[0]
	data, err := files.ReadFile(fsys, code)
	if err != nil {
		return nil, err
	}
	m, err := portable.ReadContext(ctx, code, data)
	if err != nil {
		return nil, err
	}
	main, ok := m.Func(entry)
	if !ok {
		return nil, fmt.Errorf("%s: the program has no function @%s", code, entry)
	}
	p := &Program{Path: dir, Form: TorchBundle, Module: m, In: params(main.Type().Ins), Out: params(main.Type().Outs)}
	name := strings.TrimSuffix(code, ".bytecode") + ".meta"
	meta, err := readMeta(fsys, name)
	if err != nil {
		return nil, err
	}
	p.Function = meta.Name
	if len(meta.InputLocations) != len(p.In) || len(meta.InputSignature) != len(p.In) {
		return nil, fmt.Errorf("%s: describes %d inputs, but the program takes %d: the files are not of one export",
			name, len(meta.InputLocations), len(p.In))
	}
	if len(meta.OutputSignature) != len(p.Out) {
		return nil, fmt.Errorf("%s: describes %d results, but the program returns %d: the files are not of one export",
			name, len(meta.OutputSignature), len(p.Out))
	}
	for i, loc := range meta.InputLocations {
		q, sig := &p.In[i], meta.InputSignature[i]
		same := func(a, b int64) bool { return a == stablehlo.Dynamic || a == b }
		if t := tensorOf(q.Type); t == nil || !slices.EqualFunc(t.Dims, sig.Shape, same) ||
			!isNumPyType(sig.DType, t.DType()) {
			return nil, fmt.Errorf("%s: input %d is described as %s%v, but the program takes %s: "+
				"the files are not of one export", name, i, sig.DType, sig.Shape, q.Type)
		}
		switch loc.Type {
		case "parameter":
			if loc.Name == "" || !filepath.IsLocal(loc.Name) {
				return nil, fmt.Errorf("%s: input %d is the parameter %q, which must be a file name", name, i, loc.Name)
			}
			q.Name = loc.Name
			q.File = filepath.Join(dir, "data", loc.Name)
		case "constant":
			q.Name = fmt.Sprintf("constants.%d", loc.Position)
			q.File = filepath.Join(dir, "constants", fmt.Sprint(loc.Position))
		case "input_arg":
			q.Name = fmt.Sprintf("args[%d]", loc.Position)
		default:
			return nil, fmt.Errorf("%s: input %d has the unknown source %q", name, i, loc.Type)
		}
		if q.File != "" {
			q.fsys = fsys
			if _, err := files.Stat(fsys, q.File); err != nil { // saved without weights: the caller supplies them
				q.File = ""
			}
		}
	}
	return p, nil
}

// isNumPyType reports whether a type has a name of NumPy; names that are not known are
// taken for any.
func isNumPyType(name string, d dtype.Type) bool {
	want, ok := numpyTypes.Get(listNumPyTypes)[name]
	return !ok || want == d
}

var numpyTypes lazy.Value[map[string]dtype.Type]

func listNumPyTypes() map[string]dtype.Type {
	return map[string]dtype.Type{
		"bool": dtype.Bool, "int8": dtype.S8, "int16": dtype.S16, "int32": dtype.S32, "int64": dtype.S64,
		"uint8": dtype.U8, "uint16": dtype.U16, "uint32": dtype.U32, "uint64": dtype.U64, "bfloat16": dtype.BF16,
		"float16": dtype.F16, "float32": dtype.F32, "float64": dtype.F64, "complex64": dtype.C64,
		"complex128": dtype.C128,
	}
}

func readMeta(fsys fs.FS, name string) (*torchMeta, error) {
	info, err := files.Stat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: missing: it lists the sources of the program's inputs", name)
	case err != nil:
		return nil, err
	case info.Size() > maxMeta:
		return nil, fmt.Errorf("%s: larger than %d MiB", name, maxMeta>>20)
	}
	text, err := files.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	var meta torchMeta
	if err := json.Unmarshal(text, &meta); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &meta, nil
}
