package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/files"
)

// Model is a model with a name and a version, which a [Handler] serves. It is safe for concurrent use.
type Model struct {
	Name, Version   string
	Platform        string // "nx"
	Inputs, Outputs []nx.Parameter
	// MaxBatch is the largest number of rows in a batch, 0 for a model whose requests are computed one by one.
	MaxBatch int

	batcher *Batcher[[]nx.Tensor, []nx.Tensor]
	close   func() error
	streams bool
	sizes   map[string][]int // in order, of axes other than that of rows

	mutex sync.Mutex
	last  time.Time // when a request was last answered
	codes map[int]int64
	input, output, total,
	failed durations
}

// durations is a number of events and their time.
type durations struct {
	Count int64 `json:"count"`
	NS    int64 `json:"ns"`
}

func (d *durations) add(t time.Duration) { d.Count, d.NS = d.Count+1, d.NS+int64(t) }

// NewModel returns a model for [Repository.Add]. Requests are batched along the first axis of all inputs and results if
// each of them has a size there that callers choose, of one name; otherwise they are computed one by one.
func NewModel(name, version string, m *nx.Model, opts ...Option) *Model {
	s := newModel(name, version, m.Inputs(), m.Outputs(), m.Close)
	call := func(ctx context.Context, x []nx.Tensor) ([]nx.Tensor, error) { return m.Call(ctx, x...) }
	s.batcher = BatchContext(call, s.options(opts)...)
	return s
}

func newModel(name, version string, inputs, outputs []nx.Parameter, free func() error) *Model {
	return &Model{Name: name, Version: version, Platform: "nx", Inputs: inputs, Outputs: outputs, close: free,
		codes: map[int]int64{}}
}

// options returns those of the batcher, and sets MaxBatch.
func (m *Model) options(opts []Option) []Option {
	if !m.batched() {
		return append(slices.Clone(opts), Whole())
	}
	m.MaxBatch = read(opts).size
	return opts
}

// batched reports whether requests have rows.
func (m *Model) batched() bool {
	first := ""
	for _, list := range [][]nx.Parameter{m.Inputs, m.Outputs} {
		for _, p := range list {
			if len(p.Shape) == 0 || p.Shape[0] >= 0 || len(p.Dims) == 0 {
				return false
			}
			if first = cmp.Or(first, p.Dims[0]); p.Dims[0] != first {
				return false
			}
		}
	}
	return first != ""
}

// Do computes results of inputs in the order of Inputs.
func (m *Model) Do(ctx context.Context, inputs []nx.Tensor) ([]nx.Tensor, error) {
	if m.MaxBatch == 0 || len(m.sizes) == 0 {
		return m.batcher.Do(ctx, inputs)
	}
	inputs, was, err := m.roundUp(inputs)
	if err != nil {
		return nil, err
	}
	results, err := m.batcher.Do(ctx, inputs)
	if err != nil {
		return nil, err
	}
	return m.cut(results, was), nil
}

// roundUp returns inputs whose sizes are rounded up, so that requests of nearby sizes are one batch, and what the sizes
// were.
func (m *Model) roundUp(inputs []nx.Tensor) (out []nx.Tensor, was map[string]int, err error) {
	out, was = slices.Clone(inputs), map[string]int{}
	for i, p := range m.Inputs {
		for k, name := range p.Dims {
			sizes := m.sizes[name]
			if k == 0 || p.Shape[k] >= 0 || len(sizes) == 0 {
				continue
			}
			n := inputs[i].Shape()[k]
			if old, ok := was[name]; ok && old != n {
				return nil, nil, badRequest("the size %q is %d of the input %q, and %d of another", name, n, p.Name,
					old)
			}
			was[name] = n
			if at, _ := slices.BinarySearch(sizes, n); at < len(sizes) { // larger ones are compiled as they are
				out[i] = nx.Tensor(core.ResizeEnd(core.Tensor(out[i]), k, sizes[at]))
			}
		}
	}
	return out, was, nil
}

// cut returns results without the elements of inputs that were rounded up.
func (m *Model) cut(results []nx.Tensor, was map[string]int) []nx.Tensor {
	results = slices.Clone(results)
	for i, p := range m.Outputs {
		for k, name := range p.Dims {
			if n, ok := was[name]; ok && k > 0 && p.Shape[k] < 0 && results[i].Shape()[k] > n {
				results[i] = nx.Tensor(core.ResizeEnd(core.Tensor(results[i]), k, n))
			}
		}
	}
	return results
}

// Warm compiles the model for all sizes of batches, and each combination of the sizes that are given by name, if all
// other sizes of its inputs are fixed.
func (m *Model) Warm(ctx context.Context, sizes map[string][]int) error {
	combinations := []map[string]int{{}}
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		var longer []map[string]int
		for _, c := range combinations {
			for _, n := range sizes[name] {
				next := maps.Clone(c)
				next[name] = n
				longer = append(longer, next)
			}
		}
		combinations = longer
	}
	for _, c := range combinations {
		if err := m.warmFor(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// warmFor compiles the model for all sizes of batches, if sizes has all others that are not fixed.
func (m *Model) warmFor(ctx context.Context, sizes map[string]int) error {
	inputs := make([]nx.Tensor, len(m.Inputs))
	for i, p := range m.Inputs {
		shape := slices.Clone(p.Shape)
		for k, n := range shape {
			if n >= 0 {
				continue
			}
			if k == 0 && m.MaxBatch > 0 {
				shape[k] = 1
				continue
			}
			size, ok := sizes[p.Dims[k]]
			if !ok {
				return nil
			}
			shape[k] = size
		}
		inputs[i] = nx.Zeros(shape, p.DType)
	}
	return m.batcher.Warm(ctx, inputs)
}

// Close refuses requests, waits for those that run, and gives the memory back.
func (m *Model) Close(ctx context.Context) error {
	return errors.Join(m.batcher.Close(ctx), m.close())
}

// Stats returns the numbers of the batcher.
func (m *Model) Stats() Stats { return m.batcher.Stats() }

// Source is where a model comes from.
type Source struct {
	// Name is that of the model; by default that of its file without the extension.
	Name string
	// Path is a file or folder that [nx.Load] takes, or a folder with a folder for each version, 1, 2, …, of which the
	// largest is served. In it is a file "model" with an extension, or one file that nx.Load takes.
	Path string
	// FS has Path, instead of the file system of the operating system.
	FS fs.FS
	// Load are options of nx.Load, Batch those of [Batch].
	Load  []nx.LoadOption
	Batch []Option
	// Sizes round sizes of inputs up to the next of some, by name, as [nx.Buckets] does, for which see when that is
	// right. Requests whose sizes are rounded to the same are one batch. The model is compiled for all of them before
	// it is ready.
	Sizes map[string][]int
}

// open loads the model and compiles what it can.
func (s Source) open(ctx context.Context) (*Model, error) {
	path, version, err := s.Newest()
	if err != nil {
		return nil, err
	}
	load := s.Load
	if s.FS != nil {
		load = append(slices.Clone(load), nx.Files(s.FS))
	}
	m, err := nx.Load(ctx, path, load...)
	if err != nil {
		return nil, err
	}
	model := NewModel(s.Name, version, m, s.Batch...)
	for _, p := range slices.Concat(model.Inputs, model.Outputs) {
		if datatypeOf(p.DType) == "" {
			return nil, fmt.Errorf("%s: %s is of a type that the protocol does not have", path, p)
		}
	}
	model.sizes = map[string][]int{}
	for name, list := range s.Sizes {
		model.sizes[name] = slices.Sorted(slices.Values(list))
	}
	if err := model.Warm(ctx, s.Sizes); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return model, nil
}

// Newest returns what [Repository.Load] loads: the file, or the folder, of the largest version.
func (s Source) Newest() (path, version string, err error) {
	info, err := files.Stat(s.FS, s.Path)
	if err != nil {
		return "", "", err
	}
	if !info.IsDir() {
		return s.Path, "1", nil
	}
	entries, err := files.ReadDir(s.FS, s.Path)
	if err != nil {
		return "", "", err
	}
	largest := int64(-1)
	for _, e := range entries {
		if n, err := strconv.ParseInt(e.Name(), 10, 64); err == nil && e.IsDir() && n > largest {
			largest = n
		}
	}
	if largest < 0 {
		return s.Path, "1", nil // such as a bundle of torch_xla
	}
	version = strconv.FormatInt(largest, 10)
	folder := filepath.Join(s.Path, version)
	if entries, err = files.ReadDir(s.FS, folder); err != nil {
		return "", "", err
	}
	var found []string
	for _, e := range entries {
		ext := strings.ToLower(filepath.Ext(e.Name()))
		if strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())) == "model" && ext != ".data" {
			return filepath.Join(folder, e.Name()), version, nil
		}
		if slices.Contains([]string{".onnx", ".mlir", ".bc", ".jaxexport", ".stablehlo"}, ext) {
			found = append(found, e.Name())
		}
	}
	if len(found) != 1 {
		return "", "", fmt.Errorf("%s: want a file model.onnx, or one file of a model, there are %v", folder, found)
	}
	return filepath.Join(folder, found[0]), version, nil
}
