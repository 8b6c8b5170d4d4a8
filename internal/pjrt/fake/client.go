package fake

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
)

type client struct {
	base
	platform, version []byte
	process           int32
	devices           []abi.Device // of this process
	all               []abi.Device // of all processes
	store             *abi.ClientCreateArgs

	mu   sync.Mutex
	runs map[string]int // of programs of several processes
}

type device struct {
	base
	client      *client
	description abi.DeviceDescription
}

// isLocal reports whether the device is of this process.
func (d *device) isLocal() bool {
	o, err := the[*description](uintptr(d.description))
	return err == nil && o.process == d.client.process
}

// id returns the number of the device.
func (d *device) id() int {
	o, err := the[*description](uintptr(d.description))
	if err != nil {
		return -1
	}
	return o.id
}

type description struct {
	base
	id         int
	process    int32
	kindText   []byte
	text       []byte
	attributes namedValues
}

type topology struct {
	base
	devices []abi.DeviceDescription
	options map[string]any
}

func (p *Plugin) newDescription(id int, process int32) abi.DeviceDescription {
	d := &description{base{p, "description", true}, id, process, []byte("Fake " + p.config.Platform),
		fmt.Appendf(nil, "%s:%d", p.config.Platform, id), namedValues{}}
	d.attributes.add("core_count", int64(2))
	d.attributes.add("coords", []int64{int64(id), 0})
	return abi.DeviceDescription(newHandle(d))
}

func (p *Plugin) createClient(a *abi.ClientCreateArgs) error {
	given, err := options(a.CreateOptions, a.NumOptions)
	if err != nil {
		return err
	}
	if err := checkOptions(given); err != nil {
		return err
	}
	c := &client{base: base{plugin: p, name: "client"}, platform: []byte(p.config.Platform),
		version: []byte("fake 1.0")}
	counts := []int{p.config.Devices} // of devices, by process
	if nodes, ok := given["num_nodes"].(int64); ok && nodes > 1 {
		if counts, err = p.exchange(c, a, given["node_id"].(int64), nodes); err != nil {
			return err
		}
	}
	for process, n := range counts {
		for range n {
			d := &device{base{p, "device", true}, c, p.newDescription(len(c.all), int32(process))}
			handle := abi.Device(newHandle(d))
			c.all = append(c.all, handle)
			if int32(process) == c.process {
				c.devices = append(c.devices, handle)
			}
		}
	}
	a.Client = abi.Client(newHandle(c))
	return nil
}

// destroyClient blames the caller while something of the client is left: XLA crashes.
func destroyClient(c *client) error {
	handles.Range(func(_, v any) bool {
		switch o := v.(type) {
		case *array:
			if o.on.client == c {
				c.plugin.reportMisuse("a client was destroyed before a buffer of its")
			}
		case *loadedExecutable:
			if o.client == c {
				c.plugin.reportMisuse("a client was destroyed before an executable of its")
			}
		}
		return true
	})
	return nil
}

func (p *Plugin) createTopology(a *abi.TopologyDescriptionCreateArgs) error {
	given, err := options(a.CreateOptions, a.NumOptions)
	if err != nil {
		return err
	}
	t := &topology{base: base{plugin: p, name: "topology"}, options: given}
	for id := range p.config.Devices {
		t.devices = append(t.devices, p.newDescription(id, 0))
	}
	a.Topology = abi.TopologyDescription(newHandle(t))
	return nil
}

// globalFunctions are the functions without a handle.
var globalFunctions = map[abi.Function]function{
	abi.PluginInitialize: with(func(*Plugin, *abi.PluginInitializeArgs) error { return nil }),
	abi.PluginAttributes: with(func(p *Plugin, a *abi.PluginAttributesArgs) error {
		a.Attributes, a.NumAttributes = p.attributes.first()
		return nil
	}),
	abi.ClientCreate:              with((*Plugin).createClient),
	abi.TopologyDescriptionCreate: with((*Plugin).createTopology),
}

func of[T object](handle uintptr, f func(o T)) error {
	o, err := the[T](handle)
	if err == nil {
		f(o)
	}
	return err
}

var clientFunctions = map[abi.Function]function{
	abi.ClientDestroy: free(destroyClient),
	abi.ClientPlatformName: with(func(_ *Plugin, a *abi.ClientPlatformNameArgs) error {
		return of(uintptr(a.Client), func(c *client) {
			a.PlatformName, a.PlatformNameSize = unsafe.SliceData(c.platform), uintptr(len(c.platform))
		})
	}),
	abi.ClientPlatformVersion: with(func(_ *Plugin, a *abi.ClientPlatformVersionArgs) error {
		return of(uintptr(a.Client), func(c *client) {
			a.PlatformVersion, a.PlatformVersionSize = unsafe.SliceData(c.version), uintptr(len(c.version))
		})
	}),
	abi.ClientProcessIndex: with(func(_ *Plugin, a *abi.ClientProcessIndexArgs) error {
		return of(uintptr(a.Client), func(c *client) { a.ProcessIndex = c.process })
	}),
	abi.ClientAddressableDevices: with(func(_ *Plugin, a *abi.ClientAddressableDevicesArgs) error {
		return of(uintptr(a.Client), func(c *client) {
			a.AddressableDevices, a.NumAddressableDevices = unsafe.SliceData(c.devices), uintptr(len(c.devices))
		})
	}),
	abi.ClientDevices: with(func(_ *Plugin, a *abi.ClientDevicesArgs) error {
		return of(uintptr(a.Client), func(c *client) {
			a.Devices, a.NumDevices = unsafe.SliceData(c.all), uintptr(len(c.all))
		})
	}),
	abi.DeviceGetDescription: with(func(_ *Plugin, a *abi.DeviceGetDescriptionArgs) error {
		return of(uintptr(a.Device), func(d *device) { a.DeviceDescription = d.description })
	}),
	abi.DeviceMemoryStats: with(func(p *Plugin, a *abi.DeviceMemoryStatsArgs) error {
		return of(uintptr(a.Device), func(*device) {
			p.mu.Lock()
			defer p.mu.Unlock()
			a.BytesInUse, a.BytesLimit, a.BytesLimitIsSet = p.inUse, p.config.Limit, p.config.Limit != 0
		})
	}),
	abi.DeviceDescriptionId: with(func(_ *Plugin, a *abi.DeviceDescriptionIdArgs) error {
		return of(uintptr(a.DeviceDescription), func(d *description) { a.ID = int32(d.id) })
	}),
	abi.DeviceDescriptionProcessIndex: with(func(_ *Plugin, a *abi.DeviceDescriptionProcessIndexArgs) error {
		return of(uintptr(a.DeviceDescription), func(d *description) { a.ProcessIndex = d.process })
	}),
	abi.DeviceDescriptionKind: with(func(_ *Plugin, a *abi.DeviceDescriptionKindArgs) error {
		return of(uintptr(a.DeviceDescription), func(d *description) {
			a.DeviceKind, a.DeviceKindSize = unsafe.SliceData(d.kindText), uintptr(len(d.kindText))
		})
	}),
	abi.DeviceDescriptionToString: with(func(_ *Plugin, a *abi.DeviceDescriptionToStringArgs) error {
		return of(uintptr(a.DeviceDescription), func(d *description) {
			a.ToString, a.ToStringSize = unsafe.SliceData(d.text), uintptr(len(d.text))
		})
	}),
	abi.DeviceDescriptionAttributes: with(func(_ *Plugin, a *abi.DeviceDescriptionAttributesArgs) error {
		return of(uintptr(a.DeviceDescription), func(d *description) {
			a.Attributes, a.NumAttributes = d.attributes.first()
		})
	}),
	abi.TopologyDescriptionDestroy: free[*topology](nil),
	abi.TopologyDescriptionGetDeviceDescriptions: with(
		func(_ *Plugin, a *abi.TopologyDescriptionGetDeviceDescriptionsArgs) error {
			return of(uintptr(a.Topology), func(t *topology) {
				a.Descriptions, a.NumDescriptions = unsafe.SliceData(t.devices), uintptr(len(t.devices))
			})
		}),
}
