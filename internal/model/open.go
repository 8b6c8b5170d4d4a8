// Package model opens programs in the forms in which people keep them (StableHLO
// text, portable artifacts, exports of JAX, bundles of torch_xla), with the names
// that their arguments and results have there.
package model

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/go-nx/nx/internal/files"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// entry is the function that a program means.
const entry = "main"

// Form is the form of a file.
type Form string

// The forms.
const (
	Text        Form = "StableHLO text"
	Bytecode    Form = "MLIR bytecode"
	JAXExport   Form = "export of JAX"
	TorchBundle Form = "bundle of torch_xla"
)

// Program is a program with the information of its file.
type Program struct {
	Path     string
	Form     Form
	Function string // its original name, or ""
	Module   *stablehlo.Module
	In, Out  []Param  // of @main, or nil
	Unused   []string // inputs of the function that the program does not take
}

// Param is an argument or a result.
type Param struct {
	Type stablehlo.Type
	Name string // "p['w1']", "result['y']", or ""
	Tree string // its path in the arguments or results, "[0]['w1']", or ""
	// Dims holds the sizes as the exporter wrote them, "b" or "3", or nil.
	Dims []string
	File string // of its value, or "" for an argument of the caller
	fsys fs.FS  // of File
	// Local is set when the name is that of a value in the text, which is no more
	// than a name for a reader.
	Local bool
}

// Open reads the program of a file or of a folder, until the context ends; then the error is its cause. The
// program is not verified.
func Open(ctx context.Context, path string) (*Program, error) { return OpenIn(ctx, nil, path) }

// OpenIn is [Open] of a path in a file system, nil for that of the operating system.
func OpenIn(ctx context.Context, fsys fs.FS, path string) (*Program, error) {
	if info, err := files.Stat(fsys, path); err == nil && info.IsDir() {
		if !isBundle(fsys, path) {
			return nil, fmt.Errorf("%s is a folder, but not a bundle of torch_xla (functions/forward.bytecode): "+
				"name a file in it", path)
		}
		p, err := readBundle(ctx, fsys, path)
		if err != nil {
			return nil, err
		}
		p.name()
		return p, nil
	}
	data, err := files.ReadFile(fsys, path)
	if err != nil {
		return nil, err
	}
	return Read(ctx, path, data)
}

// Of returns a program in memory.
func Of(m *stablehlo.Module) *Program {
	p := &Program{Form: Text, Module: m}
	p.name()
	return p
}

// Label returns how a program is named in messages.
func (p *Program) Label() string {
	if p.Function != "" {
		return p.Function
	}
	return p.Path
}

// Tensor returns the type of a parameter that is a tensor, or nil.
func (q *Param) Tensor() *stablehlo.TensorType { return tensorOf(q.Type) }

// IsFolder reports whether a path is a folder that [Open] reads.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() && isBundle(nil, path)
}

// Binary reports whether data hold a program in another form than text.
func Binary(data []byte) bool { return portable.IsBytecode(data) || isJAX(data) }

// Read reads a program from the data of a file, as [Open] does; path is for messages. The
// data must not change while the program is used.
func Read(ctx context.Context, path string, data []byte) (*Program, error) {
	var p *Program
	switch {
	case portable.IsBytecode(data):
		m, err := portable.ReadContext(ctx, path, data)
		if err != nil {
			return nil, err
		}
		p = &Program{Path: path, Form: Bytecode, Module: m}
	case isJAX(data):
		var err error
		if p, err = readJAX(ctx, path, data); err != nil {
			return nil, err
		}
	default:
		if what := foreign(data); what != "" {
			return nil, fmt.Errorf("%s: %s", path, what)
		}
		m, err := stablehlo.ParseContext(ctx, path, data)
		if err != nil {
			return nil, err
		}
		p = &Program{Path: path, Form: Text, Module: m}
	}
	p.name()
	return p, nil
}

// ReadFrom is [Read] of a stream, which has at most limit bytes.
func ReadFrom(ctx context.Context, path string, r io.Reader, limit int64) (*Program, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: larger than %d bytes", path, limit)
	}
	return Read(ctx, path, data)
}

const exportHint = "export it with jax.export.export(jax.jit(f))(x).serialize(), " +
	"or print it with jax.jit(f).lower(x).as_text()"

// foreign describes a file that does not hold a program in a supported form, and what to do; "" when it may be
// text.
func foreign(data []byte) string {
	head := bytes.TrimLeft(data[:min(len(data), 4096)], " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("HloModule")):
		return "this is HLO text, which is what XLA makes of a program: " + exportHint
	case bytes.HasPrefix(data, []byte("PK\x03\x04")) && bytes.Contains(data[:min(len(data), 4096)], []byte("data.pkl")):
		return "this is a checkpoint of PyTorch, which holds weights and no program: " +
			"export the module with " +
			"torch_xla.stablehlo.exported_program_to_stablehlo(torch.export.export(model, args)).save(dir), and its weights with safetensors.torch.save_file(model.state_dict(), file)"
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return "this is a zip archive: an archive of arrays (.npz) is given with --in; " +
			"a model of Keras is exported by JAX: " + exportHint
	case bytes.HasPrefix(data, []byte("\x89HDF")):
		return "this is an HDF5 file, which holds weights: " + exportHint
	case bytes.HasPrefix(data, []byte("\x93NUMPY")):
		return "this is an array of NumPy: give it with --in"
	case len(data) > 8 && bytes.HasPrefix(data[4:], []byte("TFL3")):
		return "this is a TensorFlow Lite model: export the function it was made of as StableHLO"
	case len(data) > 9 && data[8] == '{' && data[9] == '"' && data[7] == 0:
		return "this is a safetensors file, which holds weights and no program: give it with --in (in Go, nx.Weights)"
	case bytes.HasPrefix(data, []byte("\x08")) && bytes.Contains(head, []byte("onnx")),
		bytes.HasPrefix(data, []byte("\x08")) && bytes.Contains(head, []byte("pytorch")):
		return "this is an ONNX model: give its file a name that ends in .onnx"
	case bytes.HasPrefix(data, []byte("\n")) && bytes.IndexByte(data[:min(len(data), 256)], 0) >= 0:
		return "this is a protocol buffer, perhaps an HloModuleProto or a SavedModel: " + exportHint
	case bytes.IndexByte(data[:min(len(data), 4096)], 0) >= 0 && bytes.Contains(data, []byte("StableHLO_v")):
		return "this is the beginning, or a damaged part, of an export of JAX: copy it in binary mode"
	case bytes.IndexByte(data[:min(len(data), 4096)], 0) >= 0:
		return "this binary format is not supported: " + exportHint
	case bytes.Contains(data, []byte("dense_resource<__elided__>")), bytes.Contains(data, []byte("dense<__elided__>")):
		return "its large constants were left out when it was printed (dense_resource<__elided__>): " + exportHint
	}
	return ""
}
