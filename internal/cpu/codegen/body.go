package codegen

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Body is a function of scalars that an algorithm applies to many elements: the comparator of a sort, the update
// computation of a scatter. It is safe for concurrent use.
type Body struct {
	code                    Code
	scalar                  ScalarCode // for one element; nil unless that is faster
	args, results, captures int
	applications            sync.Pool
}

// CompileBody compiles a kernel over one dimension. Its parameters are the arguments, the results and the captured
// scalars, in this order.
func CompileBody(g Generator, k *kernel.Kernel, args, results int) (*Body, error) {
	if err := k.Verify(); err != nil {
		return nil, fmt.Errorf("internal error: %w\n%s", err, k)
	}
	code, err := Compile(g, k, plan.Of(k))
	if err != nil {
		return nil, err
	}
	b := &Body{code: code, args: args, results: results, captures: len(k.Params) - args - results}
	if b.scalar, err = compileScalar(g, k); err != nil {
		return nil, err
	}
	b.applications.New = func() any {
		a := &Application{b: b, s: g.NewScratch(), params: make([]unsafe.Pointer, len(k.Params))}
		if b.scalar != nil {
			a.file = b.scalar.NewFile(a.params)
		}
		return a
	}
	return b, nil
}

// compileScalar compiles the kernel of a body for one element.
func compileScalar(g Generator, k *kernel.Kernel) (ScalarCode, error) {
	single := *k
	single.Dims = []int64{1}
	if _, better := g.IsScalar(&single); !better {
		return nil, nil
	}
	params := make([]int, k.NumParams())
	for i := range params {
		params[i] = i
	}
	c := g.NewScalarCompiler()
	if err := c.Kernel(&single, params); err != nil {
		return nil, err
	}
	return c.Done()
}

// Application applies a body for one worker.
type Application struct {
	b      *Body
	s      Scratch
	file   File
	params []unsafe.Pointer
}

// Begin returns an application; ins are the operands of the call, the captured scalars last.
func (b *Body) Begin(ins [][]byte) *Application {
	a := b.applications.Get().(*Application)
	for i, in := range ins[len(ins)-b.captures:] {
		a.params[b.args+b.results+i] = unsafe.Pointer(unsafe.SliceData(in))
	}
	return a
}

// Apply computes n elements; a result may alias an argument.
func (a *Application) Apply(n int) {
	if n == 1 && a.file != nil {
		a.file.Run(nil)
		return
	}
	a.b.code.RunElems(n, a.params, a.s)
}

// Arg sets the address of the elements of argument i.
func (a *Application) Arg(i int, p unsafe.Pointer) { a.params[i] = p }

// Result sets the address of the elements of result i.
func (a *Application) Result(i int, p unsafe.Pointer) { a.params[a.b.args+i] = p }

// End returns the application to its pool and drops its pointers into the memory of the program.
func (a *Application) End() {
	clear(a.params)
	a.s.Forget()
	a.b.applications.Put(a)
}
