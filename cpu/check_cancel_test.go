package cpu

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// quickPasses are the passes that need not check for cancellation, with the reason.
var quickPasses = map[string]string{
	"processes":     "looks at each op once",
	"stored types":  "looks at each op once",
	"static shapes": "looks at each op once",
	"blocks":        "asks for each block, and looks at other ops once",
}

// TestPassesCheckCancel: every pass checks for cancellation at least once per op of its input;
// otherwise it would delay the end of a cancelled compilation.
func TestPassesCheckCancel(t *testing.T) {
	var text strings.Builder
	text.WriteString(`func.func @main(%x: tensor<8xf32>, %p: tensor<i32>) -> tensor<8xf32> {
  %v0 = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
`)
	const ops = 400
	for i := range ops {
		line := "  %v@ = stablehlo.add %v#, %x : tensor<8xf32>\n"
		if i%4 == 1 {
			line = "  %v@ = stablehlo.sine %v# : tensor<8xf32>\n"
		}
		text.WriteString(strings.NewReplacer("@", strconv.Itoa(i+1), "#", strconv.Itoa(i)).Replace(line))
	}
	text.WriteString("  return %v" + strconv.Itoa(ops) + ` : tensor<8xf32>
}
func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = stablehlo.negate %x : tensor<8xf32>
  return %y : tensor<8xf32>
}`)
	m, err := stablehlo.Parse("chain", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	ctx := testkit.NewCountdown(math.MaxInt64)
	s, err := New(1).newStages(ctx, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.shared = &simplify.Shared{}
	s.f, _ = s.m.Func("main")
	asked := func(run func() error) int64 {
		t.Helper()
		before := ctx.Left()
		if err := run(); err != nil {
			t.Fatal(err)
		}
		return before - ctx.Left()
	}
	for _, p := range s.target.Passes(s.m) {
		quick := quickPasses[p.Name]
		if n := asked(func() error { return p.Run(s.f) }); (n >= ops) == (quick != "") {
			t.Errorf("%s of %d ops asks %d times whether to go on; it is called quick: %q", p.Name, ops, n, quick)
		}
	}
	n := asked(func() error { _, _, err := s.plan(s.f, nil); return err })
	if n < ops {
		t.Errorf("planning %d ops asks %d times whether to go on", ops, n)
	}
}
