package kernels

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// checkCopy compares a copy with one element at a time, and that nothing else of
// the destination changed.
func checkCopy[T comparable](t *testing.T, workers int, dst, src View[T], dims []CopyDim) {
	t.Helper()
	want := append([]T(nil), dst.Data...)
	var walk func(d, s int, dims []CopyDim)
	walk = func(d, s int, dims []CopyDim) {
		if len(dims) == 0 {
			want[d] = src.Data[s]
			return
		}
		for i := range dims[0].Size {
			walk(d+i*dims[0].Dst, s+i*dims[0].Src, dims[1:])
		}
	}
	walk(dst.Offset, src.Offset, dims)
	given := append([]CopyDim(nil), dims...)
	Copy(newEnv(t, workers), dst, src, dims)
	for i := range want {
		if dst.Data[i] != want[i] {
			t.Fatalf("%v: element %d is %v, want %v", dims, i, dst.Data[i], want[i])
		}
	}
	if fmt.Sprint(given) != fmt.Sprint(dims) {
		t.Errorf("Copy changed its argument %v to %v", given, dims)
	}
}

func count[T any](n int, f func(int) T) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}

func u32(i int) uint32 { return uint32(i) + 1 }

// transposed returns the dimensions of a copy that permutes the axes of a dense array.
func transposed(sizes, perm []int) []CopyDim {
	src := RowMajor(sizes...)
	out := make([]int, len(perm))
	for i, p := range perm {
		out[i] = sizes[p]
	}
	dims := make([]CopyDim, len(perm))
	for i, d := range RowMajor(out...) {
		dims[i] = CopyDim{d.Size, d.Stride, src[perm[i]].Stride}
	}
	return dims
}

func TestCopyTransposes(t *testing.T) {
	for _, c := range []struct{ sizes, perm []int }{
		{[]int{}, []int{}}, {[]int{5}, []int{0}}, {[]int{0, 3}, []int{1, 0}}, {[]int{1, 1}, []int{1, 0}},
		{[]int{3, 5}, []int{1, 0}}, {[]int{64, 16}, []int{1, 0}}, {[]int{16, 64}, []int{1, 0}}, {[]int{200, 131}, []int{1, 0}},
		{[]int{2, 30, 3}, []int{0, 2, 1}}, {[]int{2, 3, 30}, []int{0, 2, 1}}, {[]int{7, 33, 65, 2}, []int{2, 3, 1, 0}},
		{[]int{7, 33, 65, 2}, []int{0, 2, 1, 3}}, {[]int{4, 3, 5, 6}, []int{3, 2, 1, 0}}, {[]int{40, 50, 60}, []int{2, 0, 1}},
		{[]int{3, 70000}, []int{1, 0}}, {[]int{70000, 3}, []int{1, 0}}, {[]int{100000}, []int{0}},
	} {
		n := 1
		for _, s := range c.sizes {
			n *= s
		}
		src := count(n, u32)
		for _, workers := range []int{1, 3} {
			checkCopy(t, workers, View[uint32]{make([]uint32, n), 0}, View[uint32]{src, 0}, transposed(c.sizes, c.perm))
		}
	}
}

func TestCopyElementSizes(t *testing.T) {
	dims := transposed([]int{37, 90}, []int{1, 0})
	const n = 37 * 90
	checkCopy(t, 1, View[uint8]{make([]uint8, n), 0}, View[uint8]{count(n, func(i int) uint8 { return uint8(i) }), 0}, dims)
	checkCopy(t, 1, View[uint16]{make([]uint16, n), 0}, View[uint16]{count(n, func(i int) uint16 { return uint16(i) }), 0}, dims)
	checkCopy(t, 1, View[uint64]{make([]uint64, n), 0}, View[uint64]{count(n, func(i int) uint64 { return uint64(i) }), 0}, dims)
	checkCopy(t, 1, View[[2]uint64]{make([][2]uint64, n), 0}, View[[2]uint64]{count(n, func(i int) [2]uint64 { return [2]uint64{uint64(i), 7} }), 0}, dims)
}

func TestCopyViews(t *testing.T) {
	src := View[uint32]{count(100000, u32), 50000}
	for name, dims := range map[string][]CopyDim{
		"broadcast rows":    {{30, 200, 0}, {200, 1, 1}},
		"broadcast columns": {{30, 200, 1}, {200, 1, 0}},
		"reverse":           {{30, 200, -200}, {200, 1, -1}},
		"reverse target":    {{30, -200, 200}, {200, -1, 1}},
		"transpose reverse": {{100, 70, -1}, {70, 1, -300}},
		"strided":           {{30, 400, 3}, {100, 3, 100}},
		"strided target":    {{30, 3, 100}, {20, 100, 1}},
		"inner of two":      {{1000, 4, 20}, {2, 1, 1}},
		"empty":             {{30, 4, 20}, {0, 1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			checkCopy(t, 2, View[uint32]{make([]uint32, 100000), 50000}, src, dims)
		})
	}
}

func TestCopyRandomViews(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		rank := r.IntN(5)
		sizes, perm := make([]int, rank), r.Perm(rank)
		for i := range sizes {
			sizes[i] = 1 + r.IntN(12)
			if r.IntN(8) == 0 {
				sizes[i] = 1 + r.IntN(90)
			}
		}
		dims := transposed(sizes, perm)
		for i := range dims {
			if r.IntN(3) == 0 {
				dims[i].Src *= r.IntN(4) - 1
			}
		}
		d, s, dn, sn := extent(dims)
		checkCopy(t, 2, View[uint32]{make([]uint32, dn), d}, View[uint32]{count(sn, u32), s}, dims)
	}
}

// extent returns offsets and lengths that contain a view.
func extent(dims []CopyDim) (d, s, dn, sn int) {
	dn, sn = 1, 1
	for _, x := range dims {
		d += max(0, -x.Dst) * (x.Size - 1)
		s += max(0, -x.Src) * (x.Size - 1)
		dn += abs(x.Dst) * (x.Size - 1)
		sn += abs(x.Src) * (x.Size - 1)
	}
	return
}

func TestFill(t *testing.T) {
	for _, n := range []int{0, 1, 100, 100001} {
		x := make([]uint16, n)
		Fill(newEnv(t, 2), x, 7)
		for i, v := range x {
			if v != 7 {
				t.Fatalf("element %d of %d is %d", i, n, v)
			}
		}
	}
}

func TestGatherRows(t *testing.T) {
	src := count(35, u32)
	for _, n := range []int{1, 5, 7} {
		index := []int32{3, 0, -1, 100, 2, 2}
		for range 5000 {
			index = append(index, int32(len(index)%9))
		}
		dst := make([]uint32, n*len(index))
		GatherRows(newEnv(t, 2), dst, src, n, index)
		for i, r := range index {
			r := max(0, min(int(r), 35/n-1))
			for j := range n {
				if dst[i*n+j] != src[r*n+j] {
					t.Fatalf("row %d of width %d: got %v", i, n, dst[i*n:(i+1)*n])
				}
			}
		}
	}
	GatherRows(nil, []uint32{}, src, 5, []int64{})
	GatherRows(nil, []uint32{}, nil, 0, []int64{1})
}

func BenchmarkCopy(b *testing.B) {
	env := newEnv(b, 0)
	for _, c := range []struct {
		name        string
		sizes, perm []int
	}{
		{"transpose/2048", []int{2048, 2048}, []int{1, 0}},
		{"transpose/2000", []int{2000, 2000}, []int{1, 0}},
		{"nhwc-nchw/8", []int{32, 28 * 28, 8}, []int{0, 2, 1}},
		{"heads", []int{8, 128, 4, 64}, []int{0, 2, 1, 3}},
		{"dense", []int{1 << 22}, []int{0}},
	} {
		b.Run(c.name, func(b *testing.B) {
			n := 1
			for _, s := range c.sizes {
				n *= s
			}
			src, dst := View[uint32]{count(n, u32), 0}, View[uint32]{make([]uint32, n), 0}
			dims := transposed(c.sizes, c.perm)
			bench(b, 8*n, "GB/s", func() error { Copy(env, dst, src, dims); return nil })
		})
	}
	b.Run("gather_rows", func(b *testing.B) {
		src, dst := count(50000*256, u32), make([]uint32, 8192*256)
		index := count(8192, func(i int) int32 { return int32(i * 7919 % 50000) })
		bench(b, 8*len(dst), "GB/s", func() error { GatherRows(env, dst, src, 256, index); return nil })
	})
}
