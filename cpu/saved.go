package cpu

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/exec"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/wire"
	"github.com/go-nx/nx/stablehlo"
)

// A saved program is a line with its format, a digest of the rest, and the rest: the version of the
// compiler, the tier and the processor features its code requires, the types of the results, the
// donated arguments, the program as nodes over buffers, and the machine code of its kernels.
const savedMagic = "nx cpu program 1\n"

// A SavedError is the reason why a saved program cannot be loaded.
type SavedError struct {
	Why     string
	Missing []string // features that the processor or the system lacks, "avx512f"
}

// Error includes the remedy.
func (e *SavedError) Error() string {
	return fmt.Sprintf("cpu: the saved program cannot be loaded: %s: compile and save it again here", e.Why)
}

func newSavedError(format string, args ...any) error {
	return &SavedError{Why: fmt.Sprintf(format, args...)}
}

// Save returns the executable as bytes, for [Client.LoadCompiled]. Programs with effects, or with
// Go functions, cannot be saved.
func (e *executable) Save() ([]byte, error) {
	codeCache := &codegen.CodeCache{}
	// The code is generated once more, to record it.
	if _, err := exec.Compile(e.x.Program(), e.client.env, e.tier.with(codeCache)); err != nil {
		return nil, fmt.Errorf("cpu: saving: %w", err)
	}
	rest, err := e.bytes(codeCache, true)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(rest)
	return append(append([]byte(savedMagic), sum[:]...), rest...), nil
}

// bytes returns the executable without line and digest, with the source locations of its ops if
// positions is set.
func (e *executable) bytes(codeCache *codegen.CodeCache, positions bool) ([]byte, error) {
	version, err := compilerVersion()
	if err != nil {
		return nil, fmt.Errorf("cpu: saving: reading the version of the program: %w", err)
	}
	if op := effectOf(e.x.Program().Main); op != nil {
		return nil, fmt.Errorf("cpu: saving: %s is not supported: it has effects in this process", op.Name())
	}
	w := wire.Writer{}
	w.Text(version)
	w.Text(e.tier.name)
	w.Text(e.tier.needs.String())
	w.Int(len(e.results))
	for _, t := range e.results {
		w.Text(t.DType.String())
		w.Numbers(t.Dims)
	}
	w.Int(e.x.NumArgs())
	for i := range e.x.NumArgs() {
		w.Flag(e.donation != nil && e.donation.donated[i])
	}
	return codeCache.Append(e.x.Program().Append(w.B, positions)), nil
}

// effectOf returns an op of a call that has side effects, or refers to state outside the text; nil
// if there is none.
func effectOf(b *program.Block) *stablehlo.Op {
	var found *stablehlo.Op
	var look func(op *stablehlo.Op)
	look = func(op *stablehlo.Op) {
		if hasEffect(op) || op.Attr(stablehlo.HostTarget) != nil {
			found = op
		}
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				for _, op := range inner.Ops {
					look(op)
				}
			}
		}
	}
	for _, n := range b.Nodes {
		if c, ok := n.(*program.Call); ok {
			look(c.Op)
		}
		for _, inner := range n.Blocks() {
			if op := effectOf(inner); op != nil {
				return op
			}
		}
	}
	return found
}

// LoadCompiled loads an executable from the bytes of its Save method: in another process, or on
// another machine of the same kind. The executables of [Client.Compile] are [backend.Saver]. The
// error is a [*SavedError] for damaged bytes, for programs of another version of the compiler, if
// the processor lacks a feature that the code requires, and if NX_CPU selects another tier than
// that of the code.
//
// A saved program is code. Its digest detects damage and prevents damaged code from being run. It
// is not a signature: load only saved programs from sources that you trust as you trust their
// programs.
func (c *Client) LoadCompiled(saved []byte) (backend.Executable, error) {
	rest, ok := bytes.CutPrefix(saved, []byte(savedMagic))
	if !ok || len(rest) < sha256.Size {
		return nil, newSavedError("these bytes are not a saved program")
	}
	sum, rest := rest[:sha256.Size], rest[sha256.Size:]
	if sha256.Sum256(rest) != [sha256.Size]byte(sum) {
		return nil, newSavedError("it is damaged")
	}
	e, err := c.load(rest)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// load is LoadCompiled without line and digest, which have been compared.
func (c *Client) load(rest []byte) (*executable, error) {
	r := wire.NewReader(rest)
	t, err := readTier(r)
	if err != nil {
		return nil, err
	}
	p, err := readProgram(r)
	if err != nil {
		return nil, err
	}
	if _, err := currentThreads(); err != nil {
		return nil, err
	}
	x, err := (&stages{client: c, ctx: context.Background(), stage: "loading"}).loaded(p.nodes, t.with(p.codeCache))
	if err != nil {
		return nil, err
	}
	return newExecutable(c, t, x, p.results, p.donated), nil
}

// readTier reads the version and target of a saved program, and returns the tier of its code.
func readTier(r *wire.Reader) (tier, error) {
	version, name, needs := r.Text(), r.Text(), r.Text()
	if err := r.Err(); err != nil {
		return tier{}, newSavedError("it is damaged: %v", err)
	}
	switch own, err := compilerVersion(); {
	case err != nil:
		return tier{}, fmt.Errorf("cpu: loading: reading the version of the program: %w", err)
	case version != own:
		return tier{}, newSavedError("it is of the compiler %q, this one is %q", version, own)
	}
	if requested := os.Getenv("NX_CPU"); requested != "" && requested != name {
		return tier{}, newSavedError("its code is %s, and NX_CPU selects %s", name, requested)
	}
	t, missing := makeTier(name)
	if missing == "" {
		return t, nil
	}
	e := &SavedError{Why: fmt.Sprintf("its code is %s: %s", name, missing)}
	for feature := range strings.FieldsSeq(needs) {
		if !hostHas(feature) {
			e.Missing = append(e.Missing, feature)
		}
	}
	return tier{}, e
}

// savedProgram is the part after the tier.
type savedProgram struct {
	results   []backend.Type
	donated   []bool // of each argument
	nodes     *program.Program
	codeCache *codegen.CodeCache
}

// readProgram reads a program and its machine code, up to the end.
func readProgram(r *wire.Reader) (*savedProgram, error) {
	p := &savedProgram{}
	for range r.Len(2) {
		t, err := dtype.Parse(r.Text())
		if err != nil {
			r.Fail("%w", err)
		}
		p.results = append(p.results, backend.Type{DType: t, Dims: r.Numbers()})
	}
	for range r.Len(1) {
		p.donated = append(p.donated, r.Flag())
	}
	p.nodes = program.Read(r)
	p.codeCache = codegen.ReadCodeCache(r)
	err := r.End()
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return nil, newSavedError("it is damaged: %v", err)
	}
	return p, nil
}

// check checks that arguments and results are those of the program, which is verified when it is
// compiled.
func (p *savedProgram) check() error {
	main := p.nodes.Main
	if len(main.Args) != len(p.donated) || len(main.Results) != len(p.results) {
		return fmt.Errorf("%d arguments and %d results for a program with %d and %d", len(p.donated), len(p.results),
			len(main.Args), len(main.Results))
	}
	for i, b := range main.Results {
		if b < 0 || b >= len(p.nodes.Buffers) {
			return fmt.Errorf("result %d is b%d, which does not exist", i, b)
		}
		t := stablehlo.Tensor(p.results[i].DType, p.results[i].Dims...)
		n, ok := t.NumElems()
		if have := p.nodes.Buffers[b].Type; !ok || t.DType().Size() != have.DType().Size() {
			return fmt.Errorf("result %d must be a %[3]s, got a %[2]s", i, have, t)
		} else if m, _ := have.NumElems(); m != n {
			return fmt.Errorf("result %d must be a %[3]s, got a %[2]s", i, have, t)
		}
	}
	return nil
}

// loaded compiles a program that has been read; it converts panics to errors.
func (s *stages) loaded(prog *program.Program, gen codegen.Generator) (x *exec.Executable, err error) {
	defer s.catch(&err)
	return exec.Compile(prog, s.client.env, gen)
}
