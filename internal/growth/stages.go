package growth

import (
	"context"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/vmap"
	"github.com/go-nx/nx/stablehlo"
)

// Stages are the names of the stages of [Family.Run], in order.
var Stages = []string{"parse", "verify", "print", "compile", "derive", "verify derivative", "compile derivative",
	"batch", "compile batch"}

// batch is the batch size; the measurements do not depend on it.
const batch = 3

// Run passes every stage on the program of size n to measure, which runs it once.
func (f Family) Run(client *cpu.Client, n int, measure func(stage string, run func(ctx context.Context) error)) {
	text := f.Text(n)
	var m, g, b *stablehlo.Module
	compile := func(m *stablehlo.Module) func(ctx context.Context) error {
		return func(ctx context.Context) error { _, err := client.Compile(ctx, m); return err }
	}
	measure("parse", func(ctx context.Context) (err error) {
		m, err = stablehlo.ParseContext(ctx, f.Name, []byte(text))
		return err
	})
	measure("verify", m.VerifyContext)
	measure("print", func(context.Context) error { _ = m.String(); return nil })
	measure("compile", compile(m))
	if f.Gradient {
		measure("derive",
			func(ctx context.Context) (err error) { g, _, err = autodiff.Gradient(ctx, m, "main", nil); return err })
		measure("verify derivative", g.VerifyContext)
		measure("compile derivative", compile(g))
	}
	if f.Mapped {
		b = m
		measure("batch", func(context.Context) error { return batched(&b) })
		measure("compile batch", compile(b))
	}
}

// batched replaces a module by its batched form.
func batched(m **stablehlo.Module) (err error) {
	main, _ := (*m).Func("main")
	in, out := make([]int, len(main.Args())), make([]int, len(main.Type().Outs))
	*m, err = vmap.Batch(*m, "main", batch, in, out)
	return err
}
