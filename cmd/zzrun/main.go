package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"

	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

func die(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// zzrun run PROG --in IN --out OUT
func main() {
	if p := os.Getenv("PROF"); p != "" {
		f, _ := os.Create(p)
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	var prog, in, out string
	for i := 2; i < len(os.Args); i++ {
		switch os.Args[i] {
		case "--in":
			i++
			in = os.Args[i]
		case "--out":
			i++
			out = os.Args[i]
		case "--backend":
			i++
		default:
			prog = os.Args[i]
		}
	}
	text, err := os.ReadFile(prog)
	die(err)
	m, err := stablehlo.Parse(prog, text)
	die(err)
	it, err := interp.New(m)
	die(err)
	fn, _ := m.Func("main")
	f, err := os.Open(in)
	die(err)
	st, _ := f.Stat()
	z, err := npy.NewZip(f, st.Size())
	die(err)
	var args []interp.Value
	for i, t := range fn.Type().Ins {
		a, err := z.Array(fmt.Sprintf("arg%d", i))
		die(err)
		tt := t.(*stablehlo.TensorType)
		a, err = a.As(tt.DType())
		die(err)
		dims := make([]int64, len(a.Shape))
		for k, d := range a.Shape {
			dims[k] = int64(d)
		}
		x, err := interp.NewTensor(tt.WithDims(dims...), a.Data)
		die(err)
		args = append(args, x)
	}
	res, err := it.Call(context.Background(), "main", args...)
	die(err)
	o, err := os.Create(out)
	die(err)
	w := npy.NewZipWriter(o)
	for i, r := range res {
		x := r.(*interp.Tensor)
		sh := make([]int, len(x.Type.Dims))
		for k, d := range x.Type.Dims {
			sh[k] = int(d)
		}
		die(w.Write(fmt.Sprintf("out%d", i), npy.New(x.Type.DType(), sh, x.Data)))
	}
	die(w.Close())
	die(o.Close())
}
