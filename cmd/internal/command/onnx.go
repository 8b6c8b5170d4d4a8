package command

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	registry "github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	encoding "github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/bench"
	"github.com/go-nx/nx/internal/callsite"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/internal/onnx"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// lowering says for which arguments a model of ONNX is a program.
type lowering struct {
	sizes map[string]string // of its dimensions by name, or of whole inputs, x=1x3x224x224
	bound map[string]string // values of inputs, sr=16000

	calling        // of a definition
	renamed string // the file of --names
}

// lowerONNX reads a model of ONNX as a program.
func lowerONNX(ctx context.Context, path string, as lowering) (*model.Program, error) {
	p, d, err := openONNX(path)
	if err != nil {
		return nil, err
	}
	types, missing, err := sizedONNX(d, as.sizes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s takes any %s: give numbers with --size", path,
			printable(strings.Join(missing, ", ")))
	}
	known, err := boundONNX(d, types, as.bound)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p.Lower(ctx, types, known)
}

// boundONNX returns the inputs that have a value, each element of which is one number.
func boundONNX(d *model.Program, types []*stablehlo.TensorType, bound map[string]string) (map[int]core.Tensor, error) {
	known := map[int]core.Tensor{}
	for name, text := range bound {
		i := slices.IndexFunc(d.In, func(q model.Param) bool { return q.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("--bind %s: no input of the model has this name", name)
		}
		shape, err := shapeInts(types[i].Dims)
		if err != nil {
			return nil, err
		}
		var t core.Tensor
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			t = core.Full(shape, n, types[i].DType())
		} else if f, err := strconv.ParseFloat(text, 64); err == nil && types[i].DType().IsFloat() {
			t = core.Full(shape, f, types[i].DType())
		} else if b, err := strconv.ParseBool(text); err == nil && types[i].DType() == dtype.Bool {
			t = core.Full(shape, b, types[i].DType())
		} else {
			return nil, fmt.Errorf("--bind %s=%s: the input is %s", name, text, d.In[i].TypeText())
		}
		known[i] = t
	}
	return known, nil
}

// addSizeFlag adds --size, and --bind, which only models of ONNX take.
func addSizeFlag(cmd *cobra.Command, l *lowering) {
	cmd.Flags().StringToStringVar(&l.sizes, "size", nil,
		"sizes that the program leaves open: `name=number`; of a model of ONNX also x=1x3x224x224")
	cmd.Flags().StringToStringVar(&l.bound, "bind", nil,
		"values of inputs of a model of ONNX, for all of their elements: `name=number`")
}

func openONNX(path string) (*onnx.Program, *model.Program, error) {
	p, err := onnx.Open(path)
	if err != nil {
		return nil, nil, err
	}
	d, err := p.Describe()
	return p, d, err
}

// sizedONNX returns the types of inputs, and the names of sizes that are not given.
func sizedONNX(d *model.Program, sizes map[string]string) (types []*stablehlo.TensorType, missing []string, err error) {
	used := map[string]bool{}
	for i := range d.In {
		q := &d.In[i]
		t := q.Tensor()
		dims := slices.Clone(t.Dims)
		if text, ok := sizes[q.Name]; ok && strings.ContainsAny(text, "x0123456789") && !slices.Contains(q.Dims,
			q.Name) {
			used[q.Name] = true
			parts := strings.Split(text, "x")
			if len(parts) != len(dims) {
				return nil, nil, fmt.Errorf("--size %s=%s: the input has %d axes", q.Name, text, len(dims))
			}
			for axis, s := range parts {
				n, err := strconv.ParseInt(s, 10, 64)
				if err != nil || n < 0 || dims[axis] >= 0 && dims[axis] != n {
					return nil, nil, fmt.Errorf("--size %s=%s: the input is %s", q.Name, text, q.TypeText())
				}
				dims[axis] = n
			}
		}
		for axis, n := range dims {
			if n != stablehlo.Dynamic {
				continue
			}
			name := q.Dims[axis]
			text, ok := sizes[name]
			if !ok {
				if !slices.Contains(missing, name) {
					missing = append(missing, name)
				}
				continue
			}
			used[name] = true
			if dims[axis], err = strconv.ParseInt(text, 10, 64); err != nil || dims[axis] < 0 {
				return nil, nil, fmt.Errorf("--size %s=%s: want a number of elements", name, text)
			}
		}
		types = append(types, t.WithDims(dims...))
	}
	for name := range sizes {
		if !used[name] {
			return nil, nil, fmt.Errorf("--size %s: no size of the model has this name", name)
		}
	}
	return types, missing, nil
}

// runONNX runs a model on the arrays of --in.
func (r *runner) runONNX(ctx context.Context, path string) error {
	client, err := findCompiler(r.backend)
	if err != nil {
		return err
	}
	p, d, err := openONNX(path)
	if err != nil {
		return err
	}
	ins, err := readTensors(ctx, r.files, r.renamed, d)
	if err != nil {
		return err
	}
	if err := r.canWrite(); err != nil {
		return err
	}
	m, err := core.LoadImported(ctx, p, core.On(client.(registry.Client)))
	if err != nil {
		return err
	}
	outs, err := m.Call(ctx, ins...)
	if err != nil {
		return programError{err}
	}
	results, names := make([]interp.Value, len(outs)), resultNames(len(outs))
	for i, t := range outs {
		results[i] = &interp.Tensor{Type: stablehlo.Tensor(t.DType(), dims64(t.Shape())...), Data: core.Bytes(t)}
	}
	if r.out != "" {
		return writeResults(ctx, r.out, names, results)
	}
	for i := range names {
		names[i] += " " + printable(d.Out[i].Name)
	}
	return r.show(ctx, names, results)
}

// onnxSummary is the output of nx inspect for a model of ONNX.
type onnxSummary struct {
	Path        string            `json:"path"`
	Form        string            `json:"form"`
	Producer    string            `json:"producer"`
	Opsets      map[string]int64  `json:"opsets"`
	Inputs      []string          `json:"inputs"`
	Outputs     []string          `json:"outputs"`
	Parameters  int64             `json:"parameters"`
	Bytes       int64             `json:"bytes"`
	Ops         []opCount         `json:"ops"`
	Unsupported []string          `json:"unsupported,omitempty"`
	Metadata    map[string]string `json:"metadata,omitempty"`
}

func (s *Streams) inspectONNX(path string, asJSON bool) error {
	f, err := encoding.Open(path)
	if err != nil {
		return err
	}
	m := f.Model
	sum := &onnxSummary{Path: path, Form: string(onnx.Form),
		Producer: strings.TrimSpace(m.Producer + " " + m.ProducerVersion),
		Opsets:   map[string]int64{}, Inputs: []string{}, Outputs: []string{}, Ops: []opCount{}, Metadata: m.Metadata}
	for _, o := range m.Opsets {
		sum.Opsets[o.Domain] = o.Version
	}
	if m.Graph == nil {
		return fmt.Errorf("%s: the model has no graph", path)
	}
	counts := map[string]int{}
	sum.count(m.Graph, counts)
	for _, fn := range m.Functions {
		for _, n := range fn.Nodes {
			counts[opLabel(n)]++
		}
	}
	for op, n := range counts {
		sum.Ops = append(sum.Ops, opCount{op, n})
	}
	sort.Slice(sum.Ops, func(i, j int) bool {
		a, b := sum.Ops[i], sum.Ops[j]
		return a.Count > b.Count || a.Count == b.Count && a.Op < b.Op
	})
	p, err := onnx.Open(path)
	for _, u := range onnx.IsUnsupported(err) {
		sum.Unsupported = append(sum.Unsupported, u.String())
	}
	if err != nil && len(sum.Unsupported) == 0 {
		return err
	}
	if p != nil {
		d, err := p.Describe()
		if err != nil {
			return err
		}
		for i := range d.In {
			sum.Inputs = append(sum.Inputs, d.In[i].Name+" "+d.In[i].TypeText())
		}
		for i := range d.Out {
			sum.Outputs = append(sum.Outputs, d.Out[i].Name+" "+d.Out[i].TypeText())
		}
	}
	if asJSON {
		return printJSON(s.out, sum)
	}
	_, err = io.WriteString(s.out, sum.String())
	return written(err)
}

// count adds the nodes and the parameters of a graph and of the graphs in it.
func (s *onnxSummary) count(g *encoding.Graph, counts map[string]int) {
	for _, t := range g.Initializers {
		if _, n, err := t.Shape(); err == nil {
			s.Parameters += n
			if size, err := t.Type.PackedSize(n); err == nil {
				s.Bytes += size
			}
		}
	}
	for _, n := range g.Nodes {
		counts[opLabel(n)]++
		for _, a := range n.Attributes {
			if a.Graph != nil {
				s.count(a.Graph, counts)
			}
			for _, inner := range a.Graphs {
				s.count(inner, counts)
			}
		}
	}
}

func opLabel(n *encoding.Node) string {
	if n.Domain == "" || n.Domain == "ai.onnx" {
		return n.OpType
	}
	return n.Domain + "." + n.OpType
}

func (s *onnxSummary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n  %s", printable(s.Path), s.Form)
	if s.Producer != "" {
		fmt.Fprintf(&b, " by %s", printable(s.Producer))
	}
	var sets []string
	for d, v := range s.Opsets {
		if d == "" {
			d = "ai.onnx"
		}
		sets = append(sets, fmt.Sprintf("%s %d", printable(d), v))
	}
	slices.Sort(sets)
	fmt.Fprintf(&b, ", opsets %s\n  %s parameters, %s\n", strings.Join(sets, ", "), decimal(float64(s.Parameters)),
		binaryBytes(float64(s.Bytes)))
	for i, t := range s.Inputs {
		fmt.Fprintf(&b, "  in%-6d %s\n", i, printable(t))
	}
	for i, t := range s.Outputs {
		fmt.Fprintf(&b, "  out%-5d %s\n", i, printable(t))
	}
	if len(s.Unsupported) > 0 {
		b.WriteString("\ncannot run: these ops are not supported\n")
	}
	for _, u := range s.Unsupported {
		fmt.Fprintf(&b, "  %s\n", printable(u))
	}
	b.WriteString("\nops\n")
	for _, o := range s.Ops {
		fmt.Fprintf(&b, "  %6d  %s\n", o.Count, printable(o.Op))
	}
	return b.String()
}

// onnxWorkload is a call of a model on synthetic inputs.
func onnxWorkload(ctx context.Context, path string, in []string, sizes map[string]string,
	client registry.Client) (workload, error) {
	start := time.Now()
	p, d, err := openONNX(path)
	if err != nil {
		return workload{}, err
	}
	ins, err := onnxInputs(ctx, path, d, in, sizes)
	if err != nil {
		return workload{}, err
	}
	m, err := core.LoadImported(ctx, p, core.On(client))
	if err != nil {
		return workload{}, err
	}
	run := func() []core.Tensor {
		outs, err := m.Call(ctx, ins...)
		if err != nil {
			panic(err)
		}
		for _, o := range outs {
			core.Await(ctx, o)
		}
		return outs
	}
	outs, err := m.Call(ctx, ins...)
	if err != nil {
		return workload{}, err
	}
	check := 0.0
	if len(outs) > 0 && outs[0].Size() > 0 {
		check = core.Data[float64](core.Reshape(outs[0], outs[0].Size()).At(core.To(1)))[0]
	}
	first := time.Since(start)
	return workload{bench.Workload{Name: strings.TrimSuffix(filepath.Base(path), ".onnx"),
		Make: func() (func(), func() float64) {
			return func() { core.ReleaseAll(run(), core.ReleasedAt(callsite.PC())) }, func() float64 { return check }
		}}, first}, nil
}

// readTensors reads the inputs of a model from files.
func readTensors(ctx context.Context, files []string, renamed string, d *model.Program) ([]core.Tensor, error) {
	args, err := readArguments(ctx, files, renamed, d, "the model")
	if err != nil {
		return nil, err
	}
	ins := make([]core.Tensor, len(args))
	for i, a := range args {
		t := a.(*interp.Tensor)
		shape, err := shapeInts(t.Type.Dims)
		if err != nil {
			return nil, err
		}
		ins[i] = core.FromBytes(t.Data, shape, t.Type.DType())
	}
	return ins, nil
}

// onnxInputs returns the inputs of a model: those of files, or synthetic ones of given sizes.
func onnxInputs(ctx context.Context, path string, d *model.Program, files []string,
	sizes map[string]string) ([]core.Tensor, error) {
	if len(files) > 0 {
		return readTensors(ctx, files, "", d)
	}
	types, missing, err := sizedONNX(d, sizes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s takes any %s: give numbers with --size", path,
			printable(strings.Join(missing, ", ")))
	}
	ins := make([]core.Tensor, len(types))
	for i, t := range types {
		shape, err := shapeInts(t.Dims)
		if err != nil {
			return nil, err
		}
		ins[i] = core.FromBytes(bench.Synthetic(t.DType(), core.Shape(shape).Size()), shape, t.DType())
	}
	return ins, nil
}
