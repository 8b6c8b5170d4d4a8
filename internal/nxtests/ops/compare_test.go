package ops_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
)

// TestCompareByValue: u64 and signed integers are compared as the numbers they are.
func TestCompareByValue(t *testing.T) {
	u := nx.New([]uint64{0, math.MaxUint64, 1 << 63})
	s := nx.New([]int64{-1, -1, math.MinInt64})
	for name, got := range map[string]nx.Tensor{"u == s": nx.Equal(u, s), "u < s": nx.Less(u, s),
		"s > u": nx.Greater(s, u), "s >= u": nx.GreaterEqual(s, u)} {
		if nx.Item[bool](nx.Any(got)) {
			t.Errorf("%s: %v", name, got)
		}
	}
	for name, got := range map[string]nx.Tensor{"u != s": nx.NotEqual(u, s), "u > s": nx.Greater(u, s),
		"s < u": nx.Less(s, u), "s <= u": nx.LessEqual(s, u)} {
		if !nx.Item[bool](nx.All(got)) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
