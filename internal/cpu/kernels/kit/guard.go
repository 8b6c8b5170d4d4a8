package kit

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// Memory allocates slices, on the heap or in guarded memory, and records them.
type Memory struct {
	guarded []*guard.Region // nil: on the heap
	edge    guard.Edge
	given   [][]byte
}

// Numbers returns n numbers that depend on n only. Integers have any bits.
func Numbers[T any](m *Memory, n int) []T {
	x := make([]T, n)
	for i, b := 0, rt.Bytes(x); i < len(b); i++ {
		b[i] = byte(i*i*7 + i>>3 + 1)
	}
	at := func(i int) float64 { return math.Sin(float64(i*i))*3 + 0.1 }
	switch x := any(x).(type) {
	case []float32:
		for i := range x {
			x[i] = float32(at(i))
		}
	case []float64:
		for i := range x {
			x[i] = at(i)
		}
	case []complex64:
		for i := range x {
			x[i] = complex(float32(at(i)), float32(at(i+1)))
		}
	case []complex128:
		for i := range x {
			x[i] = complex(at(i), at(i+1))
		}
	}
	if m.guarded != nil {
		x = guard.Copy(m.guarded[len(m.given)], x, m.edge)
	}
	m.given = append(m.given, rt.Bytes(x))
	return x
}

// A Case calls one function of a package on memory that it allocates.
type Case struct {
	Name string
	Run  func(m *Memory, n int) error
}

// Elementwise tests a function of one operand.
func Elementwise[D, S any](name string, f func(dst []D, src []S)) Case {
	return Case{name, func(m *Memory, n int) error { f(Numbers[D](m, n), Numbers[S](m, n)); return nil }}
}

// InPlace tests Elementwise, and that the result may be the argument, with the same bits.
func InPlace[T any](name string, f func(dst, src []T)) []Case {
	return []Case{Elementwise(name, f), {name, func(m *Memory, n int) error {
		x, y, src := Numbers[T](m, n), Numbers[T](m, n), Numbers[T](m, n)
		f(y, src)
		f(x, x)
		if !bytes.Equal(rt.Bytes(x), rt.Bytes(y)) {
			return fmt.Errorf("over its operand: %v, want %v", x, y)
		}
		return nil
	}}}
}

// OfTwo is InPlace for functions of two operands, over each of them; with scalar, operands of one element are tested
// too.
func OfTwo[T any](name string, f func(dst, x, y []T), scalar bool) []Case {
	var out []Case
	for form := range 3 {
		if form > 0 && !scalar {
			continue
		}
		size := func(n int, one bool) int {
			if one {
				return 1
			}
			return n
		}
		out = append(out, Case{name, func(m *Memory, n int) error {
			dst, over := Numbers[T](m, n), Numbers[T](m, n)
			x, y := Numbers[T](m, size(n, form == 1)), Numbers[T](m, size(n, form == 2))
			f(dst, x, y)
			if form != 1 {
				copy(over, x)
				f(over, over, y)
				if !bytes.Equal(rt.Bytes(over), rt.Bytes(dst)) {
					return fmt.Errorf("over its first operand: %v, want %v", over, dst)
				}
			}
			if form != 2 {
				copy(over, y)
				f(over, x, over)
				if !bytes.Equal(rt.Bytes(over), rt.Bytes(dst)) {
					return fmt.Errorf("over its second operand: %v, want %v", over, dst)
				}
			}
			return nil
		}})
	}
	return out
}

// CheckGuarded tests that each case accesses only its slices: memory around them is protected, and the bits are those
// on the heap.
func CheckGuarded(t *testing.T, cases []Case) {
	regions := make([]*guard.Region, 6)
	for i := range regions {
		regions[i] = guard.NewRegion(t, 1<<17)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			for _, n := range []int{1, 2, 7, 16, 45, 67} {
				heap := &Memory{}
				if err := c.Run(heap, n); err != nil {
					t.Fatalf("%d elements: %v", n, err)
				}
				for _, e := range guard.Edges {
					m := &Memory{guarded: regions, edge: e}
					var err error
					if fault := guard.Run(func() { err = c.Run(m, n) }); fault != nil || err != nil {
						t.Fatalf("%d elements %s: %v, %v", n, e, fault, err)
					}
					for i, b := range m.given {
						if err := regions[i].Check(); err != nil {
							t.Errorf("%d elements %s, slice %d: %v", n, e, i, err)
						}
						if !bytes.Equal(b, heap.given[i]) {
							t.Errorf("%d elements %s, slice %d: %x, on the heap %x", n, e, i, b, heap.given[i])
						}
					}
				}
			}
		})
	}
}

// CheckCovered tests that each exported function on slices of the package in the current folder has a case.
func CheckCovered(t *testing.T, cases []Case) {
	t.Helper()
	watched := map[string]bool{}
	for _, c := range cases {
		watched[c.Name] = true
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || !takesSlices(f.Type) {
				continue
			}
			if seen++; !watched[f.Name.Name] {
				t.Errorf("%s has no case with its operands in watched memory", f.Name)
			}
		}
	}
	if seen == 0 {
		t.Error("no exported function on slices was found")
	}
}

// takesSlices reports whether a function has parameters that are slices or views.
func takesSlices(f *ast.FuncType) bool {
	found := false
	for _, p := range f.Params.List {
		ast.Inspect(p.Type, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncType:
				return false
			case *ast.ArrayType:
				found = found || n.Len == nil
			case *ast.Ident:
				found = found || n.Name == "Matrix" || n.Name == "View"
			}
			return true
		})
	}
	return found
}
