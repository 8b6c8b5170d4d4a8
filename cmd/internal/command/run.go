package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/internal/onnx"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// runner is the state of one nx run.
type runner struct {
	*Streams
	out     string
	backend string
	lowering
}

func newRun(s *Streams) *cobra.Command {
	r := &runner{Streams: s}
	cmd := &cobra.Command{
		Use:   "run [flags] FILE.mlir | ./FOLDER.FUNC",
		Short: "Run @main with arrays from a file",
		Long: `Run verifies a program and runs @main: a model of ONNX, StableHLO text, a portable artifact,
an export of JAX, or the folder of a bundle of torch_xla. Its arguments are arrays of the
files named by --in, which may be given more than once: archives of NumPy (.npz), files
of one array (.npy), safetensors. An array is matched to the argument of its index, arg0,
arg1, …, or of its name, which "nx inspect" shows; names are compared by their words, and
the first may be missing: layers/0/w is params['layers'][0]['w']. --names FILE.json, an
object of argument: array, maps other names. The weights of a bundle are read from it.

The results become out0, out1, … of the archive named by --out, which is written
completely or not at all. Without --out the results are printed, large ones elided. The
output of interpreter.print goes to standard error.

Element types and shapes must be those of the program. Types that NumPy does not have
are stored as their bits: bf16 as <u2 or |V2, floats of 8 bits and less and integers
below 8 bits as |u1 with one element in each byte, negative ones sign-extended.

With --grad the results are derivatives instead: gradI for each argument argI that
is a tensor of real floats, or for those of --wrt, the gradient of the sum of all elements
of all results that are real floats. A model of ONNX needs the sizes of its inputs for that,
--size batch=8.

A numerical definition is run without being translated first: ./folder.Func, or a method as
./folder.Type.Method, or either with the path of a package. The program defn lowers it for the
types of the arrays. A struct takes an array for each of its tensors, params.W or W; --set name=value
gives a static parameter or field a value: an expression of Go, or the text of a string.
What Hook and PrintValue show goes to standard error.`,
		Example: examples(
			"nx run model.mlir",
			"nx run model.mlir --in in.npz --out out.npz",
			"nx run model.jaxexport --in params.safetensors --in x.npy",
			"nx run model.onnx --in x.npz --out y.npz",
			"nx run loss.mlir --in in.npz --grad",
			"nx run ./defs.Softmax --in t.npy",
			`python -c 'import numpy as np; np.savez("in.npz", arg0=np.ones((2, 3), "f4"))'`),
		Args:              wantArgs(1, 1, "one file"),
		ValidArgsFunction: mlirFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&r.files, "in", nil, "read arguments from this .npz, .npy or .safetensors `file`")
	f.StringVar(&r.renamed, "names", "", "the names of the arguments in that file: a JSON `file`")
	f.StringVar(&r.out, "out", "", "write the results out0… to this .npz `file`")
	for _, name := range []string{"in", "out"} {
		_ = cmd.MarkFlagFilename(name, "npz", "npy", "safetensors") // fails only for an unknown flag
	}
	addCallFlags(cmd, &r.calling)
	addSizeFlag(cmd, &r.lowering)
	addBackendFlag(cmd, &r.backend)
	return cmd
}

// entry is the function that nx run calls.
const entry = "main"

func (r *runner) run(ctx context.Context, path string) error {
	backend, err := findBackend(r.backend)
	if err != nil {
		return err
	}
	if onnx.IsFile(path) && !r.grad {
		return r.runONNX(ctx, path)
	}
	program, err := r.readModel(ctx, path, r.lowering)
	if err != nil {
		return err
	}
	m := program.Module
	f, err := findEntry(path, m)
	if err != nil {
		return err
	}
	r.noteSkipped(path, m)
	args, err := r.arguments(ctx, path, program, f)
	if err != nil {
		return err
	}
	if err := r.canWrite(); err != nil { // before the work, not after it
		return err
	}
	names := resultNames(len(f.Type().Outs))
	switch {
	case program.Form == definitionForm && r.grad:
		names = gradNames(program)
	case r.grad:
		var positions []int
		if m, positions, err = gradient(ctx, program, typesOf(f, args), r.wrt); err != nil {
			return err
		}
		names = names[:0]
		for _, i := range positions {
			names = append(names, fmt.Sprintf("grad%d", i))
		}
		if len(names) == 0 {
			fmt.Fprintf(r.err, "%s: %s: no argument is a tensor of real floats: there is no gradient\n", r.name, path)
		}
	}
	exe, err := backend(m, r.err)
	if err != nil {
		return err
	}
	var results []interp.Value
	err = guarded(func() (err error) {
		results, err = exe.Call(ctx, entry, args...)
		return err
	})
	if err != nil {
		return programError{err}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.out != "" {
		return writeResults(ctx, r.out, names, results)
	}
	for i := range names {
		if q := program.Out; (!r.grad || program.Form == definitionForm) && i < len(q) && q[i].Name != "" {
			names[i] += " " + printable(q[i].Name)
		}
	}
	return r.show(ctx, names, results)
}

// gradient returns the program of the derivatives, and the positions of the arguments that they are with respect to.
func gradient(ctx context.Context, p *model.Program, types []stablehlo.Type,
	wrt []string) (m *stablehlo.Module, positions []int, err error) {
	var chosen []int
	if len(wrt) > 0 {
		at, unused := model.Match(p.In, "arg", wrt)
		if len(unused) > 0 {
			return nil, nil, fmt.Errorf("%s: --wrt %s: no such argument: it takes %s", p.Path,
				strings.Join(unused, ","), argumentNames(p.In))
		}
		for i, n := range at {
			if n >= 0 {
				chosen = append(chosen, i)
			}
		}
	}
	m, positions, err = autodiff.Gradient(ctx, p.Module, entry, types, chosen...)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", p.Path, err)
	}
	return m, positions, nil
}

func findEntry(path string, m *stablehlo.Module) (stablehlo.Func, error) {
	f, ok := m.Func(entry)
	if ok && !f.IsDeclaration() {
		return f, nil
	}
	var names []string
	for f := range m.Funcs() {
		names = append(names, "@"+f.Name())
	}
	if len(names) == 0 {
		return f, fmt.Errorf("%s: the program has no functions: it needs a function @%s", path, entry)
	}
	return f, fmt.Errorf("%s: the program has no function @%s with a body, only %s: rename the one to run",
		path, entry, strings.Join(names, ", "))
}

func (r *runner) arguments(ctx context.Context, path string, p *model.Program,
	f stablehlo.Func) ([]interp.Value, error) {
	wanted := 0
	var text strings.Builder
	for i := range p.In {
		if q := &p.In[i]; !isToken(q.Type) && q.File == "" {
			if wanted++; wanted > 1 {
				text.WriteString(", ")
			}
			fmt.Fprintf(&text, "%s %s", label(q, i), typeText(q.Type))
		}
	}
	if len(r.files) == 0 && wanted > 0 {
		return nil, fmt.Errorf("%s: @%s takes arguments: give them with --in FILE.npz, which must hold %s",
			path, f.Name(), text.String())
	}
	return readArguments(ctx, r.files, r.renamed, p, "@"+f.Name())
}

func isToken(t stablehlo.Type) bool { _, ok := t.(stablehlo.TokenType); return ok }

// typesOf returns the types of the arguments of a call of f: of tensors their
// own, which have no dynamic dimension.
func typesOf(f stablehlo.Func, args []interp.Value) []stablehlo.Type {
	types := slices.Clone(f.Type().Ins)
	for i, a := range args {
		if x, ok := a.(*interp.Tensor); ok {
			types[i] = x.Type
		}
	}
	return types
}

// canWrite reports an output in a folder that does not exist.
func (r *runner) canWrite() error {
	if r.out == "" {
		return nil
	}
	dir := filepath.Dir(r.out)
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = errors.New("not a folder")
	}
	if err != nil {
		return fileError("write to folder", dir, err)
	}
	return nil
}

// resultNames returns out0, out1, …
func resultNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("out%d", i)
	}
	return names
}

func (r *runner) show(ctx context.Context, names []string, results []interp.Value) error {
	w := bufio.NewWriter(stoppable{ctx, r.Streams.out})
	for i, v := range results {
		if err := ctx.Err(); err != nil {
			return err
		}
		show(w, names[i], v)
	}
	return written(w.Flush())
}

// stoppable writes until the context ends.
type stoppable struct {
	ctx context.Context
	w   io.Writer
}

func (s stoppable) Write(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.w.Write(b)
}

// readModule reads and verifies a program.
func (s *Streams) readModule(ctx context.Context, path string, as lowering) (*stablehlo.Module, error) {
	p, err := s.readModel(ctx, path, as)
	if err != nil {
		return nil, err
	}
	return p.Module, nil
}

// readModel reads and verifies a program with the names in its file. A model of ONNX is one for given inputs.
func (s *Streams) readModel(ctx context.Context, path string, as lowering) (*model.Program, error) {
	if len(as.wrt) > 0 && !as.grad {
		return nil, fmt.Errorf("%s: --wrt is for --grad", path)
	}
	if isDefinition(path) {
		return s.lowerDefinition(ctx, path, as.calling, as.renamed)
	}
	if err := missingPackage(path); err != nil {
		return nil, err
	}
	if len(as.args) > 0 || len(as.set) > 0 {
		return nil, fmt.Errorf("%s: --args and --set are for definitions, ./folder.Func", path)
	}
	if onnx.IsFile(path) {
		p, err := lowerONNX(ctx, path, as)
		if err != nil {
			return nil, err
		}
		return p, verified(ctx, path, p.Module)
	}
	var p *model.Program
	if model.IsFolder(path) {
		var err error
		if p, err = model.Open(ctx, path); err != nil {
			return nil, err
		}
		return p, verified(ctx, path, p.Module)
	}
	data, err := s.readText(ctx, path)
	if err != nil {
		return nil, err
	}
	if p, err = model.Read(ctx, path, data); err != nil {
		return nil, err
	}
	return p, verified(ctx, path, p.Module)
}

// verified verifies a module; a program that was not text has no positions, so the file is named.
func verified(ctx context.Context, path string, m *stablehlo.Module) error {
	err := m.VerifyContext(ctx)
	if err != nil && (m.Source == nil || m.Source.Text == nil) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return err
}
