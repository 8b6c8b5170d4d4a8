package command

import (
	"context"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/internal/cost"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/internal/onnx"
	"github.com/go-nx/nx/stablehlo"
)

// summary is the output of nx inspect for a module.
type summary struct {
	Path      string            `json:"path"`
	Form      string            `json:"form"`
	Module    string            `json:"module"`
	Functions []functionSummary `json:"functions"`
	Ops       []opCount         `json:"ops"`
	Constants []constantSummary `json:"largestConstants"`
	Unused    []string          `json:"unusedInputs,omitempty"` // of the function that was exported
	Unknown   []unknownCall     `json:"unknownCalls,omitempty"` // of functions that no backend has
}

type functionSummary struct {
	Name    string   `json:"name"`
	Private bool     `json:"private"`
	Args    []string `json:"args"`
	Results []string `json:"results"`
	// The names in the file, or ""; only those of @main are known.
	ArgNames    []string `json:"argNames,omitempty"`
	ResultNames []string `json:"resultNames,omitempty"`
	Ops         int      `json:"ops"`
	cost.Cost
}

type opCount struct {
	Op    string `json:"op"`
	Count int    `json:"count"`
}

type constantSummary struct {
	Type  string  `json:"type"`
	Bytes float64 `json:"bytes"`
	Line  int     `json:"line"`
	Place string  `json:"place,omitempty"` // in the source of a definition
}

func newInspect(s *Streams) *cobra.Command {
	var asJSON bool
	var stage string
	var as lowering
	cmd := &cobra.Command{
		Use:   "inspect [flags] FILE.mlir | ./FOLDER.FUNC",
		Short: "Show signatures, ops, and estimates of work and memory",
		Long: `Inspect verifies a program and shows the signature of every function, how often
each op occurs, the largest constants, and estimates of one call of each function,
the functions it calls included:

  flops            operations on floating-point elements: 1 for each element of an
                   add, multiply, compare, …; 2 · |result| · contracted size for
                   dot_general; 2 · |result| · |kernel| / output features for
                   convolution; body · (|input| − |result|) for reduce;
                   5 · n · log2 n for fft. Complex numbers count 2 for an addition,
                   6 for a multiplication. Integer work is not counted.
  transcendentals  elements of exponential, log, sine, tanh, power, sqrt, …
  bytes            the memory traffic of the ops without fusion

A while counts one iteration, an if or case its largest branch, a dynamic
dimension 1.

Of a model of ONNX it shows inputs and results, the number of parameters, nodes by op, and all
that cannot be imported; --size sets open sizes for --stage.

A numerical definition, ./folder.Func, is lowered for the types of --args, or those of the arrays of
--in; see "nx help run". With --grad it is the program of the derivatives that is shown, of any form.

With --stage it shows instead a stage of the compilation of @main:

  parsed      the function of the file
  simplified  after all rewrites of the graph: calls expanded, constants folded, …
  fused       the nodes: kernels, fused row loops, loops, branches and library calls over buffers b0, b1, …
  nodes       the nodes, each with the bytes it reads and writes, copies, and the totals
  scheduled   the nodes, then the offset and the live range of each buffer
  kernels     the nodes, each kernel with its loop nest
  plan        the nodes, each kernel with the plan of its loops: tiles, lanes, blocks, chunks`,
		Example: examples(
			"nx inspect model.mlir",
			"nx inspect --json model.mlir | jq '.functions[0].flops'",
			"nx inspect --stage kernels model.mlir",
			"nx inspect ./defs.Softmax --args 'f32[3][4]' --stage fused --grad"),
		Args:              wantArgs(1, 1, "one file"),
		ValidArgsFunction: mlirFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := exclude(cmd, "json", "stage"); err != nil {
				return err
			}
			if cmd.Flags().Changed("stage") {
				return s.inspectStage(cmd.Context(), args[0], stage, as)
			}
			return s.inspect(cmd.Context(), args[0], asJSON, as)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	addStageFlag(cmd, &stage)
	addSizeFlag(cmd, &as)
	addCallFlags(cmd, &as.calling)
	cmd.Flags().StringArrayVar(&as.files, "in", nil, "take the types of the tensors of a definition from this `file`")
	return cmd
}

func (s *Streams) inspect(ctx context.Context, path string, asJSON bool, as lowering) error {
	if onnx.IsFile(path) && !as.grad {
		return s.inspectONNX(path, asJSON)
	}
	p, err := s.readGradient(ctx, path, as)
	if err != nil {
		return err
	}
	sum := summarise(path, p.Module, p.Form == definitionForm)
	sum.name(p)
	if asJSON {
		return printJSON(s.out, sum)
	}
	var b strings.Builder
	sum.print(&b)
	_, err = io.WriteString(s.out, b.String())
	return written(err)
}

// name adds the file's names of the arguments and results of @main.
func (s *summary) name(p *model.Program) {
	s.Form, s.Unused = string(p.Form), p.Unused
	for i := range s.Functions {
		if f := &s.Functions[i]; f.Name == entry {
			f.ArgNames, f.Args = described(p.In, f.Args)
			f.ResultNames, f.Results = described(p.Out, f.Results)
		}
	}
}

// described returns the names of parameters, or nil, and their types, with the sizes of the file.
func described(params []model.Param, types []string) (names, texts []string) {
	if len(params) != len(types) {
		return nil, types
	}
	texts = []string{}
	named := false
	for i := range params {
		name := params[i].Name
		if name == "" || params[i].Local {
			name = params[i].Tree
		}
		named = named || name != ""
		names, texts = append(names, name), append(texts, params[i].TypeText())
	}
	if !named {
		names = nil
	}
	return names, texts
}

// maxConstants is how many constants a summary lists.
const maxConstants = 5

// summarise describes a module; with placed it names the places that the ops have of a definition, and not their lines
// in the text of the module.
func summarise(path string, m *stablehlo.Module, placed bool) *summary {
	sum := &summary{Path: path, Module: m.Str("sym_name"), Functions: []functionSummary{}, Ops: []opCount{},
		Constants: []constantSummary{},
		Unknown:   unknownCalls(m).calls}
	costs := cost.New(m)
	for f := range m.Funcs() {
		sum.Functions = append(sum.Functions, summariseFunc(f, costs))
	}
	counts := map[string]int{}
	for op := range m.Walk() {
		if op == m.Op || op.Code == stablehlo.OpFunc {
			continue
		}
		counts[op.Name()]++
		if c, ok := op.Attr("value").(*stablehlo.ElementsAttr); ok {
			line := 0
			if m.Source != nil && op.Pos() > 0 {
				line, _ = m.Source.LineCol(op.Pos())
			}
			k := constantSummary{Type: c.Type.String(), Bytes: cost.Finite(cost.SizeBytes(c.Type)), Line: line}
			if at, ok := op.Loc.(*stablehlo.FileLoc); ok && placed {
				k.Place = fmt.Sprintf("%s:%d", at.File, at.Line)
			}
			sum.Constants = append(sum.Constants, k)
		}
	}
	for name, n := range counts {
		sum.Ops = append(sum.Ops, opCount{name, n})
	}
	sort.Slice(sum.Ops, func(i, j int) bool {
		a, b := sum.Ops[i], sum.Ops[j]
		return a.Count > b.Count || a.Count == b.Count && a.Op < b.Op
	})
	sort.SliceStable(sum.Constants, func(i, j int) bool { return sum.Constants[i].Bytes > sum.Constants[j].Bytes })
	sum.Constants = sum.Constants[:min(len(sum.Constants), maxConstants)]
	return sum
}

func summariseFunc(f stablehlo.Func, costs *cost.Coster) functionSummary {
	t := f.Type()
	fs := functionSummary{Name: f.Name(), Private: f.IsPrivate(), Args: typeNames(t.Ins), Results: typeNames(t.Outs),
		Cost: costs.Function(f.Name()).Finite()}
	for op := range f.Walk() {
		if op != f.Op {
			fs.Ops++
		}
	}
	return fs
}

func typeNames(types []stablehlo.Type) []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	return names
}

func (s *summary) print(w io.Writer) {
	name := ""
	if s.Module != "" {
		name = " module @" + printable(s.Module)
	}
	fmt.Fprintf(w, "%s:%s\n", printable(s.Path), name)
	if s.Form != string(model.Text) {
		fmt.Fprintf(w, "  %s\n", s.Form)
	}
	for _, u := range s.Unused {
		fmt.Fprintf(w, "  ignores %s (unused)\n", printable(u))
	}
	for _, c := range s.Unknown {
		fmt.Fprintf(w, "\ncannot run: line %d calls @%s, an unknown function:\n  %s\n",
			c.Line, printable(c.Target), advice)
	}
	for _, f := range s.Functions {
		visibility := "public"
		if f.Private {
			visibility = "private"
		}
		fmt.Fprintf(w, "\n%s @%s\n", visibility, printable(f.Name))
		for i, t := range f.Args {
			fmt.Fprintf(w, "  arg%-5d %s%s\n", i, printable(t), nameAt(f.ArgNames, i))
		}
		for i, t := range f.Results {
			fmt.Fprintf(w, "  out%-5d %s%s\n", i, printable(t), nameAt(f.ResultNames, i))
		}
		fmt.Fprintf(w, "  work     %s\n", f.work())
	}
	if len(s.Ops) > 0 {
		fmt.Fprintf(w, "\nops\n")
	}
	for _, o := range s.Ops {
		fmt.Fprintf(w, "  %6d  %s\n", o.Count, printable(o.Op))
	}
	if len(s.Constants) > 0 {
		fmt.Fprintf(w, "\nlargest constants\n")
	}
	for _, c := range s.Constants {
		at := fmt.Sprintf("line %d", c.Line)
		if c.Place != "" {
			at = printable(c.Place)
		}
		fmt.Fprintf(w, "  %10s  %s  %s\n", binaryBytes(c.Bytes), printable(c.Type), at)
	}
}

// nameAt returns a name to print after a type, or "".
func nameAt(names []string, i int) string {
	if i >= len(names) || names[i] == "" {
		return ""
	}
	return "  " + printable(names[i])
}

// work is the one-line estimate of a function.
func (f *functionSummary) work() string {
	parts := []string{fmt.Sprintf("%s, %s flops, %s transcendentals, %s moved",
		plural(f.Ops, "op"), decimal(f.Flops), decimal(f.Transcendentals), binaryBytes(f.Bytes))}
	if f.Loops > 0 {
		parts = append(parts, fmt.Sprintf("one iteration of %s", plural(f.Loops, "loop")))
	}
	if f.Unknown > 0 {
		parts = append(parts, plural(f.Unknown, "op")+" of unknown work")
	}
	return strings.Join(parts, "; ")
}

// decimal prints a count with a decimal prefix: 1.23 M.
func decimal(n float64) string { return scaled(n, 1000, " kMGTPE", "") }

// binaryBytes prints a size: 1.5 KiB.
func binaryBytes(n float64) string { return scaled(n, 1024, " KMGTPE", "B") }

func scaled(n, step float64, prefixes, unit string) string {
	i := 0
	for n >= step && i < len(prefixes)-1 {
		n /= step
		i++
	}
	switch {
	case i == 0:
		return strings.TrimSpace(fmt.Sprintf("%.0f %s", n, unit))
	case unit == "B":
		return fmt.Sprintf("%.1f %ciB", n, prefixes[i])
	}
	return fmt.Sprintf("%.2f %c", n, prefixes[i])
}

// plural prints a number of things: 1 op, 2 ops.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
