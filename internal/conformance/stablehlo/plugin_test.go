package stablehlo_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/fake"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
	"github.com/go-nx/nx/xla"
)

var (
	pluginAll = flag.Bool("plugin-all", false, "run all programs of the corpora by a plugin, not one in ten")
	onClient  = flag.String("client", "", "a client of XLA whose devices are there, such as cuda, to run them by: "+
		"results are compared within the programs' tolerances, not with the bits of cpu")
)

// Programs of the corpora, translated for plugins and run by one whose compiler is package cpu, return the
// results of cpu, bit by bit, and their checks hold. Artifacts of the newest and of an old version and text
// alternate.
func TestStableHLOByPlugin(t *testing.T) {
	clients := startPlugins(t)
	for _, folder := range []string{"testdata", "interpret", "math"} {
		t.Run(folder, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", "stablehlo", folder), "*.mlir"))
			if err != nil {
				t.Fatal(err)
			}
			step := 10
			if *pluginAll {
				step = 1
			}
			equal, refused, ran := 0, 0, 0
			for i := 0; i < len(files); i += step {
				same, not := runByPlugin(t, files[i], clients[ran%len(clients)])
				equal, refused, ran = equal+same, refused+not, ran+1
			}
			t.Logf("%d functions of %d files give what cpu gives, %d are refused", equal, ran, refused)
		})
	}
}

// Programs that JAX exported return on a plugin the results of cpu for their recorded arguments, bit by bit.
func TestJAXByPlugin(t *testing.T) {
	clients := startPlugins(t)
	files, err := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", "jax"), "*", "program.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no programs", err)
	}
	for i, file := range files {
		if i%5 != 0 && !*pluginAll {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			if *onClient != "" {
				t.Parallel() // compiling takes most of the time
			}
			m, args, tolerance := readCase(t, file)
			f, _ := m.Func("main")
			want := callAll(t, conformance.Compiled(cpu.Default()), m, args)
			for k, got := range callAll(t, conformance.Compiled(clients[i%len(clients)]), m, args) {
				if *onClient != "" {
					if err := nearEnough(stablehlo.DType(f.Type().Outs[k]), got, want[k], tolerance); err != nil {
						t.Errorf("result %d: %v", k, err)
					}
				} else if !bytes.Equal(got, want[k]) {
					t.Errorf("result %d is not what cpu gives", k)
				}
			}
		})
	}
}

// startPlugins returns clients of plugins that read programs of different versions.
func startPlugins(t *testing.T) []conformance.Compiler {
	t.Helper()
	clients, err := plugins()
	if err != nil {
		t.Fatal(err)
	}
	return clients
}

var plugins = sync.OnceValues(func() (clients []conformance.Compiler, err error) {
	if *onClient != "" {
		c, err := xla.Open(*onClient)
		if err != nil {
			return nil, err
		}
		return []conformance.Compiler{c.With(xla.Precision(xla.Highest))}, nil
	}
	versions := []stablehlo.Version{stablehlo.Current(), {Major: 1, Minor: 9}, {}}
	configuration := map[string]xla.ClientOptions{}
	for i, v := range versions {
		name := fmt.Sprintf("plugin%d", i)
		path := "/fake/" + name + ".so"
		if err := pjrt.Provide(path, fake.New(fake.Config{StableHLO: v}).Table()); err != nil {
			return nil, err
		}
		configuration[name] = xla.ClientOptions{Platform: path}
	}
	if err := xla.Configure(configuration); err != nil {
		return nil, err
	}
	for i := range versions {
		c, err := xla.Open(fmt.Sprintf("plugin%d", i))
		if err != nil {
			return nil, err
		}
		clients = append(clients, c)
	}
	return clients, nil
})

// runByPlugin runs the functions of a file and counts those with the results of cpu, and those that were
// rejected.
func runByPlugin(t *testing.T, path string, client conformance.Compiler) (equal, refused int) {
	t.Run(filepath.Base(path), func(t *testing.T) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range stablehlo.Split(path, text) {
			m, err := stablehlo.ParseSource(source)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range conformance.Entries(m) {
				t.Run(name, func(t *testing.T) {
					defer func() {
						switch {
						case t.Skipped():
							refused++
						case !t.Failed():
							equal++
						}
					}()
					compareByPlugin(t, m, name, client)
				})
			}
		}
	})
	return equal, refused
}

// refusedByPlugins are parts of the errors of programs that are not for plugins.
var refusedByPlugins = []string{"interpreter.run_parallel is not supported by XLA",
	"plugins do not support buffers of f6",
	"stablehlo.cbrt of complex numbers is not supported by XLA"}

// compareByPlugin runs a function on a plugin and on cpu.
func compareByPlugin(t *testing.T, m *stablehlo.Module, name string, client conformance.Compiler) {
	ctx := context.Background()
	p, err := conformance.Outline(m, name)
	if err != nil {
		t.Fatal(err)
	}
	run := func(c conformance.Compiler) []interp.Value {
		t.Helper()
		values, err := p.Run(ctx, c, nil)
		if err == nil {
			return values
		}
		for _, part := range refusedByPlugins {
			if strings.Contains(err.Error(), part) {
				t.Skip(kit.Clip(err.Error(), 200))
			}
		}
		t.Fatalf("on %s: %s", c.Name(), kit.Clip(err.Error(), 500))
		return nil
	}
	want, got := run(cpu.Default()), run(client)
	for i := range got {
		a, ok := got[i].(*interp.Tensor)
		if !ok {
			continue
		}
		if b := want[i].(*interp.Tensor); *onClient == "" && !bytes.Equal(a.Data, b.Data) {
			t.Errorf("result %d is %s, on cpu %s", i, kit.Clip(fmt.Sprint(a), 500), kit.Clip(fmt.Sprint(b), 500))
		}
	}
	if err := p.Compare(got[p.Results:]); err != nil {
		if reason, known := knownDifference("cpu", filepath.Base(m.Source.Name)); !known {
			t.Error(kit.Clip(err.Error(), 500))
		} else {
			t.Logf("differs: %s", reason)
		}
	}
}
