package pjrt

import (
	"runtime"

	"github.com/go-nx/nx/internal/pjrt/abi"
)

// Topology describes devices that need not be there, to compile for.
type Topology struct{ owner }

// NewTopology describes devices by a name and options of the plugin's own.
func (p *Plugin) NewTopology(name string, options []Option) (*Topology, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	values, err := namedValues(options, &pin)
	if err != nil {
		return nil, err
	}
	args := newArgs[abi.TopologyDescriptionCreateArgs]()
	args.TopologyName, args.TopologyNameSize = bytesOf(name, &pin), uintptr(len(name))
	args.CreateOptions, args.NumOptions = list(values), uintptr(len(values))
	if err := p.call(abi.TopologyDescriptionCreate, &args.Header); err != nil {
		return nil, err
	}
	t := &Topology{}
	t.owner = own(t, p.newResource("topology", uintptr(args.Topology), abi.TopologyDescriptionDestroy, nil))
	return t, nil
}

// Devices returns the plugin's description of the devices.
func (t *Topology) Devices() ([]Description, error) {
	if err := t.hold(); err != nil {
		return nil, err
	}
	defer t.drop()
	args := newArgs[abi.TopologyDescriptionGetDeviceDescriptionsArgs]()
	args.Topology = abi.TopologyDescription(t.handle)
	if err := t.plugin.call(abi.TopologyDescriptionGetDeviceDescriptions, &args.Header); err != nil {
		return nil, err
	}
	var all []Description
	for _, handle := range copyOf(args.Descriptions, args.NumDescriptions) {
		d, err := t.plugin.describe(handle)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// Compile compiles for the devices.
func (t *Topology) Compile(program Program) (*Executable, error) {
	if err := t.hold(); err != nil {
		return nil, err
	}
	defer t.drop()
	code, size := program.part()
	args := newArgs[abi.CompileArgs]()
	args.Topology, args.Program = abi.TopologyDescription(t.handle), code
	args.CompileOptions, args.CompileOptionsSize = list(program.Options), uintptr(len(program.Options))
	if err := t.plugin.call(abi.Compile, &args.Header, size); err != nil {
		return nil, err
	}
	return t.plugin.newExecutable(args.Executable), nil
}
