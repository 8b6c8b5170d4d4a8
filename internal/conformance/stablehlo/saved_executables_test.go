package stablehlo_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/internal/conformance/random"
	"github.com/go-nx/nx/stablehlo"
)

// recorder is a compiler that saves its executables in a folder, with each call.
type recorder struct {
	*cpu.Client
	dir   string
	calls *int
}

// savedCall is a saved executable with the operands and results of a call.
type savedCall struct {
	Name      string
	Saved     []byte
	Types     []string // of the operands
	Ins, Outs [][]byte
}

func (k recorder) CompileFunc(ctx context.Context, m *stablehlo.Module, fn string,
	args ...stablehlo.Type) (backend.Executable, error) {
	e, err := k.Client.CompileFunc(ctx, m, fn, args...)
	if err != nil {
		return nil, err
	}
	return savedExecutable{e, k}, nil
}

type savedExecutable struct {
	backend.Executable
	k recorder
}

// Execute keeps the call, and refuses executables that cannot be saved.
func (e savedExecutable) Execute(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	c := savedCall{Name: fmt.Sprint(*e.k.calls)}
	var err error
	if c.Saved, err = e.Executable.(backend.Saver).Save(); err != nil {
		return nil, err
	}
	if c.Ins, err = contents(ctx, args); err != nil {
		return nil, err
	}
	for _, a := range args {
		c.Types = append(c.Types, stablehlo.Tensor(a.Type().DType, a.Type().Dims...).String())
	}
	out, err := e.Executable.Execute(ctx, args)
	if err != nil {
		return nil, err
	}
	if c.Outs, err = contents(ctx, out); err != nil {
		return nil, err
	}
	*e.k.calls++
	f, err := os.Create(filepath.Join(e.k.dir, c.Name))
	if err != nil {
		return nil, err
	}
	return out, errors.Join(gob.NewEncoder(f).Encode(c), f.Close())
}

func contents(ctx context.Context, list []backend.Buffer) ([][]byte, error) {
	var all [][]byte
	for _, b := range list {
		data := make([]byte, b.Type().SizeBytes())
		if err := b.Read(ctx, data); err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

// rerun loads the executable of a call and reports where it computes something else.
func (c *savedCall) rerun(client *cpu.Client) error {
	ctx := context.Background()
	e, err := client.LoadCompiled(c.Saved)
	if err != nil {
		return err
	}
	var args []backend.Buffer
	for i, data := range c.Ins {
		parsed, err := stablehlo.ParseType(c.Types[i])
		if err != nil {
			return err
		}
		t := parsed.(*stablehlo.TensorType)
		b, err := client.Put(ctx, backend.Type{DType: t.DType(), Dims: t.Dims}, data, client.Devices()[0])
		if err != nil {
			return err
		}
		args = append(args, b)
	}
	out, err := e.Execute(ctx, args)
	if err != nil {
		return err
	}
	outs, err := contents(ctx, out)
	if err != nil {
		return err
	}
	if len(outs) != len(c.Outs) {
		return fmt.Errorf("%d results, not %d", len(outs), len(c.Outs))
	}
	for i := range outs {
		if !bytes.Equal(outs[i], c.Outs[i]) {
			return fmt.Errorf("result %d is % x, not % x", i, outs[i][:min(64, len(outs[i]))],
				c.Outs[i][:min(64, len(outs[i]))])
		}
	}
	saved, err := e.(backend.Saver).Save()
	if err == nil && !bytes.Equal(saved, c.Saved) {
		err = errors.New("a loaded executable is saved as different bytes")
	}
	return err
}

// savePrograms runs programs on a keeper: our own, those that failed once, and random ones with
// their gradients. Those that it refuses are counted.
func savePrograms(k recorder) (refused int, err error) {
	e := conformance.Outlined(k)
	files, err := filepath.Glob("../../../stablehlo/interp/testdata/*.mlir")
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("no programs: %w", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return refused, err
		}
		for _, source := range stablehlo.Split(path, text) {
			m, err := stablehlo.ParseSource(source)
			if err != nil {
				return refused, err
			}
			p, err := e.Load(m)
			if err != nil {
				return refused, err
			}
			for f := range m.Funcs() {
				if f.IsPrivate() || len(f.Args()) > 0 {
					continue
				}
				if _, err := p.Call(context.Background(), f.Name()); err != nil {
					refused++
				}
			}
		}
	}
	seeds := uint64(120)
	if testing.Short() {
		seeds = 40
	}
	for seed := range seeds {
		p, err := random.New(seed)
		if err != nil {
			return refused, err
		}
		for _, m := range withGradient(p.Module) {
			if _, err := kit.Run(conformance.Compiled(k), m, p.Args); err != nil {
				refused++
			}
		}
	}
	return refused, nil
}

func withGradient(m *stablehlo.Module) []*stablehlo.Module {
	g, _, err := autodiff.Gradient(context.Background(), m, "main", nil)
	if err != nil {
		return []*stablehlo.Module{m}
	}
	return []*stablehlo.Module{m, g}
}

// TestSaved compiles and saves in one process, loads in another and compares the bits of results,
// on every tier that the machine has.
func TestSaved(t *testing.T) {
	if what, dir, ok := strings.Cut(os.Getenv("NX_TEST_SAVED"), ":"); ok {
		if what == "save" {
			saveAll(t, dir)
		} else {
			loadAll(t, dir)
		}
		return
	}
	for _, tier := range []string{"portable", "avx2", "avx512"} {
		t.Run(tier, func(t *testing.T) {
			dir := t.TempDir()
			for _, what := range []string{"save", "load"} {
				cmd := exec.Command(os.Args[0], "-test.run=^TestSaved$",
					fmt.Sprintf("-test.short=%t", testing.Short()), "-test.v")
				cmd.Env = append(os.Environ(), "NX_TEST_SAVED="+what+":"+dir, "NX_CPU="+tier)
				out, err := cmd.CombinedOutput()
				switch {
				case strings.Contains(string(out), "the machine lacks the tier"):
					t.Skip("the machine lacks the tier")
				case err != nil:
					t.Fatalf("%s: %v\n%s", what, err, kit.Clip(string(out), 4000))
				}
				t.Logf("%s", out)
			}
		})
	}
}

func saveAll(t *testing.T, dir string) {
	if name, why := cpu.ExplainTier(); !strings.Contains(why, "NX_CPU selects it") {
		t.Skipf("the machine lacks the tier %s: %s", name, why)
	}
	calls := 0
	refused, err := savePrograms(recorder{cpu.New(2), dir, &calls})
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d calls, %d refused", calls, refused); calls < 150 || refused > calls/3 {
		t.Error("too few")
	}
}

func loadAll(t *testing.T, dir string) {
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	client, bytes := cpu.New(2), 0
	for _, file := range files {
		f, err := os.Open(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		var c savedCall
		if err := errors.Join(gob.NewDecoder(f).Decode(&c), f.Close()); err != nil {
			t.Fatal(err)
		}
		if err := c.rerun(client); err != nil {
			t.Errorf("call %s: %v", c.Name, err)
		}
		bytes += len(c.Saved)
	}
	t.Logf("%d executables of %d bytes are loaded", len(files), bytes)
}
