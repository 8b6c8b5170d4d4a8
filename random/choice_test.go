package random_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// TestChoiceOfProbabilityZero: slices of probability 0 are never drawn, however many there are; others with
// their probabilities, also if they are not normalised, small, or of a narrow type.
func TestChoiceOfProbabilityZero(t *testing.T) {
	n := 1 << 20
	for _, p := range [][]float64{{0, 1}, {1, 0}, {0, 0.25, 0, 0.75, 0, 0}, {0, 3e-30, 0, 1e-30},
		{0, 1000, 0, 24000, 1}} {
		places := nx.Iota(nx.Shape{len(p)}, nx.S32)
		for _, d := range []nx.DType{nx.F32, nx.F64, nx.BF16} {
			for _, key := range []nx.Tensor{random.Key(3), random.Partitionable(random.Key(4))} {
				q := nx.Cast(nx.New(p), d)
				drawn := random.Choice(key, places, n, true, q)
				sum := nx.Item[float64](nx.Sum(nx.Cast(q, nx.F64)))
				for i, v := range nx.Data[float64](q) {
					share, got := v/sum, nx.Item[float64](nx.Sum(nx.Cast(nx.Equal(drawn, i), nx.F64)))/float64(n)
					if v == 0 && got != 0 || math.Abs(got-share) > 6*math.Sqrt(share/float64(n)) {
						t.Errorf("%s: slice %d of %v has a share of %v", d, i, p, got)
					}
				}
			}
		}
	}
}

// TestChoiceOfMany: as many of as many as 2 × 2.8 MB, in the memory of a few such lists.
func TestChoiceOfMany(t *testing.T) {
	n := 700_000
	got := random.Choice(random.Key(0), nx.Iota(nx.Shape{n}, nx.S32), n, true,
		nx.Full(nx.Shape{n}, 1/float64(n), nx.F32))
	sum := nx.Item[float64](nx.Sum(nx.Cast(got, nx.F64)))
	if mean := float64(n) * float64(n) / 2; math.Abs(sum-mean) > 5*float64(n)*math.Sqrt(float64(n)/12) {
		t.Errorf("%v, want near %v", sum, mean)
	}
}

// TestChoiceWithout: each slice at most once, none of probability 0; a larger number is an error if the
// probabilities are known. If they are traced those of probability 0 come last.
func TestChoiceWithout(t *testing.T) {
	places, p := nx.Iota(nx.Shape{6}, nx.S32), nx.New([]float32{0, 0.5, 0, 1e-20, 2, 0})
	for seed := range int64(50) {
		x := nx.Data[int32](random.Choice(random.Key(seed), places, 3, false, p))
		if slices.Sort(x); !slices.Equal(x, []int32{1, 3, 4}) {
			t.Fatal(x)
		}
	}
	traced := nx.Jit(func(p nx.Tensor) nx.Tensor { return random.Choice(random.Key(1), places, 5, false, p) })
	if x := nx.Data[int32](traced(p)); !slices.Equal(x[3:], []int32{0, 2}) || slices.Min(x[:3]) != 1 {
		t.Error(x)
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, c := range map[string]struct {
		n       int
		replace bool
		p       nx.Tensor
		code    error
		message string
	}{
		"more than not 0": {4, false, p, nx.ErrArgument, "without replacement the number must be at most the 3 slices of nonzero probability, got 4"},
		"all 0": {1, true, nx.Zeros(nx.Shape{6}, nx.F32), nx.ErrValue,
			"at least one probability must be positive"},
		"a negative one": {1, true, nx.New([]float32{1, 1, -1, 1, 1, 1}), nx.ErrValue,
			"a probability must be finite and not negative, got -1 at 2"},
		"NaN": {1, false, nx.New([]float32{1, nan, 1, 1, 1, 1}), nx.ErrValue,
			"a probability must be finite and not negative, got NaN at 1"},
		"infinite": {1, true, nx.New([]float32{inf, 1, 1, 1, 1, 1}), nx.ErrValue,
			"a probability must be finite and not negative, got +Inf at 0"},
		"integers": {1, true, places, nx.ErrDType, "the type of random floats must be f32, f64, bf16, f16 or f8, got s32"},
		"some of vectors": {2, false, nx.Vectorize(nx.New([][]float32{{1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1}}), "v"),
			nx.ErrArgument, "without replacement the number must be at most the 1 slices of nonzero probability, got 2"},
	} {
		var err error
		func() {
			defer nx.Catch(&err)
			random.Choice(random.Key(1), places, c.n, c.replace, c.p)
		}()
		var e *nx.Error
		if !errors.Is(err, c.code) || !errors.As(err, &e) || e.Op != "Choice" || e.Detail != c.message {
			t.Errorf("%s: %v", name, err)
		}
	}
	if x := random.Choice(random.Key(1), places, 0, true,
		nx.Zeros(nx.Shape{6}, nx.F32)); fmt.Sprint(x.Shape()) != "[0]" {
		t.Error(x)
	}
}

// TestNarrowLogits: classes of equal logits are drawn equally often in narrow types, whose Gumbel
// variables would often be equal.
func TestNarrowLogits(t *testing.T) {
	n, classes := 1<<16, 64
	for _, d := range []nx.DType{nx.BF16, nx.F16, nx.F32} {
		x := random.Categorical(random.Key(1), nx.Zeros(nx.Shape{classes}, d), nx.Shape{n})
		first := random.Choice(random.Key(2), nx.Iota(nx.Shape{classes * 512}, nx.S32), 4096, false,
			nx.Ones(nx.Shape{classes * 512}, d))
		for name, c := range map[string][2]float64{
			"Categorical": {nx.Item[float64](nx.Mean(nx.Cast(x, nx.F64))), float64(classes-1) / 2},
			"Choice":      {nx.Item[float64](nx.Mean(nx.Cast(first, nx.F64))) / 512, float64(classes) / 2},
		} {
			if math.Abs(c[0]-c[1]) > 5*float64(classes)/math.Sqrt(12*4096) {
				t.Errorf("%s %s: the mean is %v, want %v", name, d, c[0], c[1])
			}
		}
	}
}
