package cpu

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/cost"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/exec"
	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/library"
	"github.com/go-nx/nx/internal/cpu/lower"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/sched"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/pipeline"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// stages is the compilation of a function.
type stages struct {
	client    *Client
	ctx       context.Context   // of the compilation
	m         *stablehlo.Module // a copy
	f         stablehlo.Func
	args      []stablehlo.Type // the types of the arguments, nil for those declared
	text      string           // of the original function, if requested
	in        *group           // the process group that runs the function; nil for a single process
	shared    *simplify.Shared // the functions that are not inlined
	target    pipeline.Target
	stage     string             // the running stage
	tier      tier               // of the code
	codeCache *codegen.CodeCache // records the code of the function; nil if not needed
	prog      *program.Program
	x         *exec.Executable
}

// newStages returns the compilation of a function of a copy of a verified module.
func (c *Client) newStages(ctx context.Context, m *stablehlo.Module, args []stablehlo.Type) (*stages, error) {
	t, err := currentTier()
	if err != nil {
		return nil, err
	}
	s := &stages{client: c, ctx: ctx, m: m.Clone(), args: args, tier: t}
	s.target = pipeline.Target{
		KeepsCall: s.keepsCall, HasBlock: library.HasBlock, ArgTypes: s.argsOf,
		Evaluate: s.evaluate, TakesGraph: true,
		Memory: &pipeline.Memory{MinScores: cost.MinScores, MinSaved: cost.MinSaved, Mark: fuse.Rematerialised},
		Own: map[string]func(stablehlo.Func) error{
			"processes":      s.startProcesses,
			"scan loops":     s.scanLoops,
			"unroll windows": s.unrollWindows,
			"expand dots":    s.expandDots,
			"static shapes":  checkStatic,
		},
		Begins:      func(pass string) { s.stage = pass },
		CheckCancel: s.checkCancel,
	}
	if t.profits.RandomBits {
		s.target.Own["random bits"] = s.writeRandomBits
	}
	return s, nil
}

func (s *stages) scanLoops(f stablehlo.Func) error {
	return lower.ScanLoops(f, s.evaluate, s.checkCancel)
}

func (s *stages) writeRandomBits(f stablehlo.Func) error { return lower.RandomBits(f, s.checkCancel) }

func (s *stages) unrollWindows(f stablehlo.Func) error {
	return lower.UnrollWindows(f, s.tier.profits.Windows, s.checkCancel)
}

func (s *stages) expandDots(f stablehlo.Func) error {
	return lower.ExpandDots(f, s.tier.profits.Dots, s.checkCancel)
}

// keepsCall reports whether a call stays: calls of blocks with library code, and of shared
// functions.
func (s *stages) keepsCall(op *stablehlo.Op, inRegion bool) bool {
	return library.HasBlock(op, inRegion) || s.shared.Keeps(op, inRegion)
}

// argsOf returns the types of the arguments of a function if they are given instead of the declared
// ones.
func (s *stages) argsOf(f stablehlo.Func) []stablehlo.Type {
	if f.Op == s.f.Op {
		return s.args
	}
	return nil
}

// stages runs the compiler on a function of a copy of the module. With NX_CHECK=1 every stage is
// verified after every pass.
func (c *Client) stages(ctx context.Context, m *stablehlo.Module, name string,
	args []stablehlo.Type) (s *stages, err error) {
	if err := m.VerifyContext(ctx); err != nil {
		return nil, err
	}
	return c.stagesIn(ctx, m, name, args, nil)
}

// stagesIn is [Client.stages] of a function of a verified module. If in is not nil, a process group runs it.
func (c *Client) stagesIn(ctx context.Context, m *stablehlo.Module, name string,
	args []stablehlo.Type, in *group) (*stages, error) {
	s, err := c.newStages(ctx, m, args)
	if err != nil {
		return nil, err
	}
	s.in = in
	if err := s.start(name); err != nil {
		return nil, err
	}
	return s, nil
}

// start finds the function and compiles it.
func (s *stages) start(name string) error {
	var ok bool
	s.f, ok = s.m.Func(name)
	if !ok || s.f.IsDeclaration() {
		return fmt.Errorf("cpu: the module has no function @%s with a body", name)
	}
	if len(s.args) > 0 && len(s.args) != len(s.f.Args()) {
		return fmt.Errorf("cpu: @%s must have %d arguments, got %d", name, len(s.f.Args()), len(s.args))
	}
	if dumps("parsed", name) {
		s.text = displayText(s.f)
	}
	return s.compile()
}

// compile runs the passes on the function and generates its code.
func (s *stages) compile() (err error) {
	defer s.catch(&err)
	if err := s.runPasses(); err != nil {
		return err
	}
	s.stage = "code"
	s.prog, s.x, err = s.plan(s.f, s.codeCache)
	return err
}

// runPasses rewrites the function and the functions it calls that are not inlined.
func (s *stages) runPasses() error {
	s.stage = "calls"
	s.shared = &simplify.Shared{}
	if s.in == nil {
		s.shared = simplify.FindShared(s.m, s.f, s.checkCancel)
	}
	failed, err := s.target.Run(s.ctx, s.m, append(slices.Clone(s.shared.Funcs), s.f)...)
	var at *emit.Error
	if errors.As(err, &at) {
		return errorAt(s.m.Source, at.Op, fmt.Errorf("%s: %w", at.Op.Name(), err))
	}
	if err != nil {
		return fmt.Errorf("cpu: %s: %w", failed, err)
	}
	return nil
}

// cancelled is the panic value of a cancelled compilation.
type cancelled struct{}

// checkCancel panics if the compilation is cancelled. Passes and stages call it for every op.
func (s *stages) checkCancel() {
	if s.ctx.Err() != nil {
		panic(cancelled{})
	}
}

// plan generates the code of a function, and records it in codeCache. With NX_CHECK=1 every stage
// is verified.
func (s *stages) plan(f stablehlo.Func, codeCache *codegen.CodeCache) (*program.Program, *exec.Executable, error) {
	prog, err := fuse.Build(f, s.checkCancel)
	if err != nil {
		return nil, nil, err
	}
	if _, err := currentThreads(); err != nil {
		return nil, nil, err
	}
	x, err := exec.Compile(prog, s.client.env, s.tier.with(codeCache), s.checkCancel)
	if err != nil {
		return nil, nil, err
	}
	if pipeline.Checks() {
		if err := sched.Check(prog, x.Layout()); err != nil {
			return nil, nil, fmt.Errorf("cpu: schedule: %w", err)
		}
	}
	return prog, x, nil
}

// evaluate runs a function without arguments, to fold constants.
func (s *stages) evaluate(f stablehlo.Func) ([][]byte, error) {
	_, x, err := s.plan(f, nil)
	if err != nil {
		return nil, err
	}
	return x.Run(s.ctx, nil)
}

// Stages returns the stages of the compiler that can be printed, in order: the original function;
// the function after all passes on the module; as nodes over buffers; with the bytes that each node
// reads and writes; with the offset of every buffer in memory; with the kernels; with the plans of
// their loops; with the machine code of the kernels.
func Stages() []string {
	return []string{"parsed", "simplified", "fused", "nodes", "scheduled", "kernels", "plan", "asm"}
}

// Explain returns the text of a function at one of the [Stages] of its compilation.
func (c *Client) Explain(m *stablehlo.Module, name, stage string, args ...stablehlo.Type) (string, error) {
	if !slices.Contains(Stages(), stage) {
		return "", fmt.Errorf("cpu: there is no stage %q: the stages are %s", stage, strings.Join(Stages(), ", "))
	}
	if stage == "parsed" {
		f, ok := m.Func(name)
		if !ok {
			return "", fmt.Errorf("cpu: the module has no function @%s", name)
		}
		return displayText(f), nil
	}
	s, err := c.stages(context.Background(), m, name, args)
	if err != nil {
		return "", err
	}
	return s.show(stage), nil
}

// displayText returns the text of a function with large constants elided.
func displayText(f stablehlo.Func) string { return f.Text(stablehlo.PrintOptions{Elide: true}) + "\n" }

func (s *stages) show(stage string) string {
	switch stage {
	case "parsed":
		return s.text
	case "simplified":
		text := displayText(s.f)
		for _, f := range simplify.SharedFuncs(s.m, s.f) {
			text += displayText(f)
		}
		return text
	case "fused":
		return s.prog.String()
	case "nodes":
		return s.x.Layout().NodesText(s.prog)
	case "plan":
		return s.x.PlanText()
	case "asm":
		return s.x.CodeText()
	case "scheduled":
		return s.prog.String() + s.x.Layout().Text(s.prog)
	}
	return s.prog.Kernels()
}

// dumps reports whether NX_DUMP lists a stage of a function. It holds the stages to print to
// standard error, "fused,kernels:main" (only of function @main).
func dumps(stage, name string) bool {
	for entry := range strings.SplitSeq(os.Getenv("NX_DUMP"), ",") {
		want, fn, hasFunc := strings.Cut(entry, ":")
		if want == stage && (!hasFunc || fn == name) {
			return true
		}
	}
	return false
}

// dump prints the stages that NX_DUMP lists.
func (s *stages) dump() error {
	if os.Getenv("NX_DUMP") == "" {
		return nil
	}
	for _, stage := range Stages() {
		if dumps(stage, s.f.Name()) {
			if _, err := fmt.Fprintf(os.Stderr, "-- @%s %s\n%s", s.f.Name(), stage, s.show(stage)); err != nil {
				return err
			}
		}
	}
	return nil
}
