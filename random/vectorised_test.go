package random_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// draws are calls of every function of a key and of parameters p, four numbers in (0, 1). What
// follows a blank reports which call of a function it is.
var draws = map[string]func(key, p nx.Tensor) nx.Tensor{}

func init() {
	type fn = func(key, p nx.Tensor) nx.Tensor
	s, none := nx.Shape{2, 4}, nx.Tensor{}
	m := nx.Reshape(nx.Iota(nx.Shape{12}, nx.F32), 4, 3)
	for name, f := range map[string]func(key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor{
		"Cauchy": random.Cauchy, "Exponential": random.Exponential, "Gumbel": random.Gumbel, "Laplace": random.Laplace,
		"Logistic": random.Logistic, "Maxwell": random.Maxwell,
	} {
		draws[name] = func(key, _ nx.Tensor) nx.Tensor { return f(key, s, nx.F32) }
	}
	for name, f := range map[string]func(key, p nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor{
		"ChiSquare": random.ChiSquare[nx.Tensor], "Dirichlet": random.Dirichlet, "Gamma": random.Gamma[nx.Tensor],
		"GeneralizedNormal": random.GeneralizedNormal[nx.Tensor], "LogGamma": random.LogGamma[nx.Tensor],
		"Pareto": random.Pareto[nx.Tensor], "Rayleigh": random.Rayleigh[nx.Tensor],
		"StudentT": random.StudentT[nx.Tensor], "Wald": random.Wald[nx.Tensor],
	} {
		draws[name] = func(key, p nx.Tensor) nx.Tensor { return f(key, p, s, nx.F32) }
	}
	for name, f := range map[string]fn{
		"Ball":      func(key, _ nx.Tensor) nx.Tensor { return random.Ball(key, 3, 2, s, nx.F32) },
		"Bernoulli": func(key, p nx.Tensor) nx.Tensor { return random.Bernoulli(key, p, s) },
		"Beta a":    func(key, p nx.Tensor) nx.Tensor { return random.Beta(key, p, 2, s, nx.F32) },
		"Beta b":    func(key, p nx.Tensor) nx.Tensor { return random.Beta(key, 2, p, s, nx.F32) },
		"Binomial count": func(key,
			p nx.Tensor) nx.Tensor {
			return random.Binomial(key, nx.Mul(p, 40), 0.5, s, nx.S32)
		},
		"Binomial p":          func(key, p nx.Tensor) nx.Tensor { return random.Binomial(key, 40, p, s, nx.S32) },
		"Bits":                func(key, _ nx.Tensor) nx.Tensor { return random.Bits(key, s) },
		"Categorical":         func(key, p nx.Tensor) nx.Tensor { return random.Categorical(key, p, s) },
		"Choice":              func(key, p nx.Tensor) nx.Tensor { return random.Choice(key, p, 3, false, none) },
		"Choice weighted":     func(key, p nx.Tensor) nx.Tensor { return random.Choice(key, m, 3, true, p) },
		"Choice of different": func(key, p nx.Tensor) nx.Tensor { return random.Choice(key, m, 3, false, p) },
		"DoubleSidedMaxwell": func(key, p nx.Tensor) nx.Tensor {
			return random.DoubleSidedMaxwell(key, p, 3, s, nx.F32)
		},
		"FisherF": func(key, p nx.Tensor) nx.Tensor { return random.FisherF(key, p, 2.5, s, nx.F32) },
		"FoldIn": func(key, p nx.Tensor) nx.Tensor {
			return random.FoldIn(key, nx.Cast(nx.Mul(nx.Sum(p), 100), nx.S32))
		},
		"Geometric":   func(key, p nx.Tensor) nx.Tensor { return random.Geometric(key, p, s, nx.S32) },
		"LogNormal":   func(key, _ nx.Tensor) nx.Tensor { return random.LogNormal(key, 2, s, nx.F32) },
		"Multinomial": func(key, p nx.Tensor) nx.Tensor { return random.Multinomial(key, 40, p, nx.Shape{2}, nx.S32) },
		"MultivariateNormal mean": func(key, p nx.Tensor) nx.Tensor {
			return random.MultivariateNormal(key, p, nx.Eye(nx.Shape{4, 4}, nx.F32), s, nx.F32)
		},
		"MultivariateNormal covariance": func(key, p nx.Tensor) nx.Tensor {
			return random.MultivariateNormal(key, nx.Zeros(nx.Shape{4}, nx.F32), nx.Diag(p, 0), s, nx.F32)
		},
		"Normal":     func(key, _ nx.Tensor) nx.Tensor { return random.Normal(key, -1, 2, s, nx.F32) },
		"Normal c64": func(key, _ nx.Tensor) nx.Tensor { return random.Normal(key, -1, 2, s, nx.C64) },
		"Orthogonal": func(key, _ nx.Tensor) nx.Tensor { return random.Orthogonal(key, 3, 2, s, nx.F32) },
		"Partitionable": func(key, _ nx.Tensor) nx.Tensor {
			return random.Bits(random.Split(random.Partitionable(key), 2).At(1), s)
		},
		"Stream": func(key, _ nx.Tensor) nx.Tensor {
			return random.Bits(random.Stream(key).Next(), s)
		},
		"Permutation":               func(key, p nx.Tensor) nx.Tensor { return random.Permutation(key, p, 0, false) },
		"Permutation of columns":    func(key, _ nx.Tensor) nx.Tensor { return random.Permutation(key, m, -1, false) },
		"Permutation of each apart": func(key, _ nx.Tensor) nx.Tensor { return random.Permutation(key, m, 0, true) },
		"Poisson": func(key,
			p nx.Tensor) nx.Tensor {
			return random.Poisson(key, nx.Mul(p, 40), s, nx.S32)
		},
		"Rademacher":      func(key, _ nx.Tensor) nx.Tensor { return random.Rademacher(key, s, nx.S8) },
		"RandInt":         func(key, _ nx.Tensor) nx.Tensor { return random.RandInt(key, -10, 20, s, nx.S32) },
		"RandInt s64":     func(key, _ nx.Tensor) nx.Tensor { return random.RandInt(key, -1<<40, 1<<40, s, nx.S64) },
		"Split":           func(key, _ nx.Tensor) nx.Tensor { return random.Split(key, 3) },
		"Triangular":      func(key, p nx.Tensor) nx.Tensor { return random.Triangular(key, 0, p, 3, s, nx.F32) },
		"TruncatedNormal": func(key, _ nx.Tensor) nx.Tensor { return random.TruncatedNormal(key, -1, 2, s, nx.F32) },
		"Uniform":         func(key, _ nx.Tensor) nx.Tensor { return random.Uniform(key, -1, 2, s, nx.F32) },
		"Uniform bf16":    func(key, _ nx.Tensor) nx.Tensor { return random.Uniform(key, -1, 2, s, nx.BF16) },
		"WeibullMin":      func(key, p nx.Tensor) nx.Tensor { return random.WeibullMin(key, p, 3, s, nx.F32) },
	} {
		draws[name] = f
	}
}

// TestVectorised: vectorised keys and parameters draw the numbers of a loop over them, with only one
// vectorised axis and with an axis that both have, which is compiled too.
func TestVectorised(t *testing.T) {
	keys := random.Split(random.Key(1), 6)
	ps := nx.Div(nx.Add(nx.Reshape(nx.Iota(nx.Shape{12}, nx.F32), 3, 4), 1), 16)
	vectors := nx.Vectorize(ps, "x")
	grid := nx.Vectorize(nx.Reshape(keys, 2, 3, 2), "k", "x")
	for name, f := range draws {
		t.Run(name, func(t *testing.T) {
			same := func(how string, got, want nx.Tensor, k, x int) {
				t.Helper()
				if have := element(got, map[string]int{"k": k, "x": x}); !nx.ArrayEqual(have, want) {
					t.Fatalf("%s: element %d, %d is\n%v\nnot\n%v", how, k, x, have, want)
				}
			}
			shared, each, compiled := f(keys.At(4), vectors), f(grid, vectors), nx.Jit(f)(grid, vectors)
			for k := range 2 {
				for x := range 3 {
					same("parameters", shared, f(keys.At(4), ps.At(x)), k, x)
					want := f(keys.At(3*k+x), ps.At(x))
					same("keys and parameters", each, want, k, x)
					same("compiled", compiled, want, k, x)
				}
			}
		})
	}
}

// TestDrawsTogether: a program of all draws compiles in seconds, and draws the numbers of each draw.
func TestDrawsTogether(t *testing.T) {
	key := random.Key(1)
	p := nx.Div(nx.Add(nx.Iota(nx.Shape{4}, nx.F32), 1), 16)
	together := nx.Jit(func(key, p nx.Tensor) map[string]nx.Tensor {
		all := map[string]nx.Tensor{}
		for name, f := range draws {
			all[name] = f(key, p)
		}
		return all
	})
	alone := func(name string) nx.Tensor { return nx.Jit(draws[name])(key, p) }
	for name, got := range together(key, p) {
		if want := alone(name); !nx.ArrayEqual(got, want) {
			t.Errorf("%s is\n%v\nwith others, by itself\n%v", name, got, want)
		}
	}
}

// element is the part of a tensor at indices of its vectorised axes.
func element(t nx.Tensor, places map[string]int) nx.Tensor {
	whole := nx.Devectorize(t)
	for _, v := range t.Vectors() {
		whole = whole.At(places[v.Name])
	}
	return nx.Rename(whole)
}

// TestDrawsAreComplete: draws has a call of each exported function of a key.
func TestDrawsAreComplete(t *testing.T) {
	called := map[string]bool{}
	for name := range draws {
		name, _, _ = strings.Cut(name, " ")
		called[name] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || fn.Recv != nil || strings.HasSuffix(file, "_test.go") {
				continue
			}
			if first := fn.Type.Params.List[0]; first.Names[0].Name == "key" && !called[fn.Name.Name] {
				t.Errorf("no draw by %s", fn.Name.Name)
			}
		}
	}
}
