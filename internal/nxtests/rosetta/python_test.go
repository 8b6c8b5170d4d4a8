package rosetta_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"github.com/go-nx/nx"
)

var python = flag.String("python", "", "a Python with numpy, scipy, jax, flax and optax, as .ci/long rosetta makes")

// value is what an expression gives, in the form in which Python tells it: numbers as text, so that NaN and infinities
// are among them, complex ones as two.
type value struct {
	Kind  string // b, i, f, c, or s for a text
	Shape []int
	Data  []string

	narrow bool // of type f32, c64 or narrower
}

// valuesOf runs an expression of Go.
func valuesOf(f func() any) (out []value, err error) {
	defer nx.Catch(&err)
	var add func(x any)
	add = func(x any) {
		switch x := x.(type) {
		case nx.Tensor:
			out = append(out, valueOf(x))
		case []nx.Tensor:
			for _, t := range x {
				add(t)
			}
		case []any:
			for _, y := range x {
				add(y)
			}
		case string:
			out = append(out, value{Kind: "s", Data: []string{x}})
		default:
			add(nx.New(x))
		}
	}
	add(f())
	return out, nil
}

func valueOf(t nx.Tensor) value {
	d := t.DType()
	v := value{Kind: "f", Shape: slices.Clone(t.Shape()), Data: []string{}, narrow: d.Real().Bits() < 64}
	switch {
	case d == nx.Bool:
		v.Kind = "b"
	case d.IsInteger():
		v.Kind = "i"
	case d.IsComplex():
		v.Kind = "c"
		for _, z := range nx.Data[complex128](nx.Cast(t, nx.C128)) {
			v.Data = append(v.Data, fmt.Sprint(real(z)), fmt.Sprint(imag(z)))
		}
		return v
	}
	for _, x := range nx.Data[float64](nx.Cast(t, nx.F64)) {
		v.Data = append(v.Data, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return v
}

// TestAgainstPython compares all pairs with what Python gives, -python given.
func TestAgainstPython(t *testing.T) {
	if *python == "" {
		t.Skip("-python names no Python")
	}
	request := struct {
		Operands    map[string]value
		Types       map[string]string
		Folder      string
		Expressions []string
	}{Operands: map[string]value{}, Types: map[string]string{}, Folder: folder}
	for name, x := range operands {
		request.Operands[name], request.Types[name] = valueOf(x), numpyTypes[x.DType()]
	}
	var ours [][]value
	var names []string
	for _, r := range rows {
		for i, p := range r.pairs {
			v, err := valuesOf(p.nx)
			if err != nil {
				t.Errorf("%s: %v", nameOf(r, i), err)
			}
			ours, names = append(ours, v), append(names, nameOf(r, i))
			request.Expressions = append(request.Expressions, p.py)
		}
	}
	in, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(*python, "testdata/rosetta.py")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var theirs []struct {
		Error  string
		Values []value
	}
	if err := json.Unmarshal(text, &theirs); err != nil || len(theirs) != len(ours) {
		t.Fatalf("%d results of %d expressions (%v)", len(theirs), len(ours), err)
	}
	for i, r := range theirs {
		if r.Error != "" {
			t.Errorf("%s: Python says %s", names[i], r.Error)
		} else if why := differ(ours[i], r.Values); why != "" {
			t.Errorf("%s: %s\n\tnx\t%v\n\tPython\t%v", names[i], why, ours[i], r.Values)
		}
	}
	t.Logf("%d rows with %d pairs ran", len(rows), len(ours))
}

// differ says in what two results differ.
func differ(got, want []value) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d results, not %d", len(got), len(want))
	}
	for i, g := range got {
		w := want[i]
		switch {
		case g.Kind != w.Kind:
			return fmt.Sprintf("result %d has elements of kind %s, not %s", i, g.Kind, w.Kind)
		case g.Kind == "s":
			if g.Data[0] != w.Data[0] {
				return "the texts differ"
			}
			continue
		case !slices.Equal(g.Shape, w.Shape) || len(g.Data) != len(w.Data):
			return fmt.Sprintf("result %d has shape %v, not %v", i, g.Shape, w.Shape)
		}
		for j := range g.Data {
			if !near(g.Data[j], w.Data[j], g.narrow) {
				return fmt.Sprintf("element %d of result %d is %s, not %s", j, i, g.Data[j], w.Data[j])
			}
		}
	}
	return ""
}

func near(a, b string, narrow bool) bool {
	tolerance := 1e-9
	if narrow {
		tolerance = 2e-6
	}
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err != nil || err2 != nil {
		return false
	}
	return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= tolerance*(1+math.Abs(y))
}
