// Package recorded writes programs with their inputs and results to folders, as the programs of
// JAX in ../shared/conformance/jax are, so that other compilers can be held to them.
package recorded

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/stablehlo"
)

// Case is a program with its arguments and results: containers of tensors, in order.
type Case struct {
	Module    *stablehlo.Module
	Ins, Outs []any
	// How far the numbers of a result may be off: by Atol plus Rtol times themselves.
	Rtol, Atol float64
}

// Write creates the folder name in dir with program.mlir, in.npz (arg0, …), out.npz (out0, …) and meta.json,
// which holds the tolerances.
func (c Case) Write(dir, name string) error {
	folder := filepath.Join(dir, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	program, err := os.Create(filepath.Join(folder, "program.mlir"))
	if err != nil {
		return err
	}
	defer program.Close()
	if err := stablehlo.Print(program, c.Module, stablehlo.PrintOptions{}); err != nil {
		return err
	}
	if _, err := writeArrays(filepath.Join(folder, "in.npz"), "arg", c.Ins); err != nil {
		return err
	}
	outs, err := writeArrays(filepath.Join(folder, "out.npz"), "out", c.Outs)
	if err != nil {
		return err
	}
	tolerances := map[string][2]float64{}
	for _, out := range outs {
		tolerances[out] = [2]float64{c.Rtol, c.Atol}
	}
	meta, err := json.Marshal(map[string]any{"tol": tolerances})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "meta.json"), meta, 0o644)
}

// writeArrays writes the tensors of containers, numbered, and returns their names.
func writeArrays(path, prefix string, containers []any) (names []string, err error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	z := npy.NewZipWriter(file)
	for _, container := range containers {
		tree.Map(func(t nx.Tensor) nx.Tensor {
			name := fmt.Sprintf("%s%d", prefix, len(names))
			if err == nil {
				err = z.Write(name, npy.New(t.DType(), t.Shape(), nx.Bytes(t)))
			}
			names = append(names, name)
			return t
		}, container)
	}
	if err != nil {
		return nil, err
	}
	return names, z.Close()
}
