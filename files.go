package nx

import "github.com/go-nx/nx/internal/core"

// SaveTensors writes the tensors of a container to a file, whose extension selects the format: .npy
// for one tensor, .npz, .safetensors or .nx, the format of Nx.serialize in Elixir, for any
// container. Each is named by its path, such as Layers[0].W, in a map[string]Tensor by its key; in
// .nx a single tensor has no name. Absent tensors are left out; one at least must be there. Names of
// axes and vectorised axes are kept in .nx, where bools become u8, and left out elsewhere. The file
// is complete or, after an error, unchanged.
//
//	err := nx.SaveTensors("model.safetensors", params)
func SaveTensors(path string, p any) (err error) {
	return core.SaveTensors(path, p)
}

// LoadTensorsOption is an option of [LoadTensors].
type LoadTensorsOption = core.LoadTensorsOption

// RenameArrays gives each array of a file the path of its tensor in the container, such as Layers[0].W. An array for
// which f returns "" is left out. Layers.0.W is the same path: those that no tensor has exactly are compared by their
// words. Two arrays for one tensor are an error. F is called once for each array.
func RenameArrays(f func(name string) string) LoadTensorsOption {
	return core.RenameArrays(f)
}

// Partial loads what both the file and the container have: arrays without a tensor are left out, and tensors without
// an array stay as they are. It is an error if no array has a tensor, or if an array is of another type than its
// tensor.
const Partial = core.Partial

// LoadTensors reads the tensors of a file that [SaveTensors] or another program wrote, .npy, .npz,
// .safetensors, .nx, .gguf of llama.cpp (see package encoding/gguf; blocks of few bits become
// f32), .pt, .pth or .bin of PyTorch (see package encoding/pytorch), or the index of several,
// .safetensors.index.json or .bin.index.json, into the container that into points to.
// Present tensors must be in the file with the same types, and keep the names of their axes;
// absent ones take any type, or stay absent. The file must hold no other tensors, unless [Partial]
// is given. An array belongs to the tensor whose path is its name, or what [RenameArrays]
// makes of it. An empty map[string]Tensor receives all. After an error the container is unchanged.
//
//	err := nx.LoadTensors("model.safetensors", &params)
//
// A container that is a tensor takes the only array of a file, whatever its name. The array of .npy
// has the name of the file, and belongs to the only tensor of any container.
//
// Arrays that lie in the file as in memory are mapped, not read: the file must not be changed in
// place or truncated while they are used, but may be replaced or removed, as SaveTensors does.
//
// NumPy's formats have no bf16, no floats of 8 bits and no integers of 4 or 2: their bits, stored
// as unsigned integers, or raw as JAX stores them, become what the tensor that is there is, where
// it has all of them. Nx has no bool: u8 becomes that.
func LoadTensors[P any](path string, into *P, opts ...LoadTensorsOption) (err error) {
	return core.LoadTensors[P](path, into, opts...)
}
