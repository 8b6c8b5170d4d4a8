package rosetta_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

// rows are the pairs of the rows of docs/rosetta.md, by section. A row's key is its first cell without the marks of
// code, or the last one where the first is a dash.
var rows = slices.Concat(creation, reading, elementwise, alongAxes, windows, shapes, randomNumbers, control,
	transformations, linearAlgebra)

// row holds what a row of the page says in code.
type row struct {
	key   string
	pairs []pair
}

// pair is the same in Python, an expression of the operands, and in Go: a tensor, a list of them, a number, a bool or
// a text.
type pair struct {
	py string
	nx func() any
}

// notRun are the rows without pairs, by the reason; "## " and a heading stand for the rows below it.
var notRun = map[string][]string{
	"programs of files, which other tests compare": {
		"onnxruntime.InferenceSession(file).run, onnx2torch.convert to train it"},
	"a library of formulas, which NumPy does not have": {`numexpr.evaluate("a*x**2 + log(x)"), –`},
	"a type or option of Elixir's Nx, which Python has not": {"t.IsFloat() && t.HasInf()",
		`the rules of nx.New, nx.As`,
		"the types that nx.Exp, nx.Sum and a Go number with a tensor give", `nx.Names("row", "col")`,
		"nx.Devectorize(t).Size()", "t.Spec().Equal(u.Spec())",
		`nx.SaveTensors("x.nx", p), nx.LoadTensors("x.nx", &p), t.MarshalBinary()`,
		"nx.Rename", `nx.Vectorize(t, "x")`, "nx.Devectorize, and nx.Rename without names",
		`nx.Revectorize(t, []nx.VectorAxis{{"x", 2}}, 3)`, "nx.ReshapeVectors, nx.BroadcastVectors", "t.Vectors()",
		"nx.Lowered.Split, nx.Graph; at points that debug.Mark names: debug.MarkName", "nx.PadBatch",
		"nx.Stream (Send, Recv, Done)", "debug.Cached, debug.StreamCached"},
	"how elements are kept or shown, not what they are": {"np.set_printoptions(precision=4)", "plt.imshow",
		"jax.device_put(x, device)", "x.block_until_ready()", "jax.Array.delete",
		`jax.config.update("jax_default_device", d)`, "x.device", "jax.jit(f, device=…)",
		"the size of jax.jit's cache",
		"jax.make_jaxpr", "jax.profiler.trace", "jax.profiler.save_device_memory_profile", "jax.debug.print",
		"logging of recompilations"},
	"of modules of their own, which their tests compare": {"np.asarray(PIL.Image.open(f)), PIL.Image.fromarray",
		"matrices of gonum"},
	"assertions of tests": {"np.testing.assert_array_equal, assert_allclose", "jax.test_util.check_grads"},
	"files of PyTorch, which .ci/models compares": {
		"torch.load(path), torch.save of a state_dict"},
	"exported programs, which .ci/models compares": {
		"jax.export.deserialize(blob).call, torch_xla.stablehlo.StableHLOGraphModule.load"},
	"several devices, which .ci/xla compares": {
		"jax.shard_map(f, mesh=mesh, in_specs=(P(), P(\"data\")), out_specs=P(), check_vma=False)",
		"jax.jit(f, in_shardings=…, out_shardings=…), lax.with_sharding_constraint, a.addressable_shards, " +
			"jax.make_array_from_single_device_arrays",
		"lax.pmean, lax.pmax, lax.pmin",
		"lax.psum, all_gather(tiled=True), psum_scatter(tiled=True), all_to_all(tiled=True), ppermute, axis_index"},
	"estimators, which .ci/long learn compares": {
		"LinearRegression", "Ridge", "Lasso", "LogisticRegression", "KMeans", "GaussianMixture", "PCA",
		"KNeighborsClassifier", "KNeighborsRegressor", "GaussianNB", "MultinomialNB", "BernoulliNB",
		"StandardScaler", "train_test_split", "KFold", "StratifiedKFold", "cross_val_score",
		"m.score", "ConvergenceWarning", "m.fit(x, y, sample_weight=w)", "confusion_matrix, roc_curve, roc_auc_score"},
	"the language's own errors": {"try: … except"},
	"compared with recorded cases by TestLearning of internal/conformance/learning; package optim tests those without cases": {
		"## Optimisers"},
}

// pageRow is a row of a table of docs/rosetta.md.
type pageRow struct {
	section, key, python, ours string
}

func pageRows(t *testing.T) []pageRow {
	page, err := os.ReadFile(testkit.Root(t, "docs", "rosetta.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out []pageRow
	section := ""
	for line := range strings.Lines(string(page)) {
		if heading, is := strings.CutPrefix(line, "## "); is {
			section = "## " + strings.TrimSpace(heading)
		}
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		switch {
		case len(cells) != 5:
			continue
		case strings.HasPrefix(cells[1], "---"):
			out = out[:len(out)-1] // the row before it is the table's head
			continue
		}
		for i := range cells {
			cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i]), "\x00", "|")
		}
		r := pageRow{section, strings.ReplaceAll(cells[1], "`", ""), cells[1], cells[3]}
		if r.key == "–" {
			r.key = strings.ReplaceAll(cells[3], "`", "")
		}
		out = append(out, r)
	}
	return out
}

// TestEveryRow: each row of the page has pairs, which call each function that the row names, or a reason.
func TestEveryRow(t *testing.T) {
	reasons, seen := map[string]string{}, map[string]bool{}
	for why, keys := range notRun {
		for _, k := range keys {
			reasons[k] = why
		}
	}
	byKey := map[string]row{}
	for _, r := range rows {
		if _, twice := byKey[r.key]; twice || len(r.pairs) == 0 {
			t.Errorf("row %q is there twice, or has no pairs", r.key)
		}
		byKey[r.key] = r
	}
	called := calledInRows(t)
	page := pageRows(t)
	for _, p := range page {
		seen[p.key], seen[p.section] = true, true
		r, runs := byKey[p.key]
		switch why := cmp.Or(reasons[p.key], reasons[p.section]); {
		case runs == (why != ""):
			t.Errorf("row %q of docs/rosetta.md has neither pairs here nor a reason in notRun, or both", p.key)
		case runs:
			checkNames(t, p, r, called[p.key])
		}
	}
	if len(page) < 150 {
		t.Errorf("the page has only %d rows", len(page))
	}
	for _, r := range rows {
		if !seen[r.key] {
			t.Errorf("docs/rosetta.md has no row %q", r.key)
		}
	}
	for k := range reasons {
		if !seen[k] {
			t.Errorf("docs/rosetta.md has no row %q, which notRun lists", k)
		}
	}
}

var (
	goName     = regexp.MustCompile(`\b[a-zA-Z]\w*\.([A-Z]\w*)`)
	code       = regexp.MustCompile("`([^`]*)`")
	pythonName = regexp.MustCompile(`^[A-Za-z_]\w*(?:\.\w+)*$`)
)

// checkNames wants the pairs of a row to call what its cells name.
func checkNames(t *testing.T, p pageRow, r row, called map[string]bool) {
	for _, m := range goName.FindAllStringSubmatch(p.ours, -1) {
		if !called[m[1]] {
			t.Errorf("row %q names %s, which no pair calls", p.key, m[0])
		}
	}
	var python []string
	for _, x := range r.pairs {
		python = append(python, x.py)
	}
	all := strings.Join(python, "\n")
	for _, m := range code.FindAllStringSubmatch(p.python, -1) {
		name, _, _ := strings.Cut(m[1], "(")
		if !pythonName.MatchString(name) {
			continue
		}
		last := name[strings.LastIndexByte(name, '.')+1:]
		if !regexp.MustCompile(`(\b|_)` + last + `\b`).MatchString(all) {
			t.Errorf("row %q names %s, which no pair calls", p.key, name)
		}
	}
}

// calledInRows returns the selectors in the Go code of each row.
func calledInRows(t *testing.T) map[string]map[string]bool {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || len(lit.Elts) != 2 {
				return true
			}
			text, ok := textOf(lit.Elts[0])
			pairs, isList := lit.Elts[1].(*ast.CompositeLit)
			if !ok || !isList {
				return true
			}
			names := map[string]bool{}
			ast.Inspect(pairs, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					names[s.Sel.Name] = true
				}
				return true
			})
			out[text] = names
			return false
		})
	}
	return out
}

// textOf returns a constant text.
func textOf(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BinaryExpr:
		a, ok := textOf(x.X)
		b, ok2 := textOf(x.Y)
		return a + b, ok && ok2
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil && x.Kind == token.STRING
	}
	return "", false
}

// TestGoSides runs what needs no Python: the expressions of Go.
func TestGoSides(t *testing.T) {
	for _, r := range rows {
		for i, p := range r.pairs {
			if _, err := valuesOf(p.nx); err != nil {
				t.Errorf("%s, pair %d: %v", r.key, i, err)
			}
		}
	}
}

func nameOf(r row, i int) string { return fmt.Sprintf("%s: %s", r.key, r.pairs[i].py) }
