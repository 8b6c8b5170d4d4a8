package pjrt

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
)

// Program is the input of a plugin's compiler: MLIR as text or bytecode.
type Program struct {
	Code    []byte
	Options []byte // a CompileOptionsProto: see [CompileOptions]
}

// mlir is the format of text and bytecode.
var mlir = []byte("mlir")

// part returns the program as C has it.
func (p Program) part() (*abi.Program, part) {
	c := newArgs[abi.Program]()
	c.Code, c.CodeSize = list(p.Code), uintptr(len(p.Code))
	c.Format, c.FormatSize = list(mlir), uintptr(len(mlir))
	return c, part{"PJRT_Program", &c.Header, abi.ProgramSize}
}

// Loaded is an executable on devices.
type Loaded struct {
	owner
	client *Client
	*Executable
	outputs int
}

// Compile compiles for the devices that the options name.
func (c *Client) Compile(program Program) (*Loaded, error) {
	if err := c.hold(); err != nil {
		return nil, err
	}
	defer c.drop()
	code, size := program.part()
	args := newArgs[abi.ClientCompileArgs]()
	args.Client, args.Program = abi.Client(c.handle), code
	args.CompileOptions, args.CompileOptionsSize = list(program.Options), uintptr(len(program.Options))
	if err := c.plugin.call(abi.ClientCompile, &args.Header, size); err != nil {
		return nil, err
	}
	return c.newLoaded(args.Executable)
}

// Load makes an executable of what [Executable.Serialize] returned.
func (c *Client) Load(serialized []byte) (*Loaded, error) {
	if err := c.hold(); err != nil {
		return nil, err
	}
	defer c.drop()
	args := newArgs[abi.ExecutableDeserializeAndLoadArgs]()
	args.Client = abi.Client(c.handle)
	args.SerializedExecutable, args.SerializedExecutableSize = list(serialized), uintptr(len(serialized))
	if err := c.plugin.call(abi.ExecutableDeserializeAndLoad, &args.Header); err != nil {
		return nil, err
	}
	return c.newLoaded(args.LoadedExecutable)
}

func (c *Client) newLoaded(handle abi.LoadedExecutable) (*Loaded, error) {
	p := c.plugin
	x := &Loaded{client: c}
	x.owner = own(x, p.newResource("executable", uintptr(handle), abi.LoadedExecutableDestroy, c.resource))
	args := newArgs[abi.LoadedExecutableGetExecutableArgs]()
	args.LoadedExecutable = handle
	err := p.call(abi.LoadedExecutableGetExecutable, &args.Header)
	if err == nil {
		x.Executable = p.newExecutable(args.Executable)
		x.outputs, err = x.NumOutputs()
	}
	if err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// Close frees the executable. What it computed stays.
func (x *Loaded) Close() {
	if x.Executable != nil {
		x.Executable.Close()
	}
	x.owner.Close()
}

// Outputs returns how many results there are.
func (x *Loaded) Outputs() int { return x.outputs }

// Execute starts the program on buffers of a device and returns its results, whose contents are computed
// later. The program may overwrite an argument for which donate returns true, if it was compiled for that.
func (x *Loaded) Execute(on *Device, buffers []*Buffer, donate func(int) bool) ([]*Buffer, error) {
	l := new(launch) // on the heap, as a C function needs it
	lists := [1][]*Buffer{buffers}
	outputs, err := x.execute(l, on.handle, lists[:], donate)
	if err != nil {
		return nil, err
	}
	return x.results(on, outputs), nil
}

// Devices returns those devices of this process that the program was compiled for, in the order of its
// partitions: nil for a program that runs on any device, or if the plugin does not report them.
func (x *Loaded) Devices() ([]*Device, error) {
	if !x.client.plugin.has(abi.LoadedExecutableAddressableDevices) {
		return nil, nil
	}
	if err := x.owner.hold(); err != nil {
		return nil, err
	}
	defer x.owner.drop()
	args := newArgs[abi.LoadedExecutableAddressableDevicesArgs]()
	args.Executable = abi.LoadedExecutable(x.owner.handle)
	if err := x.client.plugin.call(abi.LoadedExecutableAddressableDevices, &args.Header); err != nil {
		return nil, err
	}
	var list []*Device
	for _, handle := range copyOf(args.AddressableDevices, args.NumAddressableDevices) {
		i := slices.IndexFunc(x.client.devices, func(d *Device) bool { return d.handle == handle })
		if i < 0 {
			return nil, errors.New("the plugin names a device that is not of this process")
		}
		list = append(list, x.client.devices[i])
	}
	return list, nil
}

// ExecuteSharded is Execute of a program of several partitions: on those of its devices that belong to this
// process, in the order of the partitions, each with its own buffers.
func (x *Loaded) ExecuteSharded(on []*Device, buffers [][]*Buffer, donate func(int) bool) ([][]*Buffer, error) {
	l := new(launch) // on the heap, as a C function needs it
	outputs, err := x.execute(l, 0, buffers, donate)
	if err != nil {
		return nil, err
	}
	results := make([][]*Buffer, len(on))
	for d := range on {
		results[d] = x.results(on[d], outputs[d*(x.outputs+1):])
	}
	return results, nil
}

// results makes buffers of the handles of the results on a device.
func (x *Loaded) results(on *Device, handles []abi.Buffer) []*Buffer {
	list := make([]*Buffer, x.outputs)
	for i := range list {
		list[i] = newBuffer(on, handles[i])
	}
	return list
}

// launch is the arguments of a call, with space for the lists of a small one: a single allocation.
type launch struct {
	args    abi.LoadedExecutableExecuteArgs
	_       [padding]byte
	options abi.ExecuteOptions
	_       [padding]byte
	lists   [2]*abi.Buffer
	ins     [8]abi.Buffer
	outs    [8]abi.Buffer
	keep    [8]int64
}

// scratch returns a list of n elements, in the given space if they fit.
func scratch[T any](in []T, n int) []T {
	if n <= len(in) {
		return in[:n]
	}
	return make([]T, n)
}

// execute starts the program on devices, each with its buffers, and returns the handles of the
// results, one more than there are for each device. A program that runs on any device runs on that
// of the handle, others where they were compiled for, which is 0.
func (x *Loaded) execute(l *launch, handle abi.Device, buffers [][]*Buffer,
	donate func(int) bool) (outputs []abi.Buffer, err error) {
	if err := holdAll(buffers); err != nil {
		return nil, err
	}
	defer dropAll(buffers)
	if err := x.owner.hold(); err != nil {
		return nil, err
	}
	defer x.owner.drop()

	devices, arguments := len(buffers), len(buffers[0])
	argumentLists, outputLists := scratch(l.lists[:1], devices), scratch(l.lists[1:], devices)
	inputs := scratch(l.ins[:], devices*(arguments+1)) // one more: never empty, as plugins refuse null
	outputs = scratch(l.outs[:], devices*(x.outputs+1))
	for d, list := range buffers {
		handles := inputs[d*(arguments+1):]
		for i, b := range list {
			handles[i] = abi.Buffer(b.handle)
		}
		argumentLists[d], outputLists[d] = &handles[0], &outputs[d*(x.outputs+1)]
	}
	keep := l.keep[:0]
	for i := range arguments {
		if !donate(i) {
			keep = append(keep, int64(i))
		}
	}
	l.options.NonDonatableInputIndices, l.options.NumNonDonatableInputIndices = list(keep), uintptr(len(keep))
	args := &l.args
	args.Executable, args.Options = abi.LoadedExecutable(x.owner.handle), &l.options
	args.ArgumentLists, args.NumDevices, args.NumArgs = &argumentLists[0], uintptr(devices), uintptr(arguments)
	args.OutputLists, args.ExecuteDevice = &outputLists[0], handle
	size := part{"PJRT_ExecuteOptions", &l.options.Header, abi.ExecuteOptionsSize}
	return outputs, x.client.plugin.call(abi.LoadedExecutableExecute, &args.Header, size)
}

// holdAll holds the buffers of a call; on an error it holds none.
func holdAll(buffers [][]*Buffer) error {
	for d, list := range buffers {
		for i, b := range list {
			if err := b.hold(); err != nil {
				dropAll(buffers[:d])
				dropAll([][]*Buffer{list[:i]})
				return fmt.Errorf("argument %d: %w", i, err)
			}
		}
	}
	return nil
}

func dropAll(buffers [][]*Buffer) {
	for _, list := range buffers {
		for _, b := range list {
			b.drop()
		}
	}
}

// Executable is a compiled program, whether it is on devices or not.
type Executable struct {
	owner
}

func (p *Plugin) newExecutable(handle abi.Executable) *Executable {
	x := &Executable{}
	x.owner = own(x, p.newResource("executable", uintptr(handle), abi.ExecutableDestroy, nil))
	return x
}

// query calls a function of the executable while it is held.
func (x *Executable) query(f abi.Function, args *abi.Header, handle *abi.Executable, parts ...part) error {
	if err := x.hold(); err != nil {
		return err
	}
	defer x.drop()
	*handle = abi.Executable(x.handle)
	return x.plugin.call(f, args, parts...)
}

// NumOutputs returns how many results the program has.
func (x *Executable) NumOutputs() (int, error) {
	args := newArgs[abi.ExecutableNumOutputsArgs]()
	err := x.query(abi.ExecutableNumOutputs, &args.Header, &args.Executable)
	return int(args.NumOutputs), err
}

// Name returns the name of the program.
func (x *Executable) Name() (string, error) {
	args := newArgs[abi.ExecutableNameArgs]()
	err := x.query(abi.ExecutableName, &args.Header, &args.Executable)
	return goString(args.ExecutableName, args.ExecutableNameSize), err
}

// Partitions returns over how many devices the program is spread, and how many copies of
// it run.
func (x *Executable) Partitions() (partitions, replicas int, err error) {
	n := newArgs[abi.ExecutableNumPartitionsArgs]()
	if err := x.query(abi.ExecutableNumPartitions, &n.Header, &n.Executable); err != nil {
		return 0, 0, err
	}
	r := newArgs[abi.ExecutableNumReplicasArgs]()
	err = x.query(abi.ExecutableNumReplicas, &r.Header, &r.Executable)
	return int(n.NumPartitions), int(r.NumReplicas), err
}

// OutputTypes returns the element types of the results.
func (x *Executable) OutputTypes() ([]abi.BufferType, error) {
	args := newArgs[abi.ExecutableOutputElementTypesArgs]()
	err := x.query(abi.ExecutableOutputElementTypes, &args.Header, &args.Executable)
	return copyOf(args.OutputTypes, args.NumOutputTypes), err
}

// OutputDims returns the dimensions of each result, of one partition.
func (x *Executable) OutputDims() ([][]int64, error) {
	args := newArgs[abi.ExecutableOutputDimensionsArgs]()
	if err := x.query(abi.ExecutableOutputDimensions, &args.Header, &args.Executable); err != nil {
		return nil, err
	}
	ranks := copyOf(args.DimSizes, args.NumOutputs)
	var total uintptr
	for _, r := range ranks {
		total += r
	}
	all := copyOf(args.Dims, total)
	dims := make([][]int64, len(ranks))
	for i, r := range ranks {
		dims[i], all = all[:r:r], all[r:]
	}
	return dims, nil
}

// CodeSize returns the size of the machine code, 0 if the plugin does not report it.
func (x *Executable) CodeSize() (int64, error) {
	args := newArgs[abi.ExecutableSizeOfGeneratedCodeInBytesArgs]()
	err := x.query(abi.ExecutableSizeOfGeneratedCodeInBytes, &args.Header, &args.Executable)
	return args.SizeInBytes, err
}

// Fingerprint identifies the compiled program.
func (x *Executable) Fingerprint() (string, error) {
	args := newArgs[abi.ExecutableFingerprintArgs]()
	err := x.query(abi.ExecutableFingerprint, &args.Header, &args.Executable)
	return goString(args.ExecutableFingerprint, args.ExecutableFingerprintSize), err
}

// Costs returns the compiler's estimates: "flops", "bytes accessed" and others.
func (x *Executable) Costs() (map[string]any, error) {
	args := newArgs[abi.ExecutableGetCostAnalysisArgs]()
	if err := x.query(abi.ExecutableGetCostAnalysis, &args.Header, &args.Executable); err != nil {
		return nil, err
	}
	return goValues(args.Properties, args.NumProperties), nil
}

// CompiledMemory is the bytes that a program uses on a device.
type CompiledMemory struct{ Code, Arguments, Outputs, Aliased, Temporary int64 }

// Memory returns the memory usage of the program. Aliased is the part of the results in donated arguments.
func (x *Executable) Memory() (CompiledMemory, error) {
	args := newArgs[abi.ExecutableGetCompiledMemoryStatsArgs]()
	err := x.query(abi.ExecutableGetCompiledMemoryStats, &args.Header, &args.Executable)
	return CompiledMemory{args.GeneratedCodeSizeInBytes, args.ArgumentSizeInBytes, args.OutputSizeInBytes,
		args.AliasSizeInBytes, args.TempSizeInBytes}, err
}

// Optimized returns the program as the compiler left it, and its format.
func (x *Executable) Optimized() (code []byte, format string, err error) {
	args, program := newArgs[abi.ExecutableOptimizedProgramArgs](), newArgs[abi.Program]()
	args.Program = program
	size := part{"PJRT_Program", &program.Header, abi.ProgramSize}
	// The first call returns the size, the second fills the memory.
	if err := x.query(abi.ExecutableOptimizedProgram, &args.Header, &args.Executable, size); err != nil {
		return nil, "", err
	}
	code = make([]byte, program.CodeSize)
	program.Code = list(code)
	err = x.query(abi.ExecutableOptimizedProgram, &args.Header, &args.Executable, size)
	return code, goString(program.Format, program.FormatSize), err
}

// Serialize returns the executable as bytes, for [Client.Load] by the same plugin.
func (x *Executable) Serialize() ([]byte, error) {
	args := newArgs[abi.ExecutableSerializeArgs]()
	if err := x.query(abi.ExecutableSerialize, &args.Header, &args.Executable); err != nil {
		return nil, err
	}
	data := copyOf(args.SerializedBytes, args.SerializedBytesSize)
	if args.SerializedExecutableDeleter != 0 {
		ffi.CallNumbers(args.SerializedExecutableDeleter, uintptr(args.SerializedExecutable))
	}
	return data, nil
}
