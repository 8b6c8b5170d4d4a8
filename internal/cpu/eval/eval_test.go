package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit"
)

// The meaning of operations: a kernel, the values of its parameters ("p0 = 1 2"; missing ones are zeros), and what it
// stores.
func TestMeaning(t *testing.T) {
	used := map[kernel.Op]bool{}
	testkit.Golden(t, "testdata/meaning.txt", func(t *testing.T, _, in string) string {
		text, values, _ := strings.Cut(in, "\np0 =")
		values = "p0 =" + values
		k, err := kernel.Parse(text)
		if err == nil {
			err = k.Verify()
		}
		if err != nil {
			t.Fatal(err)
		}
		params := make([][]byte, len(k.Params))
		for i, p := range k.Params {
			params[i] = make([]byte, p.Elems*int64(p.Type.Size()))
			for line := range strings.Lines(values) {
				if numbers, ok := strings.CutPrefix(line, fmt.Sprintf("p%d =", i)); ok {
					mem, err := eval.Parse(p.Type, numbers)
					if err != nil || len(mem) != len(params[i]) {
						t.Fatalf("%s: %v", line, err)
					}
					params[i] = mem
				}
			}
		}
		pl := plan.Of(k)
		if err := pl.Check(k); err != nil {
			t.Fatalf("%v\n%s", err, pl)
		}
		if err := eval.Run(k, pl, params, eval.Options{Flush: strings.Contains(values, "flush")}); err != nil {
			t.Fatal(err)
		}
		for i := range k.Body.Instrs {
			used[k.Body.Instrs[i].Op] = true
		}
		for i := range k.Reduces {
			for j := range k.Reduces[i].Combine.Instrs {
				used[k.Reduces[i].Combine.Instrs[j].Op] = true
			}
		}
		var out strings.Builder
		stored := func(p int) {
			fmt.Fprintf(&out, "p%d = %s\n", p, eval.Format(k.Params[p].Type, params[p]))
		}
		for i := range k.Stores {
			stored(k.Stores[i].At.Param)
		}
		for i := range k.Reduces {
			for j := range k.Reduces[i].At {
				stored(k.Reduces[i].At[j].Param)
			}
		}
		return out.String()
	})
	for op := range kernel.Ops() {
		if !used[op] {
			t.Errorf("no case has a %s", op)
		}
	}
}
