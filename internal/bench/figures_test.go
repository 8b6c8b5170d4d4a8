package bench

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/cpu"
)

// TestTransformerStepFigures holds what a training step moves: bytes that its nodes read
// and write, the largest figure of which was copies of weights for the elements of the
// batch. Commit 301aa10 moved 1,524,985,224 bytes, with an arena of 268,565,504.
func TestTransformerStepFigures(t *testing.T) {
	p, x := transformerInputs()
	text := planOf(t, transformerStep, p, x)
	const mostMoved, mostArena = 1_080_000_000, 164_000_000
	var arena, read, written int64
	var nodes int
	if _, err := fmt.Sscanf(text, "%d nodes read %d bytes and write %d\narena of %d bytes", &nodes, &read, &written, &arena); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d nodes move %d bytes, arena of %d", nodes, read+written, arena)
	if read+written > mostMoved || arena > mostArena {
		t.Errorf("%d nodes move %d bytes, at most %d are expected; the arena of %d bytes, at most %d", nodes, read+written, mostMoved, arena, mostArena)
	}
	if strings.Contains(text, "= kernel stablehlo.broadcast_in_dim(") {
		t.Error("a node only copies what it reads to several places")
	}
}

// planOf returns the text of the plan of a function on the default compiler, from what its
// nodes move on, then all of it.
func planOf[F any](t *testing.T, f F, args ...any) string {
	t.Helper()
	l, err := nx.Lower(f, args...)
	if err != nil {
		t.Fatal(err)
	}
	text, err := cpu.Default().Explain(l.Module(), "main", "scheduled")
	if err != nil {
		t.Fatal(err)
	}
	figures := regexp.MustCompile(`(?m)^\d+ nodes read `).FindStringIndex(text)
	return text[figures[0]:] + text
}
