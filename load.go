package nx

import (
	"context"
	"io/fs"

	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/onnx"
	"github.com/go-nx/nx/stablehlo"
)

// Model is a program exported by JAX, PyTorch, Keras or TensorFlow, ready to be called. It is safe for concurrent use.
type Model core.Model

// Parameter describes an input or a result of a [Model].
//
// Fields:
//
//	Name  string   // the name in the file, "params['dense']['kernel']", or "arg0"
//	DType DType
//	Shape Shape    // -1 where the caller chooses the size
//	Dims  []string // the exported sizes, "batch" or "3"; nil if the file has none
//
// Methods:
//
//	func (p Parameter) String() string // x f32[batch][3]
type Parameter = core.Parameter

// LoadOption is an option of [Load].
type LoadOption = core.LoadOption

// Weights takes arguments from files: .safetensors or the index of several, .safetensors.index.json,
// .npz, .nx, .pt, .pth and .bin of PyTorch, and .npy, which holds the argument of the file's name.
// An array belongs to the argument of its name; names are compared by their words, so that params/dense/kernel is
// params['dense']['kernel'], and the first word, the parameter of the function, may be missing. An
// array without an argument is an error.
func Weights(files ...string) LoadOption {
	return core.Weights(files...)
}

// WeightNames maps arguments to the arrays of the files of [Weights] if their names differ:
// argument → array.
func WeightNames(names map[string]string) LoadOption {
	return core.WeightNames(names)
}

// Files takes the file of a model, the files that it names, and those of [Weights], from a file system, such as one of
// package embed. Names have slashes. Files of os.DirFS are mapped to memory; those of package embed are copied.
func Files(fsys fs.FS) LoadOption {
	return core.Files(fsys)
}

// Bind gives an argument its value for all calls.
func Bind(name string, t Tensor) LoadOption {
	return core.Bind(name, core.Tensor(t))
}

// DonateInputs passes the memory of inputs to each call, which may store results there: the cache
// of keys and values that a model returns longer by one. Their tensors are invalid after the call.
// Inputs that the program itself marks as donated, as JAX does (tf.aliasing_output,
// jax.buffer_donor), are donated without this.
func DonateInputs(names ...string) LoadOption {
	return core.DonateInputs(names...)
}

// FreeWeights makes weights of a model of ONNX arguments of its calls, after its inputs: those whose names match one of
// the patterns, as [path.Match] has them, or all that are floats. Calls are differentiable by them, as by other
// arguments. [Model.Weights] returns their values in the file.
func FreeWeights(patterns ...string) LoadOption {
	return core.FreeWeights(patterns...)
}

// Buckets rounds a size that callers choose up to the next of sizes: inputs get zeros behind along the axes of that
// name, and the results whose axes have the name are cut to the size of the call. The program is compiled for each
// bucket instead of each size. Larger sizes than all are compiled as they are.
//
// It is right where what is computed of the valid part does not depend on what is behind: for a batch, whose records
// are independent, and for sequences with a mask among the inputs, which is zero behind. Batch normalisation in
// training, and sums over the axis without a mask, are not. The names are those of Dims of [Model.Inputs].
//
//	nx.Load(ctx, "bert.onnx", nx.Buckets("sequence", 16, 32, 64, 128), nx.Buckets("batch", 1, 8, 32))
func Buckets(name string, sizes ...int) LoadOption {
	return core.Buckets(name, sizes...)
}

// Load reads a program: a model of ONNX (.onnx), StableHLO text, a portable artifact (MLIR bytecode), the file that
// jax.export writes, or the folder of torch_xla's bundle, whose weights come along. Arguments that
// options set are not inputs of its calls.
//
// It is compiled on the first call with inputs of new shapes, for these shapes, and with new values
// of integers that shapes depend on, as programs with symbolic dimensions take them; the code of as
// many is kept as [Jit] keeps. Inside functions that are compiled or differentiated, a call becomes
// a part of them.
//
// The error names the file and the fault.
//
// The context bounds the loading; when it ends, Load returns its cause. Calls have their own.
func Load(ctx context.Context, path string, opts ...LoadOption) (*Model, error) {
	if onnx.IsFile(path) {
		p, err := onnx.OpenIn(core.FilesOf(opts), path)
		if err != nil {
			return nil, err
		}
		r0, r1 := core.LoadImported(ctx, p, opts...)
		return (*Model)(r0), r1
	}
	r0, r1 := core.Load(ctx, path, opts...)
	return (*Model)(r0), r1
}

// LoadModule is [Load] of a program in memory, which must not change any more.
func LoadModule(ctx context.Context, m *stablehlo.Module, opts ...LoadOption) (*Model, error) {
	r0, r1 := core.LoadModule(ctx, m, opts...)
	return (*Model)(r0), r1
}

// Inputs describes what a call takes, in order.
func (m *Model) Inputs() []Parameter {
	return (*core.Model)(m).Inputs()
}

// Outputs describes what a call returns, in order.
func (m *Model) Outputs() []Parameter {
	return (*core.Model)(m).Outputs()
}

// Call runs the program on its inputs in order. Ctx cancels it.
func (m *Model) Call(ctx context.Context, inputs ...Tensor) (out []Tensor, err error) {
	r0, r1 := (*core.Model)(m).Call(ctx, core.Retype[[]core.Tensor](inputs)...)
	return core.Retype[[]Tensor](r0), r1
}

// CallNamed is [Model.Call] with inputs and results by name: those of
// [Model.Inputs], or as [Weights] compares them.
func (m *Model) CallNamed(ctx context.Context, inputs map[string]Tensor) (out map[string]Tensor, err error) {
	r0, r1 := (*core.Model)(m).CallNamed(ctx, core.Retype[map[string]core.Tensor](inputs))
	return core.Retype[map[string]Tensor](r0), r1
}

// Weights returns the weights that [FreeWeights] made arguments, by name, with their values in the file.
func (m *Model) Weights() (map[string]Tensor, error) {
	r0, r1 := (*core.Model)(m).Weights()
	return core.Retype[map[string]Tensor](r0), r1
}

// Close drops the weights and the compiled code of a model, whose memory the next garbage collection gives back, also
// that of mapped files. Calls that run go on to their ends; later ones return an error. Tensors that the caller has,
// results and those of [Model.Weights], stay valid. The error is always nil.
func (m *Model) Close() error {
	return (*core.Model)(m).Close()
}

// String describes the program: its inputs and results.
func (m *Model) String() string {
	return (*core.Model)(m).String()
}

// LoadFunc returns a loaded program as a Go function on containers of tensors. The inputs of an
// argument of the exported function, a tree as JAX has them, are the tensors of one argument of F:
// params['dense']['kernel'] is the field Dense.Kernel, or the key "kernel" of a map. Case and
// underscores are ignored. The results are those of F in the same way. A leading context.Context is
// the call's, a trailing error takes failures, which are panics otherwise.
//
//	predict, err := nx.LoadFunc[func(p Params, x nx.Tensor) nx.Tensor](m)
func LoadFunc[F any](m *Model) (f F, err error) {
	return core.LoadFunc[F]((*core.Model)(m))
}
