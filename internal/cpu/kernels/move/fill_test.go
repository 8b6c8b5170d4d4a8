package move

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

func TestFill(t *testing.T) {
	for _, n := range []int{0, 1, 100, 100001} {
		x := make([]uint16, n)
		Fill(kit.NewEnv(t, 2), rt.Bytes(x), []byte{7, 0})
		for i, v := range x {
			if v != 7 {
				t.Fatalf("element %d of %d is %d", i, n, v)
			}
		}
	}
}
