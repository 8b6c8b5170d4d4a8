//go:build amd64 || arm64

package rt

import (
	"errors"
	"fmt"
	"testing"
	"unsafe"
)

// function returns the code that write assembles.
func function(t testing.TB, name string, write func(a *assembler)) *Function {
	t.Helper()
	arena, err := NewCodeArena()
	if err != nil {
		t.Fatal(err)
	}
	f := add(t, arena, name, write)
	if err := arena.Seal(); err != nil {
		t.Fatal(err)
	}
	return f
}

func add(t testing.TB, arena *CodeArena, name string, write func(a *assembler)) *Function {
	t.Helper()
	var a assembler
	write(&a)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	f, err := arena.Add(name, code, a.Len())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// testArena adds functions to an arena, whose code adds n to a number, and calls them: an arena grows after it is
// sealed, and over several chunks.
func testArena(t *testing.T, write func(a *assembler, n int)) *CodeArena {
	t.Helper()
	arena, err := NewCodeArena()
	if err != nil {
		t.Fatal(err)
	}
	var all []*Function
	for round := range 3 {
		for i := range 300 {
			n := round*300 + i
			all = append(all, add(t, arena, fmt.Sprint("add ", n), func(a *assembler) { write(a, n) }))
		}
		if err := arena.Seal(); err != nil {
			t.Fatal(err)
		}
		for i, f := range all {
			x := 1
			f.Call(unsafe.Pointer(&x))
			f.CallFlushing(unsafe.Pointer(&x))
			if x != 1+2*i {
				t.Fatalf("%s has made %d of 1", f.Name, x)
			}
		}
	}
	if len(arena.chunks) < 2 {
		t.Errorf("%d functions are in %d chunk", len(all), len(arena.chunks))
	}
	return arena
}

func catch(f func()) (fault *CodeFault) {
	defer func() {
		if err, ok := recover().(error); ok && !errors.As(err, &fault) {
			panic(err)
		}
	}()
	f()
	return nil
}
