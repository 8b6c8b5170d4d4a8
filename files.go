package nx

import "github.com/go-nx/nx/internal/core"

// SaveTensors writes the tensors of a container to a file, whose extension selects the format: .npy
// for one tensor, .npz, .safetensors or .nx, the format of Nx.serialize in Elixir, for any
// container. Each is named by its path, such as Layers[0].W, in a map[string]Tensor by its key; in
// .nx a single tensor has no name. Absent tensors are left out. Names of axes and vectorised axes
// are kept in .nx, where bools become u8, and left out elsewhere. The file is complete or, after an
// error, unchanged.
//
//	err := nx.SaveTensors("model.safetensors", params)
func SaveTensors(path string, p any) (err error) {
	return core.SaveTensors(path, p)
}

// LoadTensors reads the tensors of a file that [SaveTensors] or another program wrote, .npy, .npz,
// .safetensors or .nx, into the container that into points to. Present tensors must be in the file
// with the same types, and keep the names of their axes; absent ones take any type, or stay absent.
// The file must hold no other tensors. An empty map[string]Tensor receives all. After an error the
// container is unchanged.
//
//	err := nx.LoadTensors("model.safetensors", &params)
//
// NumPy's formats have no bf16, no floats of 8 bits and no integers of 4 or 2: their bits, stored
// as unsigned integers, or raw as JAX stores them, become what the tensor that is there is, where
// it has all of them. Nx has no bool: u8 becomes that.
func LoadTensors[P any](path string, into *P) (err error) {
	return core.LoadTensors[P](path, into)
}
