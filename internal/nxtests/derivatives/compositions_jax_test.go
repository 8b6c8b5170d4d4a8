package derivatives_test

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

var composed = flag.Int("names", 0, "print this number of compositions for testdata/compositions.py")

// TestCompositionsOfJAX compares compositions of transformations and control flow with what JAX computes:
// values, gradients, Hessian-vector products, and the second gradient of a batch. testdata/compositions.py
// writes the numbers.
func TestCompositionsOfJAX(t *testing.T) {
	if *composed > 0 {
		printNames(*composed)
		return
	}
	file, err := os.Open("testdata/compositions.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	x, v := nx.New([]float64{0.5, -1.2, 2}), nx.New([]float64{0.3, -0.7, 0.2})
	lines := bufio.NewScanner(file)
	n := 0
	for ; lines.Scan() && (n < 12 || !testing.Short()); n++ {
		name, numbers, _ := strings.Cut(lines.Text(), ": ")
		t.Run(name, func(t *testing.T) {
			f := composition(t, name)
			grad := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(f(x), nx.New([]float64{1, 2, 3}))) })
			_, hvp := nx.JVP(grad, x, v)
			batch := nx.Vmap(grad)(nx.Stack([]nx.Tensor{x, nx.Mul(0.3, x)})).At(1)
			got := nx.Data[float64](nx.Concatenate([]nx.Tensor{f(x), grad(x), hvp, batch}))
			for i, text := range strings.Fields(numbers) {
				want, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				if !(math.Abs(got[i]-want) <= 1e-10*max(1, math.Abs(want))) {
					what := [4]string{"value", "gradient", "Hessian-vector product", "gradient in a batch"}[i/3]
					t.Errorf("element %d of the %s is %v, JAX has %v", i%3, what, got[i], want)
				}
			}
		})
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatalf("%d compositions read: %v", n, err)
	}
}

// printNames prints the names of random compositions, each once.
func printNames(n int) {
	rng := rand.New(rand.NewPCG(10, 35))
	for seen := map[string]bool{}; len(seen) < n; {
		name, _ := compose(rng)
		if !seen[name] {
			fmt.Println(name)
		}
		seen[name] = true
	}
}

// composition returns the function that a name of compose says.
func composition(t *testing.T, name string) vector {
	if f := innermost[name]; f != nil {
		return f
	}
	outer := ""
	for a := range around {
		if strings.HasPrefix(name, a+" of ") && len(a) > len(outer) {
			outer = a
		}
	}
	if outer == "" {
		t.Fatalf("no composition is called %q", name)
	}
	return around[outer](composition(t, strings.TrimPrefix(name, outer+" of ")))
}
