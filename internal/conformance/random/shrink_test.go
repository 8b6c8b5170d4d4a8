package random_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/internal/conformance/random"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// keep makes a program that fails smaller and writes it into testdata/found.
func keep(t *testing.T, c checkOf, m *stablehlo.Module, seed uint64) {
	try := func(m *stablehlo.Module) error {
		err := c.run(m, random.Arguments(m, seed))
		if c.refuses(err) {
			return nil
		}
		return err
	}
	if try(m) == nil { // it took too long while others kept the processors busy
		t.Logf("%s of seed %d does not fail again", c.name, seed)
		return
	}
	small := shrink(m, try, time.Now().Add(time.Minute))
	failure := try(small)
	if failure == nil {
		small, failure = m, try(m)
	}
	why, _, _ := strings.Cut(fmt.Sprint(failure), "\n")
	path := filepath.Join("testdata", "found", fmt.Sprintf("%s_%d.mlir", c.name, seed))
	text := fmt.Sprintf("// seed %d: %s: %s\n%s", seed, c.name, why, small)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Error(err)
	}
	t.Logf("%s:\n%s", path, kit.Clip(text, 4000))
}

// shrink returns a smaller program that fails in the same way, without the results, ops, arguments, and sizes
// of dimensions that it does not need.
func shrink(m *stablehlo.Module, try func(m *stablehlo.Module) error, end time.Time) *stablehlo.Module {
	s := &shrinking{m, try, kindOf(try(m)), end}
	for changed := true; changed; {
		changed = s.results() || s.ops() || s.arguments() || s.sizes()
	}
	return s.m
}

type shrinking struct {
	m    *stablehlo.Module
	try  func(m *stablehlo.Module) error
	kind string
	end  time.Time
}

// kindOf returns the first word of an error: where it came from.
func kindOf(err error) string {
	if err == nil {
		return ""
	}
	return strings.Fields(err.Error())[0]
}

// accept takes a program if it is valid and fails.
func (s *shrinking) accept(m *stablehlo.Module) bool {
	if time.Now().After(s.end) || m.Verify() != nil || kindOf(s.try(m)) != s.kind {
		return false
	}
	s.m = m
	return true
}

// edit applies a change to a copy of the program, and removes unused parts.
func (s *shrinking) edit(change func(f stablehlo.Func) bool) bool {
	m := s.m.Clone()
	f, _ := m.Func("main")
	if !change(f) {
		return false
	}
	simplify.DeadCode(f.Body(), f.Effects())
	ret := f.Body().Terminator()
	t := &stablehlo.FuncType{}
	for _, a := range f.Args() {
		t.Ins = append(t.Ins, a.Type())
	}
	for _, v := range ret.Operands {
		t.Outs = append(t.Outs, v.Type())
	}
	f.SetAttr("function_type", stablehlo.TypeAttr{Type: t})
	return s.accept(m)
}

// results keeps one result.
func (s *shrinking) results() bool {
	f, _ := s.m.Func("main")
	n := len(f.Body().Terminator().Operands)
	if n == 1 {
		return false
	}
	for i := range n {
		if s.edit(func(f stablehlo.Func) bool {
			ret := f.Body().Terminator()
			ret.Operands = ret.Operands[i : i+1]
			return true
		}) {
			return true
		}
	}
	return false
}

// ops replaces results of ops, the last ones first: by an operand, by an argument of
// the function and by a constant.
func (s *shrinking) ops() bool {
	changed := false
	for n := len(s.list()) - 1; n >= 0; n-- {
		list := s.list()
		if n >= len(list) {
			continue
		}
		for i := range list[n].Results {
			for way := range len(list[n].Operands) + 3 {
				if s.edit(func(f stablehlo.Func) bool { return replace(f, opsOf(f)[n], i, way) }) {
					changed = true
					break
				}
			}
			if n >= len(s.list()) || i+1 >= len(s.list()[n].Results) {
				break
			}
		}
	}
	return changed
}

func (s *shrinking) list() []*stablehlo.Op {
	f, _ := s.m.Func("main")
	return opsOf(f)
}

// opsOf returns the ops of a function with those in their regions.
func opsOf(f stablehlo.Func) []*stablehlo.Op {
	ops := slices.Collect(f.Walk())
	return ops[1:] // but the function
}

// replace replaces a result of an op in one of the ways there are.
func replace(f stablehlo.Func, op *stablehlo.Op, i, way int) bool {
	from := op.Results[i]
	if op.Code == stablehlo.OpConstant || from.Tensor() == nil {
		return false
	}
	var to *stablehlo.Value
	switch k := way - len(op.Operands); {
	case k < 0:
		if to = op.Operands[way]; !stablehlo.SameType(to.Type(), from.Type()) {
			return false
		}
	case k == 0:
		to = f.Body().AddArg(from.Type())
	default:
		a, err := stablehlo.Full(from.Tensor(), float64(k))
		if err != nil {
			return false
		}
		c := stablehlo.NewOp(stablehlo.OpConstant, nil, []stablehlo.Type{a.Type}, stablehlo.Named("value", a))
		b := op.Block()
		b.SetOps(slices.Insert(slices.Clone(b.Ops), slices.Index(b.Ops, op), c))
		to = c.Result()
	}
	f.Replace(map[*stablehlo.Value]*stablehlo.Value{from: to})
	return true
}

// arguments drops unused arguments.
func (s *shrinking) arguments() bool {
	changed := false
	f, _ := s.m.Func("main")
	for i := len(f.Args()) - 1; i >= 0; i-- {
		changed = s.edit(func(f stablehlo.Func) bool {
			a := f.Args()[i]
			for op := range f.Walk() {
				if slices.Contains(op.Operands, a) {
					return false
				}
			}
			f.Body().DropArgs(func(v *stablehlo.Value) bool { return v == a })
			return true
		}) || changed
	}
	return changed
}

// sizes makes numbers of the text smaller, each with its multiples: those of
// dimensions that belong together.
func (s *shrinking) sizes() bool {
	text := s.m.String()
	seen := map[int64]bool{}
	eachNumber(text, func(n int64) int64 { seen[n] = true; return n })
	var list []int64
	for n := range seen {
		if n > 1 {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	for _, n := range list {
		for _, to := range []int64{1, 2, n / 2, n - 1} {
			if to < 1 || to >= n {
				continue
			}
			smaller := eachNumber(text, func(v int64) int64 {
				if v%n == 0 {
					return v / n * to
				}
				return v
			})
			if m, err := stablehlo.Parse("", []byte(smaller)); err == nil && s.accept(m) {
				m.Source = nil
				return true
			}
		}
	}
	return false
}

// eachNumber replaces the integers of a text that are sizes, indices and so on, but not parts of names and of
// floats.
func eachNumber(text string, f func(n int64) int64) string {
	var out strings.Builder
	isDigit := func(c byte) bool { return c >= '0' && c <= '9' }
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && isDigit(text[j]) {
			j++
		}
		if j == i {
			out.WriteByte(text[i])
			i++
			continue
		}
		n, err := strconv.ParseInt(text[i:j], 10, 64)
		before := i == 0 || strings.IndexByte(" <[(,:", text[i-1]) >= 0 || text[i-1] == 'x' && i > 1 &&
			isDigit(text[i-2])
		after := j == len(text) || strings.IndexByte(" x>]),:\n", text[j]) >= 0
		if err == nil && before && after {
			n = f(n)
			out.WriteString(strconv.FormatInt(n, 10))
		} else {
			out.WriteString(text[i:j])
		}
		i = j
	}
	return out.String()
}
