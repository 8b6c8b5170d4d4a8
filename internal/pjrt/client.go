package pjrt

import (
	"runtime"

	"github.com/go-nx/nx/internal/pjrt/abi"
)

// Client is a plugin with its devices.
type Client struct {
	owner
	platform, platformVersion string
	process                   int
	devices                   []*Device
	all                       []Description // of the devices of all processes
}

// NewClient starts the devices. The plugin defines the options, and rejects unknown ones. Processes that share
// devices pass their common store, others nil.
func (p *Plugin) NewClient(options []Option, store KeyValueStore) (*Client, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	values, err := namedValues(options, &pin)
	if err != nil {
		return nil, err
	}
	args := newArgs[abi.ClientCreateArgs]()
	args.CreateOptions, args.NumOptions = list(values), uintptr(len(values))
	forget := share(args, store)
	if err := p.call(abi.ClientCreate, &args.Header); err != nil {
		forget()
		return nil, err
	}
	c := &Client{}
	r := p.newResource("client", uintptr(args.Client), abi.ClientDestroy, nil)
	r.freed = forget
	c.owner = own(c, r)
	if err := c.describe(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// describe queries the constant properties.
func (c *Client) describe() error {
	p, handle := c.plugin, abi.Client(c.handle)
	name := newArgs[abi.ClientPlatformNameArgs]()
	name.Client = handle
	if err := p.call(abi.ClientPlatformName, &name.Header); err != nil {
		return err
	}
	c.platform = goString(name.PlatformName, name.PlatformNameSize)
	if p.has(abi.ClientPlatformVersion) {
		version := newArgs[abi.ClientPlatformVersionArgs]()
		version.Client = handle
		if err := p.call(abi.ClientPlatformVersion, &version.Header); err != nil {
			return err
		}
		c.platformVersion = goString(version.PlatformVersion, version.PlatformVersionSize)
	}
	if p.has(abi.ClientProcessIndex) {
		index := newArgs[abi.ClientProcessIndexArgs]()
		index.Client = handle
		if err := p.call(abi.ClientProcessIndex, &index.Header); err != nil {
			return err
		}
		c.process = int(index.ProcessIndex)
	}
	devices := newArgs[abi.ClientAddressableDevicesArgs]()
	devices.Client = handle
	if err := p.call(abi.ClientAddressableDevices, &devices.Header); err != nil {
		return err
	}
	for _, d := range copyOf(devices.AddressableDevices, devices.NumAddressableDevices) {
		device, err := newDevice(c, d)
		if err != nil {
			return err
		}
		c.devices = append(c.devices, device)
	}
	return c.describeAll()
}

// describeAll queries the devices of all processes; a plugin without that function has only those of this
// process.
func (c *Client) describeAll() error {
	if !c.plugin.has(abi.ClientDevices) {
		for _, d := range c.devices {
			c.all = append(c.all, d.Description)
		}
		return nil
	}
	args := newArgs[abi.ClientDevicesArgs]()
	args.Client = abi.Client(c.handle)
	if err := c.plugin.call(abi.ClientDevices, &args.Header); err != nil {
		return err
	}
	for _, d := range copyOf(args.Devices, args.NumDevices) {
		device, err := newDevice(c, d)
		if err != nil {
			return err
		}
		c.all = append(c.all, device.Description)
	}
	return nil
}

// Plugin returns the plugin that the client is of.
func (c *Client) Plugin() *Plugin { return c.plugin }

// Platform returns the kind of the devices: "cuda".
func (c *Client) Platform() string { return c.platform }

// PlatformVersion returns the plugin's description of its version.
func (c *Client) PlatformVersion() string { return c.platformVersion }

// Process returns the index of this process among those that share the devices.
func (c *Client) Process() int { return c.process }

// Devices returns the devices that this process can use.
func (c *Client) Devices() []*Device { return c.devices }

// AllDevices describes the devices of all processes that share them.
func (c *Client) AllDevices() []Description { return c.all }

// Device is a device of a client.
type Device struct {
	client *Client
	handle abi.Device
	Description
}

// Description is a plugin's description of a device.
type Description struct {
	ID         int
	Process    int
	Kind       string // "NVIDIA H200"
	Text       string // as the plugin prints it
	Attributes map[string]any
}

func newDevice(c *Client, handle abi.Device) (*Device, error) {
	args := newArgs[abi.DeviceGetDescriptionArgs]()
	args.Device = handle
	if err := c.plugin.call(abi.DeviceGetDescription, &args.Header); err != nil {
		return nil, err
	}
	d, err := c.plugin.describe(args.DeviceDescription)
	return &Device{c, handle, d}, err
}

// describe reads a description; fields that the plugin does not support stay zero.
func (p *Plugin) describe(handle abi.DeviceDescription) (d Description, err error) {
	query := func(f abi.Function, args *abi.Header) bool {
		if err != nil || !p.has(f) {
			return false
		}
		err = p.call(f, args)
		return err == nil
	}
	id := newArgs[abi.DeviceDescriptionIdArgs]()
	id.DeviceDescription = handle
	if query(abi.DeviceDescriptionId, &id.Header) {
		d.ID = int(id.ID)
	}
	process := newArgs[abi.DeviceDescriptionProcessIndexArgs]()
	process.DeviceDescription = handle
	if query(abi.DeviceDescriptionProcessIndex, &process.Header) {
		d.Process = int(process.ProcessIndex)
	}
	kind := newArgs[abi.DeviceDescriptionKindArgs]()
	kind.DeviceDescription = handle
	if query(abi.DeviceDescriptionKind, &kind.Header) {
		d.Kind = goString(kind.DeviceKind, kind.DeviceKindSize)
	}
	text := newArgs[abi.DeviceDescriptionToStringArgs]()
	text.DeviceDescription = handle
	if query(abi.DeviceDescriptionToString, &text.Header) {
		d.Text = goString(text.ToString, text.ToStringSize)
	}
	attributes := newArgs[abi.DeviceDescriptionAttributesArgs]()
	attributes.DeviceDescription = handle
	if query(abi.DeviceDescriptionAttributes, &attributes.Header) {
		d.Attributes = goValues(attributes.Attributes, attributes.NumAttributes)
	}
	return d, err
}

// Client returns the client of the device.
func (d *Device) Client() *Client { return d.client }

// MemoryStats is a plugin's statistics of a device's memory, in bytes; 0 for missing values.
type MemoryStats struct {
	InUse, Peak, Limit, LargestAllocation, Pool int64
	Allocations                                 int64
}

// MemoryStats queries the plugin; many do not support it, which is an error with the code UNIMPLEMENTED.
func (d *Device) MemoryStats() (MemoryStats, error) {
	if err := d.client.hold(); err != nil {
		return MemoryStats{}, err
	}
	defer d.client.drop()
	args := newArgs[abi.DeviceMemoryStatsArgs]()
	args.Device = d.handle
	err := d.client.plugin.call(abi.DeviceMemoryStats, &args.Header)
	return MemoryStats{InUse: args.BytesInUse, Peak: args.PeakBytesInUse, Limit: args.BytesLimit,
		LargestAllocation: args.LargestAllocSize, Pool: args.PoolBytes, Allocations: args.NumAllocs}, err
}
