package xla_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/xla"
)

func tripled(x nx.Tensor) nx.Tensor { return nx.Mul(x, 3) }

// withCache compiles and runs a function on a client with a cache, and returns the warnings.
func withCache(t *testing.T, c *xla.Client, dir string, f func(x nx.Tensor) nx.Tensor) (warnings string) {
	t.Helper()
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)
	cached, err := c.WithCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // one warning, however often it fails
		g := nx.Jit(func(x nx.Tensor) nx.Tensor { return f(x) }, nx.On(cached))
		if got := nx.Data[float32](g(put(t, nx.New([]float32{1, 2}), c.Devices()[0]))); !slices.Equal(got,
			[]float32{3, 6}) {
			t.Errorf("got %v", got)
		}
	}
	return log.String()
}

// A program is compiled once for the same plugin, devices and options.
func TestCache(t *testing.T) {
	c, p, dir := open(t, "kept"), plugins["kept"], filepath.Join(t.TempDir(), "c")
	before := p.Calls(abi.ClientCompile)
	for range 3 {
		if w := withCache(t, c, dir, tripled); w != "" {
			t.Errorf("warnings: %s", w)
		}
	}
	if n := p.Calls(abi.ClientCompile) - before; n != 1 {
		t.Errorf("compiled %d times", n)
	}
	for name, other := range map[string]*xla.Client{"another flag": c.With(xla.DumpTo(t.TempDir())),
		"another plugin": open(t, "new")} {
		p := plugins[map[bool]string{true: "new", false: "kept"}[name == "another plugin"]]
		before := p.Calls(abi.ClientCompile)
		withCache(t, other, dir, tripled)
		if n := p.Calls(abi.ClientCompile) - before; n != 1 {
			t.Errorf("%s: compiled %d times, want 1", name, n)
		}
	}
}

// Entries that are damaged, or that the plugin refuses, are ignored with one warning; so is a
// plugin that cannot save.
func TestCacheThatFails(t *testing.T) {
	c, p := open(t, "kept"), plugins["kept"]
	for name, tt := range map[string]struct {
		spoil func(t *testing.T, file string)
		fails abi.Function
		want  string
	}{
		"damaged": {spoil: func(t *testing.T, file string) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			data[len(data)-1] ^= 1
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}, want: "is damaged"},
		"refused":         {fails: abi.ExecutableDeserializeAndLoad, want: "loading a compiled program"},
		"cannot be saved": {fails: abi.ExecutableSerialize, want: "saving a compiled program"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "c")
			if tt.want != "saving a compiled program" {
				withCache(t, c, dir, tripled)
			}
			files, _ := filepath.Glob(filepath.Join(dir, "*"))
			if tt.spoil != nil {
				tt.spoil(t, files[0])
			}
			if tt.fails != 0 {
				p.Fail(tt.fails, abi.Unimplemented, "out of luck", 0)
				defer p.Fail(tt.fails, abi.OK, "", 0)
			}
			warnings := withCache(t, c, dir, tripled)
			if strings.Count(warnings, "level=WARN") != 1 || !strings.Contains(warnings, tt.want) {
				t.Errorf("the warnings are %q, want one with %q", warnings, tt.want)
			}
		})
	}
	if _, err := c.WithCache(os.Args[0]); err == nil {
		t.Error("a file is a cache")
	}
}

// A program compiled ahead of time, also one for a mesh, is saved, loaded and run; a damaged one is rejected.
func TestCompileFor(t *testing.T) {
	ctx, c := context.Background(), open(t, "four")
	sum := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.AllReduce(x) }, square,
		[]shard.Sharding{{"data,model"}},
		[]shard.Sharding{{}})
	x := nx.New([]float32{1, 2, 3, 4})
	for name, tt := range map[string]struct {
		f    func(x nx.Tensor) nx.Tensor
		want []float32
	}{"one device": {tripled, []float32{3, 6, 9, 12}}, "a mesh": {sum, []float32{10}}} {
		t.Run(name, func(t *testing.T) {
			l, err := nx.Lower(tt.f, nx.Args(x))
			if err != nil {
				t.Fatal(err)
			}
			compiled, err := xla.CompileFor(ctx, "four", "2x2", l.Module())
			if err != nil {
				t.Fatal(err)
			}
			if len(compiled.Devices) != 4 || compiled.Devices[0] != "Fake fake" {
				t.Errorf("the devices are %q", compiled.Devices)
			}
			saved, err := compiled.Save()
			if err != nil {
				t.Fatal(err)
			}
			before := plugins["four"].Calls(abi.ClientCompile)
			exe, err := c.LoadCompiled(saved)
			if err != nil {
				t.Fatal(err)
			}
			defer exe.Close()
			arg, err := c.Put(ctx, backend.Type{DType: nx.F32, Dims: []int64{4}}, nx.Bytes(x), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer arg.Release()
			out, err := exe.Execute(ctx, []backend.Buffer{arg})
			if err != nil {
				t.Fatal(err)
			}
			data := make([]byte, out[0].Type().SizeBytes())
			if err := out[0].Read(ctx, data); err != nil {
				t.Fatal(err)
			}
			out[0].Release()
			if got := nx.Data[float32](nx.FromBytes(data, nx.Shape{len(tt.want)}, nx.F32)); !slices.Equal(got,
				tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if n := plugins["four"].Calls(abi.ClientCompile) - before; n != 0 {
				t.Error("it was compiled again")
			}
			for i := 0; i < len(saved); i += 1 + len(saved)/50 {
				for _, bad := range [][]byte{saved[:i], flipped(saved, i)} {
					if _, err := c.LoadCompiled(bad); err == nil || !strings.Contains(err.Error(), "damaged") {
						t.Errorf("damaged at byte %d: %v", i, err)
					}
				}
			}
		})
	}
}

func flipped(data []byte, i int) []byte {
	data = bytes.Clone(data)
	data[i] ^= 0x10
	return data
}

func TestCompileForErrors(t *testing.T) {
	m, err := stablehlo.Parse("m", []byte(`func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }`))
	if err != nil {
		t.Fatal(err)
	}
	p := plugins["four"]
	for name, tt := range map[string]struct {
		platform, topology string
		opts               []xla.Option
		fails              abi.Function
		want               string
	}{
		"no such client": {"there is none", "x", nil, 0, `the client "there is none" is not configured`},
		"a target without what counts": {"four", "x", []xla.Option{xla.Target("core_count: 0")}, 0,
			"positive values for threads_per_block_limit"},
		"a target for another platform": {"four", "x", []xla.Option{xla.Target(fullTarget)}, 0, "only for CUDA"},
		"a device":                      {"four", "x", []xla.Option{xla.DeviceID(0)}, 0, "no device 0"},
		"a topology that is refused": {"four", "v9", nil, abi.TopologyDescriptionCreate,
			"describing the topology v9"},
		"a program that is refused":   {"four", "x", nil, abi.Compile, "compiling for x"},
		"a program that is not saved": {"four", "x", nil, abi.ExecutableSerialize, "saving a compiled program"},
		"devices that are not described": {"four", "x", nil,
			abi.TopologyDescriptionGetDeviceDescriptions, "describing"},
	} {
		if tt.fails != 0 {
			p.Fail(tt.fails, abi.InvalidArgument, "out of luck", 0)
		}
		_, err := xla.CompileFor(context.Background(), tt.platform, tt.topology, m, tt.opts...)
		p.Fail(tt.fails, abi.OK, "", 0)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// fullTarget has all that XLA computes with.
const fullTarget = `threads_per_block_limit: 1 threads_per_warp: 1 shared_memory_per_block: 1 shared_memory_per_core: 1
threads_per_core_limit: 1 core_count: 1 fpus_per_core: 1 block_dim_limit_x: 1 block_dim_limit_y: 1 block_dim_limit_z: 1
memory_bandwidth: 1 l2_cache_size: 1 clock_rate_ghz: 1.5 device_memory_size: 1 registers_per_core_limit: 1
registers_per_block_limit: 1 major: 9`
