package stablehlo_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// TestNoInternalFault runs the functions of the verifier's valid programs on
// made-up arguments. They may fault (sizes that do not fit, groups without
// processes), but never by a mistake of the interpreter.
func TestNoInternalFault(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", "stablehlo", "verify"), "accept-*.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	ran := 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range stablehlo.Split(path, text) {
			m, err := stablehlo.ParseSource(source)
			if err != nil {
				continue // the parser's tests report it
			}
			it, err := interp.New(m)
			if err != nil {
				continue
			}
			for f := range m.Funcs() {
				ran++
				callWithAnything(t, it, f, rnd)
			}
		}
	}
	t.Logf("%d functions ran", ran)
}

// callWithAnything calls a function with zeros, then twice with random bits.
func callWithAnything(t *testing.T, it *interp.Interpreter, f stablehlo.Func, rnd *rand.Rand) {
	for _, size := range []int64{0, 1, 3} {
		var args []interp.Value
		for _, in := range f.Type().Ins {
			args = append(args, anything(in, size, rnd))
		}
		// Loops on random state need not end; only the kind of the fault counts.
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		_, err := it.Call(ctx, f.Name(), args...)
		cancel()
		var fault *interp.Fault
		if errors.As(err, &fault) && fault.Kind == interp.Internal {
			t.Errorf("@%s, dynamic sizes %d: %v", f.Name(), size, err)
		}
	}
}

// anything returns a value of a type, with a size for its dynamic dimensions; nil if all are too large.
func anything(t stablehlo.Type, size int64, rnd *rand.Rand) interp.Value {
	switch t := t.(type) {
	case stablehlo.TokenType:
		return interp.Token{}
	case *stablehlo.TupleType:
		out := interp.Tuple{}
		for _, e := range t.Elems {
			out = append(out, anything(e, size, rnd))
		}
		return out
	case *stablehlo.TensorType:
		dims := make([]int64, len(t.Dims))
		for i, d := range t.Dims {
			if dims[i] = d; d == stablehlo.Dynamic {
				dims[i] = size
			}
		}
		u := t.WithDims(dims...)
		n, ok := u.NumElems()
		if !ok || n > 1<<20 {
			return nil
		}
		data := make([]byte, n*int64(t.DType().Size()))
		for i := range data {
			if size > 0 {
				data[i] = byte(rnd.Uint32())
			}
		}
		if x, err := interp.NewTensor(u, data); err == nil {
			return x
		}
	}
	return nil
}
