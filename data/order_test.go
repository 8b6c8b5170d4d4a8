package data

import (
	"math"
	"testing"
)

func TestPermutation(t *testing.T) {
	for n := uint64(1); n < 300; n++ {
		p := newPermutation(n, 7, n)
		seen := map[uint64]bool{}
		for i := range n {
			j := p.at(i)
			if j >= n || seen[j] {
				t.Fatalf("n %d: position %d has %d, which is out of range or occurs twice", n, i, j)
			}
			seen[j] = true
		}
	}
}

// TestPermutationIsUniform: all 24 orders of four elements are equally frequent, within five standard deviations.
func TestPermutationIsUniform(t *testing.T) {
	const draws = 48000
	count := map[[4]uint64]int{}
	for seed := range uint64(draws) {
		p := newPermutation(4, seed, 0)
		count[[4]uint64{p.at(0), p.at(1), p.at(2), p.at(3)}]++
	}
	want := float64(draws) / 24
	for order, n := range count {
		if math.Abs(float64(n)-want) > 5*math.Sqrt(want) {
			t.Errorf("%v: %d times, want about %.0f", order, n, want)
		}
	}
	if len(count) != 24 {
		t.Errorf("%d of 24 orders occur", len(count))
	}
}

// TestPermutationPlaces: in a large order, each element is as likely at each place, and neighbours are independent:
// correlation of element and place, and of successive elements.
func TestPermutationPlaces(t *testing.T) {
	const n = 100000
	p := newPermutation(n, 3, 5)
	at := make([]float64, n)
	for i := range at {
		at[i] = float64(p.at(uint64(i)))/n - 0.5
	}
	place, next := 0.0, 0.0
	for i := range at {
		place += at[i] * (float64(i)/n - 0.5)
		next += at[i] * at[(i+1)%n]
	}
	for what, sum := range map[string]float64{"place": place, "next": next} {
		if r := sum / (n / 12.0); math.Abs(r) > 5/math.Sqrt(n) {
			t.Errorf("correlation with %s is %g", what, r)
		}
	}
}
