package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/stablehlo"
)

// TestTransformerStepFigures bounds the traffic of a training step: the bytes that its nodes read and write, most of
// which were copies of weights for the elements of the batch. Commit 301aa10 moved 1,479,454,068 bytes, counted the
// same way, with an arena of 268,565,504. With arguments and results it takes less than 1.3 times the parameters, the
// gradients and the operands of GEMMs.
func TestTransformerStepFigures(t *testing.T) {
	p, x := transformerInputs()
	text := checkFigures(t, 523_700_000, 54_700_000, transformerStep, p, x)
	if strings.Contains(text, "= kernel stablehlo.broadcast_in_dim(") {
		t.Error("a node only copies its operand several times")
	}
	l, err := nx.Lower(transformerStep, nx.Args(p, x))
	if err != nil {
		t.Fatal(err)
	}
	_, all := figuresOf(t, text)
	main, _ := l.Module().Func("main")
	for _, typ := range slices.Concat(main.Type().Ins, main.Type().Outs) {
		tensor := typ.(*stablehlo.TensorType)
		n, _ := tensor.NumElems()
		all += n * int64(tensor.DType().Size())
	}
	t.Logf("%d bytes of arguments, results and arena", all)
	const maxBytes = 87_000_000 // 1.3 times parameters, gradients and the operands of GEMMs for gradients
	if all > maxBytes {
		t.Errorf("arguments, results and arena must have at most %[2]d bytes, got %[1]d", all, maxBytes)
	}
}

// TestTransformerFigures: values that a layer computes row by row are never in memory completely, including the scores
// of attention. Commit 301aa10 moved about 380,000,000 bytes.
func TestTransformerFigures(t *testing.T) {
	p, x := transformerInputs()
	checkFigures(t, 47_400_000, 6_300_000, transformer, p, x)
}

// TestMLPStepFigures: the bias, the activation and the losses of a network do not go through
// memory. Commit 301aa10 moved 11,650,000 bytes or more.
func TestMLPStepFigures(t *testing.T) {
	p, x, y := mlpInputs()
	checkFigures(t, 7_920_000, 791_552, mlpStep, p, x, y)
}

// TestCNNGradientFigures: the derivative of a pool has no lookups. With lookups, the gradient moved 76,981,684 bytes in
// an arena of 12,042,240. It is in one fused row loop with the convolution before it and the derivative of the
// activation after it, of which a dimension is split for that; unfused they moved 46,474,668 bytes in an arena of
// 7,626,752.
func TestCNNGradientFigures(t *testing.T) {
	p, x, y := cnnInputs()
	gradient := func(p cnn, x, y nx.Tensor) (nx.Tensor, cnn) {
		return nx.ValueAndGrad(func(p cnn) nx.Tensor { return p.loss(x, y) })(p)
	}
	checkFigures(t, 29_700_000, 6_050_000, gradient, p, x, y)
}

// A million normal numbers: commit 301aa10 moved 106,000,036 bytes.
func TestNormalFigures(t *testing.T) {
	normal := func(k nx.Tensor) nx.Tensor { return random.Normal(k, 0, 1, nx.Shape{million}, nx.F32) }
	text := checkFigures(t, 6_000_008, 0, normal, random.Key(0))
	if n := strings.Count(text, " = kernel "); n != 1 {
		t.Errorf("%d kernels, want one that writes only the numbers", n)
	}
}

// checkFigures checks the traffic and the arena of a function on the default compiler, and returns the nodes as text. A
// change may lower the figures; then lower them in the test.
func checkFigures[F any](t *testing.T, maxMoved, maxArena int64, f F, args ...any) string {
	t.Helper()
	text := nodesOf(t, f, args...)
	moved, arena := figuresOf(t, text)
	t.Logf("%d bytes moved, arena of %d", moved, arena)
	if moved > maxMoved || arena > maxArena {
		t.Errorf("must move at most %[2]d bytes, got %[1]d; in an arena of at most %[4]d bytes, got %[3]d", moved,
			maxMoved, arena, maxArena)
	}
	return text
}

// nodesOf returns the nodes of a function on the default compiler, with their traffic.
func nodesOf[F any](t *testing.T, f F, args ...any) string {
	t.Helper()
	l, err := nx.Lower(f, args)
	if err != nil {
		t.Fatal(err)
	}
	text, err := cpu.Default().Explain(l.Module(), "main", "nodes")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// figuresOf returns the total traffic of nodes, and the arena.
func figuresOf(t *testing.T, nodes string) (moved, arena int64) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(nodes), "\n")
	if _, err := fmt.Sscanf(lines[len(lines)-1], "%d bytes moved in all, loops once, in an arena of %d",
		&moved, &arena); err != nil {
		t.Fatalf("%v in %q", err, lines[len(lines)-1])
	}
	return moved, arena
}

// TestCompileAllocations bounds the objects that compiling a training step allocates: 7,628 on commit 301aa10. Compile
// time is proportional to them. Machine code of the kernels takes some more.
func TestCompileAllocations(t *testing.T) {
	if testkit.Race {
		t.Skip("skipped: the race detector drops objects of sync.Pool")
	}
	p, x, y := mlpInputs()
	compile(mlpStep, p, x, y) // fills the caches
	n := testing.AllocsPerRun(5, func() { compile(mlpStep, p, x, y) })
	t.Logf("%v allocations", n)
	tier, _ := cpu.ExplainTier()
	tier, _, _ = strings.Cut(tier, ",") // with or without AMX
	maxObjects := map[string]float64{"portable": 7_700, "avx2": 9_100, "avx512": 9_000}[tier]
	if n > maxObjects {
		t.Errorf("compiling the MLP's step must allocate at most %[2]v objects, got %[1]v", n, maxObjects)
	}
}
