package exec

import (
	"context"
	"encoding/binary"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/testkit/fused"
)

// startCounter counts the starts of tile code.
type startCounter struct {
	codegen.Generator
	n *atomic.Int64
}

func (g startCounter) NewSession() (codegen.Session, error) {
	s, err := g.Generator.NewSession()
	return countedSession{startCounter{s, g.n}, s}, err
}

type countedSession struct {
	startCounter
	under codegen.Session
}

func (s countedSession) Seal() error { return s.under.Seal() }

func (g startCounter) Compile(k *kernel.Kernel, p *plan.Plan) (codegen.Code, error) {
	c, err := g.Generator.Compile(k, p)
	return countedCode{c, g.n}, err
}

type countedCode struct {
	codegen.Code
	n *atomic.Int64
}

func (c countedCode) RunChunk(i int, params []unsafe.Pointer, first []int64, partial unsafe.Pointer,
	s codegen.Scratch) {
	c.n.Add(1)
	c.Code.RunChunk(i, params, first, partial, s)
}

func (c countedCode) RunElems(n int, params []unsafe.Pointer, s codegen.Scratch) {
	c.n.Add(1)
	c.Code.RunElems(n, params, s)
}

// A scatter of single elements starts no tile code per update, and a loop over scalars none per trip: starting it takes
// a hundred times as long as an addition.
func TestStarts(t *testing.T) {
	const scatter = `
func.func @main(%%x: tensor<64xTYPE>, %%i: tensor<COUNTx1xi32>, %%u: tensor<COUNTxTYPE>) -> tensor<64xTYPE> {
  %%r = "stablehlo.scatter"(%%x, %%i, %%u) ({
  ^bb0(%%a: tensor<TYPE>, %%b: tensor<TYPE>):
    %%s = BODY : tensor<TYPE>
    stablehlo.return %%s : tensor<TYPE>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<64xTYPE>, tensor<COUNTx1xi32>, tensor<COUNTxTYPE>) -> tensor<64xTYPE>
  return %%r : tensor<64xTYPE>
}`
	const loop = `
func.func @main(%n: tensor<i32>, %x: tensor<TYPE>) -> tensor<TYPE> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %a = %x) : tensor<i32>, tensor<TYPE> cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = BODY : tensor<TYPE>
    stablehlo.return %j, %b : tensor<i32>, tensor<TYPE>
  }
  return %0#1 : tensor<TYPE>
}`
	if n := starts(t, loop, "500xf32", "stablehlo.cosine %a", 100); n < 100 {
		t.Errorf("100 trips over an array count as %d starts", n)
	}
	for _, c := range []struct{ name, text, elem, body string }{
		{"segment sums", scatter, "f32", "stablehlo.add %a, %b"},
		{"a histogram", scatter, "i32", "stablehlo.add %a, %b"},
		{"segment maxima", scatter, "f64", "stablehlo.maximum %a, %b"},
		{"sums of complex numbers", scatter, "complex<f32>", "stablehlo.add %a, %b"},
		{"a counter", loop, "i32", "stablehlo.add %a, %i"},
		{"a fixed point", loop, "f32", "stablehlo.cosine %a"},
		{"powers", loop, "f64", "stablehlo.multiply %a, %x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			few, many := starts(t, c.text, c.elem, c.body, 100), starts(t, c.text, c.elem, c.body, 3000)
			if few != many || many > 2 {
				t.Errorf("%d starts for 100 updates or trips, %d for 3,000", few, many)
			}
		})
	}
}

// starts returns how often a program of count updates or trips starts tile code.
func starts(t *testing.T, text, elem, body string, count int) int64 {
	t.Helper()
	p := fused.Program(t,
		strings.NewReplacer("%%", "%", "TYPE", elem, "BODY", body, "COUNT", strconv.Itoa(count)).Replace(text))
	var n atomic.Int64
	x, err := Compile(p, &rt.Env{}, startCounter{portable.Generator{}, &n})
	if err != nil {
		t.Fatal(err)
	}
	args := make([][]byte, len(p.Main.Args))
	for i, a := range p.Main.Args {
		b := p.Buffers[a].Type
		elems, _ := b.NumElems()
		args[i] = make([]byte, elems*int64(b.DType().Size()))
	}
	if len(args) == 2 { // a loop
		binary.LittleEndian.PutUint32(args[0], uint32(count))
	}
	if _, err := x.Run(context.Background(), args); err != nil {
		t.Fatal(err)
	}
	return n.Load()
}
