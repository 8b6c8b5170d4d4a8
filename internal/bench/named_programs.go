package bench

import (
	"embed"
	"fmt"
	"strings"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// The workloads that the public API cannot express yet. cnn_step and vmap_grad_mlp are printed by JAX, since they are
// derivatives of convolutions and pools, and batched.
//
//go:embed programs/*.mlir
var programs embed.FS

// named returns the workload of a program of the folder programs. Inputs that are not given are synthetic.
func named(name string, inputs ...fill) Workload {
	return Workload{name, func() (func(), func() float64) {
		m, err := readProgram(name)
		if err != nil {
			panic(err)
		}
		f, _ := m.Func("main") // the program is verified
		for len(inputs) < len(f.Type().Ins) {
			inputs = append(inputs, Synthetic)
		}
		call, results, err := start(m, f.Type().Ins, cpu.Default(), inputs)
		if err != nil {
			panic(fmt.Errorf("bench: %s: %w", name, err))
		}
		// A step returns the parameters, then its loss.
		if !strings.HasSuffix(name, "_step") {
			release(results[1:])
			results = results[:1]
		}
		check := firstOf(results)
		release(results)
		return call, func() float64 { return check }
	}}
}

// readProgram parses and verifies a program of the folder.
func readProgram(name string) (*stablehlo.Module, error) {
	text, err := programs.ReadFile("programs/" + name + ".mlir")
	if err != nil {
		return nil, err
	}
	m, err := stablehlo.Parse(name+".mlir", text)
	if err != nil {
		return nil, err
	}
	return m, m.Verify()
}

// uniformIn fills with uniform numbers in [-scale, scale).
func uniformIn(scale float64) fill {
	return func(t dtype.Type, n int) []byte { return elements(t, uniform(scale, n)) }
}

// oneHot fills with rows of the classes 0, 1, … columns-1, 0, 1, …
func oneHot(columns int) fill {
	return func(t dtype.Type, n int) []byte {
		v := make([]float64, n)
		for row := range n / columns {
			v[row*columns+row%columns] = 1
		}
		return elements(t, v)
	}
}
