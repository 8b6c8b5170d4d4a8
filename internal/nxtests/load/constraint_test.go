package load_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	programs "github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo/interp"
)

// TestLoadConstraints calls an export of JAX with sizes that it does not take: the error
// has the program's own text with the sizes filled in, as JAX shows it, from the compiler
// and from the interpreter.
func TestLoadConstraints(t *testing.T) {
	file := testkit.Root(t, "internal", "model", "testdata", "constraints.jaxexport")
	m, err := nx.Load(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := programs.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	oracle, err := interp.New(p.Module)
	if err != nil {
		t.Fatal(err)
	}
	const end = "Obtained dimension variables: 'b' = B from specification 'b' for dimension args[0].shape[0] (= B), " +
		"'a' = A from specification 'a' for dimension args[1].shape[0] (= A), . "
	for _, c := range []struct {
		b, a int
		want string
	}{
		{6, 5, ""},
		{5, 5, "Input shapes do not match the symbolic shape constraint 2*floordiv(b, 2) == b. " +
			"Expected '2*floordiv(b, 2) - b' to be equal to 0, but found -1. "},
		{2, 1, "Input shapes do not match the symbolic shape constraint b >= 4. " +
			"Expected 'b - 4' to be greater or equal to 0, but found -2. "},
		{4, 9, "Input shapes do not match the symbolic shape constraint a <= 2*b. " +
			"Expected '2*b - a' to be greater or equal to 0, but found -1. "},
		{6, 0, "Expected value >= 1 for dimension variable 'a'. "},
	} {
		x, y := kit.Ones(c.b), kit.Ones(c.a)
		_, err := m.Call(t.Context(), x, y)
		var args []interp.Value
		for i, v := range []nx.Tensor{x, y} {
			arg, err := interp.NewTensor(p.In[i].Tensor().WithDims(int64(v.Size())), nx.Bytes(v))
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, arg)
		}
		_, wrong := oracle.Call(t.Context(), "main", args...)
		sizes := strings.NewReplacer("B", string(rune('0'+c.b)), "A", string(rune('0'+c.a)))
		for name, err := range map[string]error{"cpu": err, "interp": wrong} {
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%s, b = %d, a = %d: %v", name, c.b, c.a, err)
			case c.want != "" && (err == nil || slices.ContainsFunc([]string{c.want, sizes.Replace(end)},
				func(want string) bool { return !strings.Contains(err.Error(), want) })):
				t.Errorf("%s, b = %d, a = %d: error %v, want %q", name, c.b, c.a, err, c.want+sizes.Replace(end))
			}
		}
	}
}
