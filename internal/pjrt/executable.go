package pjrt

import (
	"fmt"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
)

// Program is what a plugin compiles: MLIR as text or bytecode.
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

// Execute starts the program on buffers of a device and returns its results, which have
// contents later. It takes the contents of an argument that donate says it may, if it was
// compiled to.
func (x *Loaded) Execute(on *Device, buffers []*Buffer, donate func(int) bool) ([]*Buffer, error) {
	out, err := x.execute(on.handle, []*Device{on}, [][]*Buffer{buffers}, donate)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// ExecuteSharded is Execute of a program of several partitions: on the devices that it was
// compiled for, in the order of the partitions, each with buffers of its own.
func (x *Loaded) ExecuteSharded(on []*Device, buffers [][]*Buffer, donate func(int) bool) ([][]*Buffer, error) {
	return x.execute(0, on, buffers, donate)
}

// execute starts the program on devices. One that runs on any device runs on that of the
// handle, others where they were compiled for, which is 0.
func (x *Loaded) execute(handle abi.Device, on []*Device, buffers [][]*Buffer,
	donate func(int) bool) ([][]*Buffer, error) {
	release, err := holdAll(buffers)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := x.owner.hold(); err != nil {
		return nil, err
	}
	defer x.owner.drop()

	argumentLists, outputLists := make([]*abi.Buffer, len(on)), make([]*abi.Buffer, len(on))
	outputs := make([][]abi.Buffer, len(on))
	for d, list := range buffers {
		handles := make([]abi.Buffer, len(list)+1) // never empty: plugins refuse null
		for i, b := range list {
			handles[i] = abi.Buffer(b.handle)
		}
		outputs[d] = make([]abi.Buffer, x.outputs+1)
		argumentLists[d], outputLists[d] = &handles[0], &outputs[d][0]
	}
	var keep []int64
	for i := range buffers[0] {
		if !donate(i) {
			keep = append(keep, int64(i))
		}
	}
	options := newArgs[abi.ExecuteOptions]()
	options.NonDonatableInputIndices, options.NumNonDonatableInputIndices = list(keep), uintptr(len(keep))
	args := newArgs[abi.LoadedExecutableExecuteArgs]()
	args.Executable, args.Options = abi.LoadedExecutable(x.owner.handle), options
	args.ArgumentLists, args.NumDevices, args.NumArgs = &argumentLists[0], uintptr(len(on)), uintptr(len(buffers[0]))
	args.OutputLists, args.ExecuteDevice = &outputLists[0], handle
	size := part{"PJRT_ExecuteOptions", &options.Header, abi.ExecuteOptionsSize}
	if err := x.client.plugin.call(abi.LoadedExecutableExecute, &args.Header, size); err != nil {
		return nil, err
	}
	results := make([][]*Buffer, len(on))
	for d := range on {
		results[d] = make([]*Buffer, x.outputs)
		for i := range results[d] {
			results[d][i] = newBuffer(on[d], outputs[d][i])
		}
	}
	return results, nil
}

// holdAll holds the buffers of a call until release is called.
func holdAll(buffers [][]*Buffer) (release func(), err error) {
	var held []*Buffer
	release = func() {
		for _, b := range held {
			b.drop()
		}
	}
	for _, list := range buffers {
		for i, b := range list {
			if err := b.hold(); err != nil {
				release()
				return nil, fmt.Errorf("argument %d: %w", i, err)
			}
			held = append(held, b)
		}
	}
	return release, nil
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

// ask calls a function of the executable while it is held.
func (x *Executable) ask(f abi.Function, args *abi.Header, handle *abi.Executable, parts ...part) error {
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
	err := x.ask(abi.ExecutableNumOutputs, &args.Header, &args.Executable)
	return int(args.NumOutputs), err
}

// Name returns the name of the program.
func (x *Executable) Name() (string, error) {
	args := newArgs[abi.ExecutableNameArgs]()
	err := x.ask(abi.ExecutableName, &args.Header, &args.Executable)
	return goString(args.ExecutableName, args.ExecutableNameSize), err
}

// Partitions returns over how many devices the program is spread, and how many copies of
// it run.
func (x *Executable) Partitions() (partitions, replicas int, err error) {
	n := newArgs[abi.ExecutableNumPartitionsArgs]()
	if err := x.ask(abi.ExecutableNumPartitions, &n.Header, &n.Executable); err != nil {
		return 0, 0, err
	}
	r := newArgs[abi.ExecutableNumReplicasArgs]()
	err = x.ask(abi.ExecutableNumReplicas, &r.Header, &r.Executable)
	return int(n.NumPartitions), int(r.NumReplicas), err
}

// OutputTypes returns the element types of the results.
func (x *Executable) OutputTypes() ([]abi.BufferType, error) {
	args := newArgs[abi.ExecutableOutputElementTypesArgs]()
	err := x.ask(abi.ExecutableOutputElementTypes, &args.Header, &args.Executable)
	return copyOf(args.OutputTypes, args.NumOutputTypes), err
}

// OutputDims returns the dimensions of each result, of one partition.
func (x *Executable) OutputDims() ([][]int64, error) {
	args := newArgs[abi.ExecutableOutputDimensionsArgs]()
	if err := x.ask(abi.ExecutableOutputDimensions, &args.Header, &args.Executable); err != nil {
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

// CodeSize returns the bytes of machine code, 0 where the plugin does not tell.
func (x *Executable) CodeSize() (int64, error) {
	args := newArgs[abi.ExecutableSizeOfGeneratedCodeInBytesArgs]()
	err := x.ask(abi.ExecutableSizeOfGeneratedCodeInBytes, &args.Header, &args.Executable)
	return args.SizeInBytes, err
}

// Fingerprint identifies what was compiled.
func (x *Executable) Fingerprint() (string, error) {
	args := newArgs[abi.ExecutableFingerprintArgs]()
	err := x.ask(abi.ExecutableFingerprint, &args.Header, &args.Executable)
	return goString(args.ExecutableFingerprint, args.ExecutableFingerprintSize), err
}

// Costs returns the compiler's estimates: "flops", "bytes accessed" and others.
func (x *Executable) Costs() (map[string]any, error) {
	args := newArgs[abi.ExecutableGetCostAnalysisArgs]()
	if err := x.ask(abi.ExecutableGetCostAnalysis, &args.Header, &args.Executable); err != nil {
		return nil, err
	}
	return goValues(args.Properties, args.NumProperties), nil
}

// CompiledMemory is the bytes that a program uses on a device.
type CompiledMemory struct{ Code, Arguments, Outputs, Aliased, Temporary int64 }

// Memory returns what the program will use. Aliased is what results take of donated
// arguments.
func (x *Executable) Memory() (CompiledMemory, error) {
	args := newArgs[abi.ExecutableGetCompiledMemoryStatsArgs]()
	err := x.ask(abi.ExecutableGetCompiledMemoryStats, &args.Header, &args.Executable)
	return CompiledMemory{args.GeneratedCodeSizeInBytes, args.ArgumentSizeInBytes, args.OutputSizeInBytes,
		args.AliasSizeInBytes, args.TempSizeInBytes}, err
}

// Optimized returns the program as the compiler left it, and its format.
func (x *Executable) Optimized() (code []byte, format string, err error) {
	args, program := newArgs[abi.ExecutableOptimizedProgramArgs](), newArgs[abi.Program]()
	args.Program = program
	size := part{"PJRT_Program", &program.Header, abi.ProgramSize}
	// The first call tells the size, the second fills the memory.
	if err := x.ask(abi.ExecutableOptimizedProgram, &args.Header, &args.Executable, size); err != nil {
		return nil, "", err
	}
	code = make([]byte, program.CodeSize)
	program.Code = list(code)
	err = x.ask(abi.ExecutableOptimizedProgram, &args.Header, &args.Executable, size)
	return code, goString(program.Format, program.FormatSize), err
}

// Serialize returns the executable as bytes, for [Client.Load] by the same plugin.
func (x *Executable) Serialize() ([]byte, error) {
	args := newArgs[abi.ExecutableSerializeArgs]()
	if err := x.ask(abi.ExecutableSerialize, &args.Header, &args.Executable); err != nil {
		return nil, err
	}
	data := copyOf(args.SerializedBytes, args.SerializedBytesSize)
	if args.SerializedExecutableDeleter != 0 {
		ffi.CallNumbers(args.SerializedExecutableDeleter, uintptr(args.SerializedExecutable))
	}
	return data, nil
}
