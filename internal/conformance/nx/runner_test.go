package nx_test

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/testkit"
)

// floor is the share of recorded calls that must pass or differ by a rule.
const floor = 0.99

// TestNx makes the recorded calls of Nx. NX_VECTORS names another folder of them,
// NX_BACKEND another client than cpu; both are read when the test starts.
func TestNx(t *testing.T) {
	dir := os.Getenv("NX_VECTORS")
	if dir == "" {
		dir = testkit.Shared(t, "conformance/nx")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no recorded calls in %s (%v)", dir, err)
	}
	var n tally
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			n.add(t, lines.Bytes())
		}
		if err := lines.Err(); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	n.report(t)
}

// tally counts the outcomes of the calls.
type tally struct {
	passed, failed, crashed int
	rules                   map[string]int
	missing                 map[string]int // functions that there are not, with the number of their calls
}

func (n *tally) differ() int {
	sum := 0
	for _, k := range n.rules {
		sum += k
	}
	return sum
}

// add makes one call and counts it; what failed is printed.
func (n *tally) add(t *testing.T, line []byte) {
	if n.rules == nil {
		n.rules, n.missing = map[string]int{}, map[string]int{}
	}
	c, err := decodeCall(line)
	if errors.Is(err, nx.ErrNames) {
		n.rules[refusedRule.name]++
		return
	}
	if err != nil {
		n.failed++
		t.Logf("FAIL %.120s…: the call cannot be read: %v", line, err)
		return
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(c.Fn, "Nx."), "/")
	f := nxCalls[name]
	if f == nil {
		n.failed++
		n.missing[name]++
		return
	}
	got, err := c.run(f)
	rule, why := c.judge(got, err)
	switch {
	case rule != "":
		n.rules[rule]++
	case why == "":
		n.passed++
	default:
		n.failed++
		var crash *crashed
		if errors.As(err, &crash) {
			n.crashed++
			why = "CRASH " + why
		}
		t.Logf("FAIL %s: %s\n  call     %s\n  expected %s\n  got      %s", c.ID, why, c.text(), oneLine(c.expected()),
			oneLine(show(got, err)))
	}
}

func (n *tally) report(t *testing.T) {
	for _, name := range slices.SortedFunc(maps.Keys(n.missing),
		func(a, b string) int { return cmp.Compare(n.missing[b], n.missing[a]) }) {
		t.Logf("FAIL %d calls of %s: there is no such function", n.missing[name], name)
	}
	for _, r := range nxRules {
		if k := n.rules[r.name]; k > 0 {
			t.Logf("%6d differ by rule %q: %s", k, r.name, r.reason)
		}
	}
	total := n.passed + n.failed + n.differ()
	if n.crashed > 0 {
		t.Errorf("%d calls crashed", n.crashed)
	}
	if ok := float64(n.passed+n.differ()) / float64(max(total, 1)); ok < floor {
		t.Errorf("%.2f %% of the calls passed or differ by rule, the floor is %.0f %%", 100*ok, 100*floor)
	}
	backend := cmp.Or(os.Getenv("NX_BACKEND"), "cpu")
	t.Logf("nx-vectors %s: %d passed, %d failed, %d differ by rule", backend, n.passed, n.failed, n.differ())
}

// crashed is a panic that is no *nx.Error.
type crashed struct {
	value any
	stack []byte
}

func (c *crashed) Error() string { return fmt.Sprintf("panic: %v\n%s", c.value, c.stack) }

// refused is a call that does not compile in Go: an option or an operand that the
// function does not take.
type refused struct{ what string }

func (r *refused) Error() string { return "it does not compile in Go: " + r.what }

func refuse(format string, args ...any) { panic(&refused{fmt.Sprintf(format, args...)}) }

// run makes the call.
func (c *recorded) run(f func(*recorded) any) (result any, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *refused:
			err = r
		case *nx.Error:
			err = r
		default:
			err = &crashed{r, debug.Stack()}
		}
	}()
	return f(c), nil
}

// judge reports by which rule the outcome differs from the recorded one, or why it is wrong.
func (c *recorded) judge(got any, err error) (rule, why string) {
	var typed *nx.Error
	var compiler *refused
	switch {
	case c.Raises != "" && errors.As(err, &typed):
		return "", ""
	case c.Raises != "" && errors.As(err, &compiler):
		return "compiler", ""
	case err != nil:
		if r := slices.IndexFunc(nxRules, func(r nxRule) bool {
			return r.refuses != nil &&
				r.refuses(c, err)
		}); r >= 0 {
			return nxRules[r].name, ""
		}
		return "", err.Error()
	case c.Raises == "" && factorisations[c.name()] != nil:
		w, _ := c.Result.(tuple)
		g, _ := got.(tuple)
		if why = sameTypes(w, g); why == "" {
			why = factorisations[c.name()](c, w, g)
		}
		if lower, ok := c.lowerOnly(); ok && why != "" {
			w = tuple{g[0], g[1]} // what Nx has is of no use
			return triangleRule.name, factorisations[c.name()](lower, w, g)
		}
		return "", why
	case c.Raises == "":
		if why = compareValues(c.Result, got, c.tolerance()); why == "" {
			return "", ""
		}
	default:
		why = "Nx raises " + c.Raises
	}
	if c.Raises == "" {
		if rule := c.explain(c.Result, got, c.tolerance(), 3, nil); rule != "" {
			return rule, ""
		}
		return "", why
	}
	for _, r := range nxRules {
		if r.accepts != nil && r.accepts(c, got) {
			return r.name, ""
		}
	}
	return "", why
}

// explain returns the first of at most n rules that together, each of them once, map a result to the expected
// one, or "".
func (c *recorded) explain(want, got any, tol tolerance, n int, used []string) string {
	for _, r := range nxRules {
		if slices.Contains(used, r.name) {
			continue
		}
		w, g, ok := c.mapped(r, want, got)
		if !ok {
			continue
		}
		wider := tolerance{max(tol.ulps, r.tol.ulps), max(tol.rel, r.tol.rel), max(tol.abs, r.tol.abs)}
		if compareValues(w, g, wider) == "" {
			return r.name
		}
		if n > 1 && c.explain(w, g, wider, n-1, append(slices.Clone(used), r.name)) != "" {
			return r.name
		}
	}
	return ""
}

// mapped applies a rule to a result. A rule that itself fails does not apply.
func (c *recorded) mapped(r nxRule, want, got any) (w, g any, ok bool) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *nx.Error, *refused:
			ok = false
		default:
			panic(e)
		}
	}()
	return mapped(c, r, want, got)
}

// mapped applies a rule to every tensor of a result.
func mapped(c *recorded, r nxRule, want, got any) (w, g any, ok bool) {
	if t, isTensor := want.(nx.Tensor); isTensor {
		u, isTensor := got.(nx.Tensor)
		if !isTensor {
			return r.mapsOther(c, want, got)
		}
		return r.mapsTensor(c, t, u)
	}
	var list []any
	switch v := want.(type) {
	case tuple:
		list = v
	case []any:
		list = v
	case stream:
		list = v
	default:
		return r.mapsOther(c, want, got)
	}
	have, isTuple := got.(tuple)
	if l, isList := got.([]any); isList {
		have, isTuple = l, true
	}
	if l, isStream := got.(stream); isStream {
		have, isTuple = tuple(l), true
	}
	if !isTuple || len(have) != len(list) {
		return nil, nil, false
	}
	var ws, gs []any
	for i := range list {
		if compareValues(list[i], have[i], c.tolerance()) == "" {
			ws, gs = append(ws, list[i]), append(gs, have[i])
			continue
		}
		x, y, fits := mapped(c, r, list[i], have[i])
		if !fits {
			return nil, nil, false
		}
		ws, gs = append(ws, x), append(gs, y)
	}
	return ws, gs, true
}

func (c *recorded) text() string {
	var b strings.Builder
	for _, a := range c.Args {
		fmt.Fprintf(&b, ", %s", oneLine(show(a, nil)))
	}
	for _, o := range c.Opts {
		fmt.Fprintf(&b, ", %s: %s", o.key, oneLine(show(o.value, nil)))
	}
	return c.Fn + "(" + strings.TrimPrefix(b.String(), ", ") + ")"
}

func (c *recorded) expected() string {
	if c.Raises != "" {
		return "raises " + c.Raises
	}
	return show(c.Result, nil)
}

func show(v any, err error) string {
	if err != nil {
		return err.Error()
	}
	switch v := v.(type) {
	case nx.Tensor:
		return fmt.Sprint(v)
	case tuple:
		return showList("{", v, "}")
	case []any:
		return showList("[", v, "]")
	case stream:
		return showList("stream[", v, "]")
	}
	return fmt.Sprint(v)
}

func showList(open string, list []any, end string) string {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = show(x, nil)
	}
	return open + strings.Join(parts, ", ") + end
}

// oneLine shortens a text to a line.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + "…"
	}
	return s
}
