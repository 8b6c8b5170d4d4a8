package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
)

// TestBounds measures a sample of the command's measurements.
func TestBounds(t *testing.T) {
	step, n := uint64(1_000_003), 20_000
	if testing.Short() {
		step, n = 10_000_019, 2_000
	}
	var out bytes.Buffer
	rows, ok := measure(&out, regexp.MustCompile(""), step, n)
	if !ok {
		t.Errorf("errors above what comments state:\n%s", out.String())
	}
	for _, r := range rows {
		for i, w := range r.worst {
			if w.count < 200 {
				t.Errorf("%s was measured on %d numbers of type %v", r.name, w.count, types[i])
			}
		}
	}
}

func TestUlps(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		d               dtype.Type
		got, want, ulps float64
	}{
		{dtype.F32, 1, 1, 0}, {dtype.F32, 1, 1 + 0x1p-24, 0.5}, {dtype.F32, 1, 1 - 0x1p-24, 1},
		{dtype.F32, -8, -8 - 0x1p-19, 2},
		{dtype.F32, 0x1p-149, 0, 1}, {dtype.F32, inf, 0x1p128 - 0x1p103, 0.5}, {dtype.F32, 0x1.fffffep127, inf, 1},
		{dtype.F32, 0x1.fffffep127, 1e300, 1}, {dtype.F32, inf, inf, 0}, {dtype.F32, -inf, inf, 0x1p25},
		{dtype.F64, 1, 1 + 0x1p-52, 1}, {dtype.F64, math.MaxFloat64, inf, 1}, {dtype.F64, inf, math.MaxFloat64, 1},
		{dtype.F64, 0, 3 * 0x1p-1074, 3}, {dtype.F16, 1, 1 + 0x1p-10, 1}, {dtype.BF16, 2, 2 + 0x1p-7, 0.5},
		{dtype.F32, nan, nan, 0}, {dtype.F32, nan, 1, inf}, {dtype.F32, 1, nan, inf},
		{dtype.F32, 0, math.Copysign(0, -1), inf},
	} {
		if got := ulps(c.d, c.got, c.want); got != c.ulps {
			t.Errorf("ulps(%v, %v, %v) = %v, want %v", c.d, c.got, c.want, got, c.ulps)
		}
	}
}

// TestComments compares the bounds with those that comments of package nx state.
func TestComments(t *testing.T) {
	docs := map[string]string{}
	files, err := filepath.Glob("../../../*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Doc != nil && f.Recv == nil {
				docs[f.Name.Name] = strings.Join(strings.Fields(f.Doc.Text()), " ")
			}
		}
	}
	check := func(name string, b bounds, near bool) {
		if strings.HasPrefix(name, "chlo.") {
			return
		}
		want := fmt.Sprintf("Accuracy: %v", b)
		if near {
			want += ", or 1e-7 (f64: 1e-14) near a zero"
		}
		if !strings.Contains(docs[name], want+".") && !strings.Contains(docs[name], want+";") {
			t.Errorf("the comment of %s does not say %q: %s", name, want, docs[name])
		}
	}
	for _, f := range functions {
		check(f.name, f.bounds, f.near)
	}
	for _, p := range pairs {
		check(p.name, p.bounds, p.near)
	}
}

// TestPage checks that the table of docs/accuracy.md has a row for each function, in order and within the
// bounds, and that a table is written to the given file.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range functions {
		names = append(names, f.name+"/"+f.bounds.String())
	}
	for _, p := range pairs {
		names = append(names, p.name+"/"+p.bounds.String())
	}
	var got []string
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != len(types)+4 {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[1] == "function" || strings.HasPrefix(cells[1], "---") {
			continue
		}
		name := cells[1] + "/" + cells[len(cells)-2]
		got = append(got, name)
		for i, d := range types {
			u, err := strconv.ParseFloat(strings.TrimSuffix(cells[2+i], "*"), 64)
			if b := boundsOf(cells[1]); err != nil || u > b.of(d)+0.01 {
				t.Errorf("%s in %v: %q is above %v", name, d, cells[2+i], b.of(d))
			}
		}
	}
	if a, b := strings.Join(got, "\n"), strings.Join(names, "\n"); a != b {
		t.Errorf("the rows are\n%s\n\nnot\n%s", a, b)
	}
	copied := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(copied, page, 0o644); err != nil {
		t.Fatal(err)
	}
	rows := []row{{"Exp", bounds{1, 2, 1}, []worst{{ulp: 0.5}, {ulp: 1}, {ulp: 0.501}, {}}, true}}
	if err := write(copied, rows); err != nil {
		t.Fatal(err)
	}
	out, _ := os.ReadFile(copied)
	before, after := strings.Split(string(page), "\n"), strings.Split(string(out), "\n")
	if len(before) != len(after) {
		t.Fatalf("written: %s", out)
	}
	for i, line := range after {
		switch {
		case !strings.HasPrefix(line, "| Exp |"):
			if line != before[i] {
				t.Errorf("line %d was %q and is %q", i, before[i], line)
			}
		case line != "| Exp | 0.50* | 1.00 | 0.51 | 0.00 | ≤ 1 ulp, in f64 ≤ 2 |":
			t.Errorf("written: %s", line)
		}
	}
}

func boundsOf(name string) bounds {
	for _, f := range functions {
		if f.name == name {
			return f.bounds
		}
	}
	for _, p := range pairs {
		if p.name == name {
			return p.bounds
		}
	}
	return bounds{}
}
