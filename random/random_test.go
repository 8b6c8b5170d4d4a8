package random_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// The expected numbers are those of Nx, which uses the same generator.
func TestAgainstNx(t *testing.T) {
	key := random.Key(42)
	if got, want := nx.Data[uint32](random.Split(key, 2)), []uint32{2465931498, 3679230171, 255383827, 267815257}; !slices.Equal(got, want) {
		t.Errorf("Split: got %v, want %v", got, want)
	}
	if got, want := nx.Data[uint32](random.Split(key, 3)), []uint32{3134548294, 3733159049, 3746501087, 894150801, 801545058, 2363201431}; !slices.Equal(got, want) {
		t.Errorf("Split: got %v, want %v", got, want)
	}
	if got, want := nx.Data[float32](random.Uniform(key, 0, 1, nx.Shape{4}, nx.F32)), []float32{0.57414436, 0.8566375, 0.059461117, 0.06235552}; !slices.Equal(got, want) {
		t.Errorf("Uniform: got %v, want %v", got, want)
	}
}
