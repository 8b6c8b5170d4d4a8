package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/internal/cost"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/stablehlo"
)

// requirements are the memory requirements of a program, for nx check --can-run.
type requirements struct {
	// Sizes are the names of the dynamic sizes without a value, as nx inspect prints them. The bytes are known
	// if the list is empty.
	Sizes     []string `json:"sizes,omitempty"`
	Arguments float64  `json:"argumentBytes"`
	Results   float64  `json:"resultBytes"`
	Work      float64  `json:"workBytes"` // temporary memory of one call
	// Unknown are the calls of functions that no backend has.
	Unknown []unknownCall `json:"unknownCalls,omitempty"`
}

func (n *requirements) total() float64 { return n.Arguments + n.Results + n.Work }

func (n *requirements) String() string {
	if len(n.Sizes) > 0 {
		return "takes any " + printable(strings.Join(n.Sizes, ", ")) + ": with --size the memory is reported as well"
	}
	return fmt.Sprintf("arguments %s, results %s, work %s", binaryBytes(n.Arguments), binaryBytes(n.Results),
		binaryBytes(n.Work))
}

// canRun reports whether @main of a file can run here, without an argument being read.
func (c *checker) canRun(ctx context.Context, path string) verdict {
	unit, cancel := ctx, context.CancelFunc(func() {})
	if c.timeout > 0 {
		unit, cancel = context.WithTimeout(ctx, c.timeout)
	}
	defer cancel()
	n, err := c.requirements(unit, path)
	if errors.Is(unit.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("did not end within %v: give it more with --timeout", c.timeout)
	}
	if err != nil {
		v := failure(path, err)
		v.Needs = n
		return v
	}
	return verdict{Path: path, Passed: true, Needs: n}
}

// requirements finds the requirements of a program, or the reason why it cannot run.
func (c *checker) requirements(ctx context.Context, path string) (*requirements, error) {
	p, err := c.readModel(ctx, path, c.lowering)
	if err != nil {
		return nil, err
	}
	f, err := findEntry(path, p.Module)
	if err != nil {
		return nil, err
	}
	c.noteSkipped(path, p.Module)
	n := &requirements{}
	n.Unknown = unknownCalls(p.Module).calls
	if err := checkCalls(p.Module); err != nil {
		return n, err
	}
	types, missing, err := sized(p, f, c.sizes)
	if err != nil {
		return n, err
	}
	n.Sizes = missing
	if len(missing) > 0 {
		return n, nil
	}
	for _, t := range types {
		n.Arguments += cost.SizeBytes(t)
	}
	for _, t := range f.Type().Outs {
		n.Results += cost.SizeBytes(t)
	}
	if c.backend != "interp" {
		client, err := findCompiler(c.backend)
		if err != nil {
			return n, err
		}
		exe, err := client.CompileFunc(ctx, p.Module, entry, types...)
		if err != nil {
			return n, err
		}
		defer exe.Close()
		if m, ok := exe.(interface{ Memory() (results, work int64) }); ok {
			results, work := m.Memory()
			n.Results, n.Work = float64(results), float64(work)
		}
	}
	if maxWork := float64(memoryBytes()); maxWork > 0 && n.total() > maxWork {
		return n, fmt.Errorf("it needs %s of memory (%s), but only %s are available", binaryBytes(n.total()), n,
			binaryBytes(maxWork))
	}
	return n, nil
}

// sized returns the types of the arguments with the sizes of --size, and the names of missing sizes.
func sized(p *model.Program, f stablehlo.Func,
	sizes map[string]string) (types []stablehlo.Type, missing []string, err error) {
	types = slices.Clone(f.Type().Ins)
	for i, t := range types {
		tensor, ok := t.(*stablehlo.TensorType)
		if !ok || tensor.IsStatic() {
			continue
		}
		dims := slices.Clone(tensor.Dims)
		for axis, d := range dims {
			if d != stablehlo.Dynamic {
				continue
			}
			name := sizeName(p, i, axis)
			size, ok := sizes[name]
			if !ok {
				if !slices.Contains(missing, name) {
					missing = append(missing, name)
				}
				continue
			}
			if dims[axis], err = strconv.ParseInt(size, 10, 64); err != nil || dims[axis] < 0 {
				return nil, nil, fmt.Errorf("--size %s=%s: want a number of elements", name, size)
			}
		}
		types[i] = tensor.WithDims(dims...)
	}
	return types, missing, nil
}

// sizeName returns the name of an open size: that of the file, or arg0[1].
func sizeName(p *model.Program, arg, axis int) string {
	if arg < len(p.In) && axis < len(p.In[arg].Dims) {
		if name := p.In[arg].Dims[axis]; name != "" && name != "?" {
			return name
		}
	}
	return fmt.Sprintf("arg%d[%d]", arg, axis)
}
