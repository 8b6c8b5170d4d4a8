package xla

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/distributed"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/stablehlo"
)

// Client compiles by a plugin and runs on its devices. It is a [backend.Client], safe for
// concurrent use.
type Client struct {
	*core
	options
}

// core is the state that clients derived by [Client.With] share.
type core struct {
	name               string
	platform           string // of its options
	automaticTransfers bool   // what other clients have, for a call
	client             *pjrt.Client
	devices            []backend.Device
	members            []member     // the devices of all processes
	inUse              atomic.Int64 // bytes of buffers
	peak               atomic.Int64

	group     *distributed.Group // of processes that share the devices, or nil
	version   stablehlo.Version  // of the programs that the plugin takes; zero: text
	baseFlags map[string]any     // flags of every compilation
}

var warnOfStack = sync.OnceFunc(func() {
	if text := pjrt.StackWarning(); text != "" {
		slog.Warn("xla: " + text)
	}
})

// load loads the plugin of a client.
func load(name string, o ClientOptions) (c *core, plugin *pjrt.Plugin, described map[string]any, err error) {
	f, err := search(name, o.Platform)
	if err != nil {
		return nil, nil, nil, err
	}
	warnOfStack()
	c = &core{name: name, platform: o.Platform, automaticTransfers: o.AutomaticTransfers,
		baseFlags: flagsOf(o.Platform)}
	if o.Platform == "cuda" {
		preloadCUDA(f.path)
		if dir := cudaFolder(f.path); dir != "" {
			c.baseFlags["xla_gpu_cuda_data_dir"] = dir
		}
	}
	if plugin, err = pjrt.Load(f.path); err != nil {
		return nil, nil, nil, c.fail("loading the plugin", err)
	}
	c.version = newestCommon(plugin.Attributes())
	return c, plugin, f.options, nil
}

// flagsOf returns the flags of every program for a platform. XLA's CPU compiler drops a NaN in the maximum of
// two numbers, unless this is disabled.
func flagsOf(platform string) map[string]any {
	if platform == "host" {
		return map[string]any{"xla_cpu_enable_fast_min_max": false}
	}
	return map[string]any{}
}

// start loads the plugin of a client and starts its devices.
func start(name string, o ClientOptions) (*Client, error) {
	c, plugin, described, err := load(name, o)
	if err != nil {
		return nil, err
	}
	var store pjrt.KeyValueStore
	if c.group = distributed.Current(); c.group != nil {
		described = c.ofGroup(described)
		store = keys{c.group, name}
	}
	c.client, err = plugin.NewClient(createOptions(o, described), store)
	if err != nil {
		return nil, c.fail("starting the devices", err)
	}
	for i, d := range c.client.Devices() {
		c.devices = append(c.devices, &device{core: c, device: d, number: i})
	}
	c.findMembers()
	if o.DefaultDeviceID >= len(c.devices) {
		c.client.Close()
		return nil,
			fmt.Errorf("xla: client %s: the default device must be below the number of devices, %[3]d, got %[2]d",
				name, o.DefaultDeviceID, len(c.devices))
	}
	return &Client{core: c, options: options{device: o.DefaultDeviceID}}, nil
}

// createOptions returns the options to create a client. GPUs support all of them; options for other platforms
// are passed on unchecked.
func createOptions(o ClientOptions, described map[string]any) []pjrt.Option {
	all := map[string]any{}
	gpu := o.Platform == "cuda" || o.Platform == "rocm"
	if gpu {
		all["allocator"] = "bfc"
	}
	if gpu || o.Preallocate {
		all["preallocate"] = o.Preallocate
	}
	if o.MemoryFraction != 0 {
		all["memory_fraction"] = float32(o.MemoryFraction)
	}
	for _, more := range []map[string]any{described, o.CreateOptions} {
		for name, v := range more {
			all[name] = v
		}
	}
	var list []pjrt.Option
	for _, name := range sortedKeys(all) {
		list = append(list, pjrt.Option{Name: name, Value: all[name]})
	}
	return list
}

// newestCommon returns the newest version of StableHLO that both the plugin and this program support; zero
// when the plugin does not report a version.
func newestCommon(attributes map[string]any) stablehlo.Version {
	v, ok := attributes["stablehlo_current_version"].([]int64)
	if !ok || len(v) != 3 {
		return stablehlo.Version{}
	}
	theirs := []int64{v[0], v[1], v[2]}
	ours := stablehlo.Current()
	if slices.Compare(theirs, []int64{int64(ours.Major), int64(ours.Minor), int64(ours.Patch)}) >= 0 {
		return ours
	}
	return stablehlo.Version{Major: int(v[0]), Minor: int(v[1]), Patch: int(v[2])}
}

// libraries are those of CUDA that a plugin of the Python packages opens, in the order in
// which they need each other.
var libraries = []string{"cu13/lib/libcudart.so.13", "cu13/lib/libnvrtc.so.13", "cu13/lib/libcublas.so.13",
	"cu13/lib/libcublasLt.so.13", "nccl/lib/libnccl.so.2", "cu13/lib/libcupti.so.13", "cu13/lib/libcusparse.so.12",
	"cu13/lib/libcusolver.so.12", "cu13/lib/libcufft.so.12", "nvshmem/lib/libnvshmem_host.so.3",
	"cuda_runtime/lib/libcudart.so.12", "cuda_nvrtc/lib/libnvrtc.so.12", "cublas/lib/libcublas.so.12",
	"cublas/lib/libcublasLt.so.12", "cuda_cupti/lib/libcupti.so.12", "cusparse/lib/libcusparse.so.12",
	"cusolver/lib/libcusolver.so.11", "cufft/lib/libcufft.so.11", "cudnn/lib/libcudnn.so.9"}

// preloadCUDA opens the libraries of CUDA in the folder nvidia next to a plugin's package: the loader does not
// search there. Missing ones may be the system's.
func preloadCUDA(plugin string) {
	dir := filepath.Join(packagesOf(plugin), "nvidia")
	for _, name := range libraries {
		if path := filepath.Join(dir, filepath.FromSlash(name)); exists(path) {
			pjrt.Preload(path) // the plugin reports an error when it needs the library
		}
	}
}

// packagesOf returns the site-packages of a plugin, two folders above.
func packagesOf(plugin string) string { return filepath.Dir(filepath.Dir(filepath.Dir(plugin))) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// cudaFolder returns the folder of the CUDA toolkit for a plugin that does not find one itself, or "": it
// finds the packages next to it.
func cudaFolder(plugin string) string {
	const libdevice = "nvvm/libdevice/libdevice.10.bc"
	if bundled, _ := filepath.Glob(filepath.Join(packagesOf(plugin), "nvidia", "cu*", libdevice)); bundled != nil {
		return ""
	}
	for _, dir := range []string{os.Getenv("CUDA_HOME"), os.Getenv("CUDA_PATH"), "/usr/local/cuda", "/opt/cuda"} {
		if dir != "" && exists(filepath.Join(dir, libdevice)) {
			return dir
		}
	}
	return ""
}

// Name returns the name of the client: "cuda".
func (c *Client) Name() string { return c.name }

// Devices returns the devices; of a client with a [DeviceID], that one.
func (c *Client) Devices() []backend.Device {
	if c.pinned {
		return c.core.devices[c.device : c.device+1 : c.device+1]
	}
	if c.device == 0 {
		return c.core.devices
	}
	first := c.core.devices[c.device]
	return append([]backend.Device{first}, slices.DeleteFunc(slices.Clone(c.core.devices),
		func(d backend.Device) bool { return d == first })...)
}

// Platform returns the plugin's name for the devices, and its version.
func (c *Client) Platform() (name, version string) {
	return c.client.Platform(), c.client.PlatformVersion()
}

// Plugin returns the file of the plugin, the version of the C API that it speaks, and what
// it reports of itself.
func (c *Client) Plugin() (path, api string, attributes map[string]any) {
	p := c.client.Plugin()
	return p.Path(), p.Version().String(), p.Attributes()
}

// InUse returns the bytes of the client's buffers.
func (c *Client) InUse() int64 { return c.inUse.Load() }

// Peak returns the maximum of [Client.InUse] since the last [Client.ResetPeak].
func (c *Client) Peak() int64 { return c.peak.Load() }

// ResetPeak sets the peak to the current usage.
func (c *Client) ResetPeak() { c.peak.Store(c.inUse.Load()) }

// count adds to the bytes in use.
func (c *core) count(bytes int64) {
	n := c.inUse.Add(bytes)
	for p := c.peak.Load(); n > p && !c.peak.CompareAndSwap(p, n); p = c.peak.Load() {
	}
}

// Device is a device of a client, for information that a [backend.Device] does not have.
type device struct {
	*core
	device *pjrt.Device
	number int
}

// String returns the client and the index of the device: "cuda:0".
func (d *device) String() string { return fmt.Sprintf("%s:%d", d.name, d.number) }

// Client returns the client.
func (d *device) Client() backend.Client {
	return &Client{core: d.core, options: options{device: d.number}}
}

// DeviceInfo is a plugin's description of a device.
type DeviceInfo struct {
	ID         int
	Process    int    // that uses it, as the plugin counts
	Kind       string // "NVIDIA H200"
	Text       string // as the plugin prints it
	Attributes map[string]any
	// The plugin's own counts of memory, in bytes; 0 if it has none.
	InUse, Peak, Limit int64
}

// Describe returns the plugin's description of a device of the client.
func (c *Client) Describe(d backend.Device) (DeviceInfo, error) {
	own, err := c.own(d)
	if err != nil {
		return DeviceInfo{}, err
	}
	return own.info(), nil
}

func infoOf(d pjrt.Description) DeviceInfo {
	return DeviceInfo{ID: d.ID, Process: d.Process, Kind: d.Kind, Text: d.Text, Attributes: d.Attributes}
}

func (d *device) info() DeviceInfo {
	info := infoOf(d.device.Description)
	if stats, err := d.device.MemoryStats(); err == nil {
		info.InUse, info.Peak, info.Limit = stats.InUse, stats.Peak, stats.Limit
	}
	return info
}

// own returns a device as one of the client's, the default one for nil.
func (c *Client) own(d backend.Device) (*device, error) {
	if d == nil {
		return c.core.devices[c.device].(*device), nil
	}
	own, ok := d.(*device)
	if !ok || own.core != c.core {
		return nil, fmt.Errorf("xla: %s is not a device of the client %s", d, c.name)
	}
	return own, nil
}

// Put copies elements to a device.
func (c *Client) Put(ctx context.Context, t backend.Type, data []byte, on backend.Device) (backend.Buffer, error) {
	d, err := c.own(on)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if int64(len(data)) != t.SizeBytes() {
		return nil, fmt.Errorf("xla: a tensor of %[2]d bytes cannot be filled with %[1]d bytes", len(data), t.SizeBytes())
	}
	b, err := d.put(t, data)
	if err != nil {
		return nil, err // not a nil *buffer
	}
	return b, nil
}

// put copies elements to a device.
func (d *device) put(t backend.Type, data []byte) (*buffer, error) {
	number, ok := pjrt.TypeOf(t.DType)
	if !ok {
		return nil, fmt.Errorf("xla: plugins do not support buffers of %s", t.DType)
	}
	b, err := d.device.Put(data, number, t.Dims, int64(t.DType.Size()))
	if isOutOfMemory(err) { // unreachable buffers may still be allocated
		runtime.GC()
		b, err = d.device.Put(data, number, t.Dims, int64(t.DType.Size()))
	}
	if err != nil {
		return nil, d.fail(fmt.Sprintf("copying %d bytes to the device", len(data)), err)
	}
	return newBuffer(d, b, t), nil
}
