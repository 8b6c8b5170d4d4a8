package fake

import (
	"bytes"
	"context"
	"unsafe"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// compiled is an executable.
type compiled struct {
	base
	source  []byte // the program, which is its serialised form
	code    backend.Executable
	name    []byte
	donors  []bool // arguments whose memory the program may take
	ins     []backend.Type
	outs    []backend.Type
	types   []abi.BufferType
	dims    []int64
	ranks   []uintptr
	costs   namedValues
	options []byte
	cuts    *cuts // over devices, nil for one
}

// loadedExecutable is an executable on the devices of a client.
type loadedExecutable struct {
	base
	client  *client
	program *compiled
	on      []abi.Device // of this process, by partition
}

type serialized struct {
	base
	data []byte
}

// compile makes the checks of an XLA plugin, then compiles for the CPU.
func (p *Plugin) compile(program *abi.Program, options []byte) (*compiled, error) {
	if err := p.checkSize("PJRT_Program", &program.Header, abi.ProgramSize); err != nil {
		return nil, err
	}
	if format := text(program.Format, program.FormatSize); format != "mlir" {
		return nil, fail(abi.InvalidArgument, "Unknown program format '%s'.", format)
	}
	source := append([]byte(nil), unsafe.Slice(program.Code, program.CodeSize)...)
	return p.compileSource(source, bytes.Clone(options))
}

func (p *Plugin) compileSource(source, options []byte) (*compiled, error) {
	devices, err := checkCompileOptions(options)
	if err != nil {
		return nil, err
	}
	m, err := p.parse(source)
	if err != nil {
		return nil, err
	}
	main, ok := m.Func("main")
	if !ok {
		return nil, fail(abi.Unknown, "module must have exactly one entry point 'main'")
	}
	donors := make([]bool, len(main.Args()))
	for i := range donors {
		donors[i] = main.Donated(i)
	}
	main.SetDonated(nil) // which are given away is known only to the call
	cuts, err := cutsOf(m, main, devices)
	if err != nil {
		return nil, err
	}
	code, err := cpu.Default().Compile(context.Background(), m)
	if err != nil {
		return nil, fail(abi.Unimplemented, "%v", err)
	}
	x := &compiled{base: base{plugin: p, name: "executable"}, source: source, code: code,
		name: []byte("main"), options: options, donors: donors, cuts: cuts}
	for _, t := range main.Type().Ins {
		x.ins = append(x.ins, typeOfTensor(t))
	}
	for _, t := range main.Type().Outs {
		out := typeOfTensor(t)
		number, ok := pjrt.TypeOf(out.DType)
		if !ok {
			return nil, fail(abi.InvalidArgument, "there are no buffers of %s", out.DType)
		}
		x.outs = append(x.outs, out)
		x.types = append(x.types, number)
		x.dims = append(x.dims, out.Dims...)
		x.ranks = append(x.ranks, uintptr(len(out.Dims)))
	}
	x.costs.add("flops", float32(1))
	return x, nil
}

func typeOfTensor(t stablehlo.Type) backend.Type {
	if t, ok := t.(*stablehlo.TensorType); ok {
		return backend.Type{DType: t.DType(), Dims: t.Dims}
	}
	return backend.Type{}
}

// parse reads a program: text, or a portable artifact no newer than the announced version.
func (p *Plugin) parse(source []byte) (*stablehlo.Module, error) {
	var m *stablehlo.Module
	var version stablehlo.Version
	header, err := portable.ReadHeader("program", source)
	if err == nil {
		version = header.Version
		if v, newest := version, p.config.StableHLO; v.Major > newest.Major ||
			v.Major == newest.Major && v.Minor > newest.Minor {
			return nil, fail(abi.Unknown, "failed to deserialize portable artifact using StableHLO_v%d.%d.%d",
				newest.Major, newest.Minor, newest.Patch)
		}
		m, err = portable.Read("program", source)
	} else {
		m, err = stablehlo.Parse("-", source)
	}
	if err == nil {
		err = m.Verify()
	}
	if err != nil {
		return nil, fail(abi.Unknown, "%v\nFailed to parse using StableHLO v1.20.0", err)
	}
	p.mu.Lock()
	p.lastSeen = version
	p.mu.Unlock()
	return m, nil
}

// execute starts a program, whose results come when its arguments have.
func (p *Plugin) execute(a *abi.LoadedExecutableExecuteArgs) error {
	x, err := the[*loadedExecutable](uintptr(a.Executable))
	if err != nil {
		return err
	}
	if err := p.checkSize("PJRT_ExecuteOptions", &a.Options.Header, abi.ExecuteOptionsSize); err != nil {
		return err
	}
	on, err := x.devices(a)
	if err != nil {
		return err
	}
	r := newCall(x)
	lists := unsafe.Slice(a.ArgumentLists, a.NumDevices)
	for k, d := range on {
		if r.args[d.partition], err = p.arguments(x.program, d.partition, lists[k], a); err != nil {
			return err
		}
	}
	var results [][]*array
	outLists := unsafe.Slice(a.OutputLists, a.NumDevices)
	for k, d := range on {
		list, err := p.reserveResults(d.device, x.program.local(), unsafe.Slice(outLists[k], len(x.program.outs)))
		if err != nil {
			for k, list := range results {
				p.drop(list, unsafe.Slice(outLists[k], len(list)))
			}
			return err
		}
		results, r.results[d.partition] = append(results, list), list
	}
	r.begin(len(on))
	p.running.Add(1)
	go func() {
		defer p.running.Done()
		err := r.run()
		for _, list := range results {
			for _, r := range list {
				r.work.end(err)
			}
		}
	}()
	return nil
}

// assignedDevice is a device with the partition of a program that it runs.
type assignedDevice struct {
	*device
	partition int
}

// devices returns those that a call runs on: the one that it names, or those of this process that
// the program was compiled for.
func (x *loadedExecutable) devices(a *abi.LoadedExecutableExecuteArgs) ([]assignedDevice, error) {
	if x.program.cuts == nil {
		on, err := the[*device](uintptr(a.ExecuteDevice))
		switch {
		case err != nil:
		case a.NumDevices != 1:
			err = fail(abi.InvalidArgument, "%d devices for a program of one", a.NumDevices)
		case !on.isLocal():
			err = fail(abi.InvalidArgument, "device %d is of another process", on.id())
		}
		return []assignedDevice{{on, 0}}, err
	}
	on, err := x.local()
	if err == nil && (a.ExecuteDevice != 0 || int(a.NumDevices) != len(on)) {
		err = fail(abi.InvalidArgument, "%d devices for a program of %d", a.NumDevices, len(on))
	}
	return on, err
}

// local returns the devices of this process that the program was compiled for.
func (x *loadedExecutable) local() (on []assignedDevice, err error) {
	if x.program.cuts == nil {
		return nil, nil
	}
	for partition, id := range x.program.cuts.ids {
		if id >= len(x.client.all) {
			return nil, fail(abi.InvalidArgument, "the device assignment names device %d", id)
		}
		d, err := the[*device](uintptr(x.client.all[id]))
		if err != nil {
			return nil, err
		}
		if d.isLocal() {
			on = append(on, assignedDevice{d, partition})
		}
	}
	if on == nil {
		return nil, fail(abi.InvalidArgument, "Device assignment does not have any local devices.")
	}
	return on, nil
}

// reserveResults makes the results of one device.
func (p *Plugin) reserveResults(on *device, types []backend.Type, out []abi.Buffer) (list []*array, err error) {
	for i, t := range types {
		if err := p.reserve(t.SizeBytes()); err != nil {
			p.drop(list, out)
			return nil, err
		}
		var r *array
		r, out[i] = p.newArray(on, t)
		list = append(list, r)
	}
	return list, nil
}

// drop returns back results of a call that fails.
func (p *Plugin) drop(list []*array, out []abi.Buffer) {
	for i, r := range list {
		handles.Delete(uintptr(out[i]))
		p.release(r.typ.SizeBytes())
	}
}

// arguments checks the arguments of a device in a call, and takes those that are donated.
func (p *Plugin) arguments(x *compiled, d int, list *abi.Buffer, a *abi.LoadedExecutableExecuteArgs) ([]*array, error) {
	if int(a.NumArgs) != len(x.ins) {
		return nil, fail(abi.InvalidArgument, "%d arguments, want %d", a.NumArgs, len(x.ins))
	}
	kept := map[int64]bool{}
	for _, i := range unsafe.Slice(a.Options.NonDonatableInputIndices, a.Options.NumNonDonatableInputIndices) {
		kept[i] = true
	}
	var args []*array
	for i, handle := range unsafe.Slice(list, a.NumArgs) {
		b, err := the[*array](uintptr(handle))
		if err != nil {
			return nil, err
		}
		want := x.localIn(i)
		if b.typ.SizeBytes() != want.SizeBytes() || b.typ.DType != want.DType {
			return nil, fail(abi.InvalidArgument, "Argument %d is %v, the executable takes %v", i, b.typ, want)
		}
		if x.cuts != nil && x.cuts.ids[d] != b.on.id() {
			return nil, fail(abi.InvalidArgument, "Argument %d of partition %d is on device %d", i, d, b.on.id())
		}
		args = append(args, b)
	}
	for i, b := range args {
		gone := b.deleted.Load()
		if x.donors[i] && !kept[int64(i)] {
			gone = b.deleted.Swap(true)
			p.mu.Lock()
			p.donated = true
			p.mu.Unlock()
		}
		if gone {
			return nil, fail(abi.InvalidArgument, "Invalid buffer passed: buffer has been deleted or donated.")
		}
	}
	return args, nil
}

// run computes results.
func run(code backend.Executable, args []*array, results []*array) error {
	in := make([]backend.Buffer, len(args))
	for i, a := range args {
		<-a.work.done
		if a.work.err != nil {
			return a.work.err
		}
		in[i] = a.data
	}
	out, err := code.Execute(context.Background(), in)
	for i := range out {
		results[i].data = out[i]
	}
	return err
}

var executableFunctions = map[abi.Function]function{
	abi.ClientCompile: with(func(p *Plugin, a *abi.ClientCompileArgs) error {
		c, err := the[*client](uintptr(a.Client))
		if err != nil {
			return err
		}
		x, err := p.compile(a.Program, unsafe.Slice(a.CompileOptions, a.CompileOptionsSize))
		if err != nil {
			return err
		}
		a.Executable, err = c.load(x)
		return err
	}),
	abi.Compile: with(func(p *Plugin, a *abi.CompileArgs) error {
		x, err := p.compile(a.Program, unsafe.Slice(a.CompileOptions, a.CompileOptionsSize))
		if err == nil {
			a.Executable = abi.Executable(newHandle(x))
		}
		return err
	}),
	abi.ExecutableDeserializeAndLoad: with(func(p *Plugin, a *abi.ExecutableDeserializeAndLoadArgs) error {
		c, err := the[*client](uintptr(a.Client))
		if err != nil {
			return err
		}
		data := unsafe.Slice(a.SerializedExecutable, a.SerializedExecutableSize)
		x, err := p.deserialize(bytes.Clone(data))
		if err == nil {
			a.LoadedExecutable, err = c.load(x)
		}
		return err
	}),
	abi.LoadedExecutableDestroy: free[*loadedExecutable](nil),
	abi.ExecutableDestroy:       free[*compiled](nil),
	abi.LoadedExecutableExecute: with((*Plugin).execute),
	abi.LoadedExecutableAddressableDevices: with(func(_ *Plugin, a *abi.LoadedExecutableAddressableDevicesArgs) error {
		return of(uintptr(a.Executable), func(x *loadedExecutable) {
			a.AddressableDevices, a.NumAddressableDevices = unsafe.SliceData(x.on), uintptr(len(x.on))
		})
	}),
	abi.LoadedExecutableGetExecutable: with(func(_ *Plugin, a *abi.LoadedExecutableGetExecutableArgs) error {
		return of(uintptr(a.LoadedExecutable), func(x *loadedExecutable) {
			view := *x.program
			a.Executable = abi.Executable(newHandle(&view))
		})
	}),
	abi.ExecutableNumOutputs: with(func(_ *Plugin, a *abi.ExecutableNumOutputsArgs) error {
		return of(uintptr(a.Executable), func(x *compiled) { a.NumOutputs = uintptr(len(x.outs)) })
	}),
	abi.ExecutableName: with(func(_ *Plugin, a *abi.ExecutableNameArgs) error {
		return of(uintptr(a.Executable), func(x *compiled) {
			a.ExecutableName, a.ExecutableNameSize = unsafe.SliceData(x.name), uintptr(len(x.name))
		})
	}),
	abi.ExecutableOutputElementTypes: with(func(_ *Plugin, a *abi.ExecutableOutputElementTypesArgs) error {
		return of(uintptr(a.Executable), func(x *compiled) {
			a.OutputTypes, a.NumOutputTypes = unsafe.SliceData(x.types), uintptr(len(x.types))
		})
	}),
	abi.ExecutableOutputDimensions: with(func(_ *Plugin, a *abi.ExecutableOutputDimensionsArgs) error {
		return of(uintptr(a.Executable), func(x *compiled) {
			a.NumOutputs = uintptr(len(x.outs))
			a.Dims, a.DimSizes = unsafe.SliceData(x.dims), unsafe.SliceData(x.ranks)
		})
	}),
	abi.ExecutableGetCostAnalysis: with(func(_ *Plugin, a *abi.ExecutableGetCostAnalysisArgs) error {
		return of(uintptr(a.Executable), func(x *compiled) { a.Properties, a.NumProperties = x.costs.first() })
	}),
	abi.ExecutableSerialize: with(func(p *Plugin, a *abi.ExecutableSerializeArgs) error {
		return of(uintptr(a.Executable), func(x *compiled) {
			s := &serialized{base{plugin: p, name: "serialized executable"}, x.serialize()}
			a.SerializedBytes, a.SerializedBytesSize = unsafe.SliceData(s.data), uintptr(len(s.data))
			a.SerializedExecutable = abi.SerializedExecutable(newHandle(s))
			a.SerializedExecutableDeleter = deleter()
		})
	}),
	abi.ExecutableOptimizedProgram: with(func(p *Plugin, a *abi.ExecutableOptimizedProgramArgs) error {
		return of(uintptr(a.Executable), func(x *compiled) {
			a.Program.Format, a.Program.FormatSize = unsafe.SliceData(optimizedFormat), uintptr(len(optimizedFormat))
			if a.Program.Code == nil {
				a.Program.CodeSize = uintptr(len(x.source))
				return
			}
			copy(unsafe.Slice(a.Program.Code, a.Program.CodeSize), x.source)
		})
	}),
}

var (
	serialMagic     = []byte("fake executable\n")
	optimizedFormat = []byte("mlir")
)

// load loads a program on the devices of a client.
func (c *client) load(x *compiled) (abi.LoadedExecutable, error) {
	loaded := &loadedExecutable{base: base{plugin: c.plugin, name: "loaded executable"}, client: c, program: x}
	on, err := loaded.local()
	if err != nil {
		return 0, err
	}
	for _, d := range on {
		loaded.on = append(loaded.on, c.all[x.cuts.ids[d.partition]])
	}
	return abi.LoadedExecutable(newHandle(loaded)), nil
}
