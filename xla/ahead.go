package xla

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/stablehlo"
)

// Compiled is a program that was compiled ahead of time, for devices that need not be there.
type Compiled struct {
	// Platform and Topology are those that it was compiled for.
	Platform, Topology string
	// Devices are the kinds of the devices, "TPU v5 lite".
	Devices []string
	// CodeSize is the size of the machine code in bytes, 0 if the plugin does not report it; ArgumentSize,
	// ResultSize and TemporarySize are the memory of a run on a device.
	CodeSize, ArgumentSize, ResultSize, TemporarySize int64

	signature
	code []byte // as the plugin serialises it
}

// CompileFor compiles the function @main of a module ahead of time, for a topology whose devices need not be
// present. [Compiled.Save] saves the result for a machine with these devices, where [Client.LoadCompiled]
// loads it.
//
// For a TPU the topology is a name such as "v5e:2x2"; for CUDA one of [Targets], "h200", or "h200:1x1x4" for
// four of them, or any name with the option [Target], which describes the device. For other platforms the
// plugin defines the names. A program for a mesh uses as many devices as its mesh has.
//
// The TPU plugin queries the machine's metadata server, which takes minutes if the server does not answer,
// unless the environment variable TPU_SKIP_MDS_QUERY is 1.
//
//	l, err := nx.Lower(step, params, batch)
//	c, err := xla.CompileFor(ctx, "tpu", "v5e:2x2", l.Module())
func CompileFor(ctx context.Context, platform, topology string, m *stablehlo.Module,
	opts ...Option) (*Compiled, error) {
	configured, err := configuration(platform)
	if err != nil {
		return nil, err
	}
	c, plugin, _, err := load(platform, configured)
	if err != nil {
		return nil, err
	}
	var o options
	for _, x := range opts {
		if err := x.apply(c, &o); err != nil {
			return nil, err
		}
	}
	name, described, err := describeTopology(configured.Platform, topology, o.target)
	if err != nil {
		return nil, fmt.Errorf("xla: the topology %q of %s: %w", topology, platform, err)
	}
	t, err := plugin.NewTopology(name, described)
	if err != nil {
		return nil, c.fail("describing the topology "+topology, err)
	}
	defer t.Close()
	devices, err := t.Devices()
	if err != nil {
		return nil, c.fail("describing the topology "+topology, err)
	}
	return c.compileFor(ctx, t, devices, m, &o, &Compiled{Platform: platform, Topology: topology})
}

// compileFor fills out with the result of compiling for a topology.
func (c *core) compileFor(ctx context.Context, t *pjrt.Topology, devices []pjrt.Description, m *stablehlo.Module,
	o *options, out *Compiled) (*Compiled, error) {
	ids := make([]int, len(devices))
	for i, d := range devices {
		ids[i] = d.ID
		out.Devices = append(out.Devices, d.Kind)
	}
	if err := m.VerifyContext(ctx); err != nil {
		return nil, c.fail("translating", err)
	}
	p, err := c.program(ctx, m, o, ids)
	if err != nil {
		return nil, err
	}
	x, err := t.Compile(p.Program)
	if err != nil {
		return nil, c.fail("compiling for "+out.Topology, err)
	}
	defer x.Close()
	out.signature = p.signature
	if out.code, err = x.Serialize(); err != nil {
		return nil, c.fail("saving a compiled program", err)
	}
	if n, err := x.NumOutputs(); err != nil || n != len(out.outs) {
		return nil, fmt.Errorf("xla: %s compiled a program of %d results to one of %d (%w)", c.name, len(out.outs), n,
			err)
	}
	// Sizes that the plugin does not report stay 0.
	out.CodeSize, _ = x.CodeSize()
	if memory, err := x.Memory(); err == nil {
		out.ArgumentSize, out.ResultSize, out.TemporarySize = memory.Arguments, memory.Outputs, memory.Temporary
	}
	return out, nil
}

// configuration returns the options of a client.
func configuration(name string) (ClientOptions, error) {
	clients.Lock()
	defer clients.Unlock()
	if clients.env != nil {
		return ClientOptions{}, clients.env
	}
	clients.started = true
	o, ok := clients.options[name]
	if !ok {
		return o, fmt.Errorf("xla: the client %q is not configured: the clients are %v", name,
			slices.Sorted(maps.Keys(clients.options)))
	}
	return o, nil
}

// Target describes the GPU of a topology, as a GpuTargetConfigProto in the text form, as XLA's tools write it
// for a device. All measured values are required: XLA crashes when it divides by a missing one.
func Target(text string) Option {
	return option(func(_ *core, o *options) error {
		if err := checkTarget(text); err != nil {
			return fmt.Errorf("xla: Target: %w", err)
		}
		o.target = text
		return nil
	})
}

// measured are the fields that XLA computes with.
var measured = []string{"threads_per_block_limit", "threads_per_warp", "shared_memory_per_block",
	"shared_memory_per_core", "threads_per_core_limit", "core_count", "fpus_per_core", "block_dim_limit_x",
	"block_dim_limit_y", "block_dim_limit_z", "memory_bandwidth", "l2_cache_size", "clock_rate_ghz",
	"device_memory_size", "registers_per_core_limit", "registers_per_block_limit", "major"}

var targetField = regexp.MustCompile(`(\w+)\s*:\s*([0-9.]+)`)

func checkTarget(text string) error {
	has := map[string]bool{}
	for _, m := range targetField.FindAllStringSubmatch(text, -1) {
		if x, err := strconv.ParseFloat(m[2], 64); err == nil && x > 0 {
			has[m[1]] = true
		}
	}
	var missing []string
	for _, name := range measured {
		if !has[name] {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		return fmt.Errorf("the description of the device must have positive values for %s", strings.Join(missing, ", "))
	}
	return nil
}

var grid = regexp.MustCompile(`^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$`)

// describeTopology returns the name of a topology and the options that describe it.
func describeTopology(platform, topology, target string) (name string, described []pjrt.Option, err error) {
	if platform != "cuda" {
		if target != "" {
			return "", nil, fmt.Errorf("the option Target is only for CUDA")
		}
		return topology, nil, nil
	}
	name, shape, given := strings.Cut(topology, ":")
	if !given {
		shape = "1x1x1"
	}
	if target == "" {
		if g, ok := gpus[name]; ok {
			target = g.target()
		}
	}
	if target == "" {
		return "", nil, fmt.Errorf("the GPU %q is unknown: the known ones are %v, and the option Target describes others", name,
			Targets())
	}
	if !grid.MatchString(shape) {
		return "", nil, fmt.Errorf("the shape of GPUs must be as in 1x1x4, which is four of them, got %q", shape)
	}
	return name, []pjrt.Option{{Name: "topology", Value: shape}, {Name: "target_config", Value: target}}, nil
}

// LoadCompiled makes what [Compiled.Save] wrote run on the client's devices, which must be those
// that it was compiled for: the plugin refuses others. It is called with buffers that [Client.Put] makes.
func (c *Client) LoadCompiled(saved []byte) (backend.Executable, error) {
	s, err := readCompiled(saved)
	if err != nil {
		return nil, err
	}
	if s.sharding != nil {
		if _, err := c.meshDevices(s.sharding); err != nil {
			return nil, err
		}
	}
	x, err := c.client.Load(s.code)
	if err != nil {
		return nil, c.fail("loading a compiled program for "+s.Platform+" "+s.Topology, err)
	}
	return c.newExecutable(x, s.signature)
}
