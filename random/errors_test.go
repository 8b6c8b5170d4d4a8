package random_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// TestErrorsNameTheFunction: the errors of parameters that do not fit have the name that was called,
// not that of a function it is made of.
func TestErrorsNameTheFunction(t *testing.T) {
	type T = nx.Tensor
	key := random.Key(1)
	keys := []T{key, {}, nx.New(1), nx.Vectorize(random.Split(key, 3), "v")}
	pool := []T{
		nx.New([]float32{0.5, 2, 1}), nx.New([]int32{1, 2}), nx.New(true), nx.New(1i), {}, nx.New(0.5),
		nx.Rename(nx.New([]float64{0.2, 0.3, 0.5}), "n"), nx.Rename(nx.New([]float64{0.2, 0.3, 0.5}), "m"),
		nx.Vectorize(nx.New([]float32{0.5, 0.25}), "v"), nx.Ones(nx.Shape{3, 3}, nx.F32), nx.Zeros(nx.Shape{0}, nx.F32),
	}
	shapes, types := []nx.Shape{{3}, {2, 3}, {}, {-1}}, []nx.DType{nx.F32, nx.S32, nx.Bool, nx.C64, nx.F64}
	for name, f := range map[string]any{
		"Ball": random.Ball, "Bernoulli": random.Bernoulli[T], "Beta": random.Beta[T, T],
		"Binomial": random.Binomial[T, T],
		"Bits":     random.Bits, "Categorical": random.Categorical, "Cauchy": random.Cauchy,
		"ChiSquare": random.ChiSquare[T], "Choice": random.Choice, "Dirichlet": random.Dirichlet,
		"DoubleSidedMaxwell": random.DoubleSidedMaxwell[T, T], "Exponential": random.Exponential,
		"FisherF": random.FisherF[T, T], "FoldIn": random.FoldIn[T], "Gamma": random.Gamma[T],
		"GeneralizedNormal": random.GeneralizedNormal[T], "Geometric": random.Geometric[T], "Gumbel": random.Gumbel,
		"Laplace": random.Laplace, "LogGamma": random.LogGamma[T], "LogNormal": random.LogNormal,
		"Logistic": random.Logistic, "Maxwell": random.Maxwell, "Multinomial": random.Multinomial[T],
		"MultivariateNormal": random.MultivariateNormal, "Normal": random.Normal, "Orthogonal": random.Orthogonal,
		"Pareto": random.Pareto[T], "Partitionable": random.Partitionable, "Permutation": random.Permutation[int],
		"Poisson": random.Poisson[T], "Rademacher": random.Rademacher, "RandInt": random.RandInt,
		"Rayleigh": random.Rayleigh[T], "Split": random.Split, "Stream": random.Stream, "StudentT": random.StudentT[T],
		"Triangular": random.Triangular[T, T, T], "TruncatedNormal": random.TruncatedNormal, "Uniform": random.Uniform,
		"Wald": random.Wald[T], "WeibullMin": random.WeibullMin[T, T],
	} {
		typ, said := reflect.TypeOf(f), map[string]bool{}
		draws := 4 * len(pool)
		if typ.NumIn() > 2 && typ.In(2) == typ.In(1) {
			draws = len(pool) * len(pool)
		}
		for draw := range draws {
			args, at := make([]reflect.Value, typ.NumIn()), draw
			for i := range args {
				var v any
				switch typ.In(i) {
				case reflect.TypeFor[T]():
					if v = pool[at%len(pool)]; i == 0 {
						v = keys[max(0, draw%13-9)]
					} else {
						at /= len(pool)
					}
				case reflect.TypeFor[nx.Shape]():
					v = shapes[draw%len(shapes)]
				case reflect.TypeFor[nx.DType]():
					v = types[max(0, draw%11-6)]
				case reflect.TypeFor[int]():
					v = draw%5 - 1
				case reflect.TypeFor[int64]():
					v = int64(draw%7 - 2)
				case reflect.TypeFor[bool]():
					v = draw%2 == 0
				default:
					v = float64(draw%4) - 1
				}
				args[i] = reflect.ValueOf(v)
			}
			var err error
			func() {
				defer nx.Catch(&err)
				reflect.ValueOf(f).Call(args)
			}()
			var e *nx.Error
			if errors.As(err, &e) && e.Op != name && !said[e.Op] {
				said[e.Op] = true
				t.Errorf("%s: the error names %q: %v", name, e.Op, strings.SplitN(e.Error(), "\n", 3))
			}
		}
	}
}
