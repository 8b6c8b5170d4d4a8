package nan_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

// underVariable are calls in a process with NX_NAN=1, with what their errors begin with, "" for no error.
var underVariable = []struct {
	name, want string
	f          func(x nx.Tensor)
}{
	{"an op", "Log: the result has a NaN, which comes from log at environment_variable_test.go", func(x nx.Tensor) { nx.Log(x) }},
	{"an op a second time", "Log: the result has a NaN", func(x nx.Tensor) { nx.Log(x) }},
	{"an op with a number", "Pow: the result has a NaN", func(x nx.Tensor) { nx.Pow(x, 0.5) }},
	{"a gradient", "Grad: result 0, result 1 have a NaN, which comes from log at environment_variable_test.go", func(x nx.Tensor) {
		nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(x, nx.Log(x))) })(x)
	}},
	{"a loop", "Fori: the result has a NaN, which comes from sqrt at environment_variable_test.go", func(x nx.Tensor) {
		nx.Fori(3, nx.Abs(x), func(_, x nx.Tensor) nx.Tensor { return nx.Sqrt(nx.Sub(x, 1)) })
	}},
	{"a compiled function", "Jit: the result has a NaN, which comes from log", func(x nx.Tensor) {
		nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Log(x) })(x)
	}},
	{"a function that is not compiled", "Log: the result has a NaN", func(x nx.Tensor) {
		nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Log(x) }, nx.Evaluate)(x)
	}},
	{"finite", "", func(x nx.Tensor) { nx.Exp(x) }},
	{"infinite", "", func(x nx.Tensor) { nx.Div(x, 0) }},
	{"a constant", "", func(nx.Tensor) { nx.Data[float64](nx.Full(nx.Shape{2}, math.NaN(), nx.F64)) }},
	{"passed on", "", func(x nx.Tensor) {
		nan := nx.Add(nx.New([]float64{1, math.NaN()}), 1)
		_ = fmt.Sprint(nan, nx.Mean(nan, nx.SkipNaN), nx.Where(nx.IsNaN(nan), 0, nan))
	}},
	{"passed on by a compiled function", "Jit: the result has a NaN, which comes from the argument", func(x nx.Tensor) {
		nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Neg(x) })(nx.New(math.NaN()))
	}},
}

// TestVariable runs itself with NX_NAN.
func TestVariable(t *testing.T) {
	const variable = "NX_NAN"
	if os.Getenv("NX_TEST_NAN") != "" {
		for _, c := range underVariable {
			err := fmt.Sprint(caught(func() { c.f(row(4, -1)) }))
			_, err, _ = strings.Cut(err+"\n", ": ")
			fmt.Printf("%s: %s\n", c.name, strings.Split(err, "\n")[0])
		}
		return
	}
	run := func(value string) string {
		cmd := exec.Command(os.Args[0], "-test.run=^TestVariable$")
		cmd.Env = append(os.Environ(), "NX_TEST_NAN=1", variable+"="+value)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s=%s: %v\n%s", variable, value, err, out)
		}
		return string(out)
	}
	set, unset, wrong := run("1"), run("0"), run("yes")
	for _, c := range underVariable {
		if !strings.Contains(set, c.name+": "+c.want) || c.want == "" && !strings.Contains(set, c.name+": \n") {
			t.Errorf("%s, want %s, in\n%s", c.name, c.want, set)
		}
		if !strings.Contains(unset, c.name+": \n") || !strings.Contains(wrong, c.name+": \n") {
			t.Errorf("%s, want no error, in\n%s%s", c.name, unset, wrong)
		}
	}
	if !strings.Contains(wrong, "NX_NAN is ignored") || !strings.Contains(wrong, `it must be 1, got \"yes\"`) {
		t.Errorf("an invalid value is not reported:\n%s", wrong)
	}
	if strings.Contains(unset, "ignored") {
		t.Errorf("0 is reported:\n%s", unset)
	}
}
