package nx

import "github.com/go-nx/nx/internal/core"

// SaveTensors writes the tensors of a container to a file, whose name says how: .npy for one
// tensor, .npz, .safetensors or .nx, the format of Nx.serialize in Elixir, for any
// container. Each is named by its path, such as Layers[0].W, in a map[string]Tensor by its
// key; in .nx a lone tensor has no name. Absent tensors are left out. Names of axes and
// vectorised axes are kept in .nx, where bools become u8, and left out elsewhere. The file
// is complete or, when something fails, as it was.
//
//	err := nx.SaveTensors("model.safetensors", params)
func SaveTensors(path string, p any) (err error) {
	return core.SaveTensors(path, p)
}

// LoadTensors reads the tensors of a file that [SaveTensors] or another program wrote, .npy,
// .npz, .safetensors or .nx, into the container that into points to. Tensors that are there
// must be in the file, have the types of those there and keep the names of their axes;
// absent ones take any, or stay absent. Nothing else may be in the file. A map[string]Tensor
// that is empty gets all. When something fails, the container stays as it was.
//
//	err := nx.LoadTensors("model.safetensors", &params)
//
// NumPy's formats have no bf16, no floats of 8 bits and no integers of 4 or 2: their bits, stored
// as unsigned integers, or raw as JAX stores them, become what the tensor that is there is, where
// it has all of them. Nx has no bool: u8 becomes that.
func LoadTensors[P any](path string, into *P) (err error) {
	return core.LoadTensors[P](path, into)
}
