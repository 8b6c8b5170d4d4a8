package library

import (
	"github.com/go-nx/nx/internal/cpu/kernels/monoid"
	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// taps combines the elements of small windows into results, a row of results at a time: row-major along the last
// dimension that windows change (the axis) and the following ones.
type taps struct {
	dst, src []byte
	m        monoid.Monoid
	size     int             // bytes of an element
	in, out  []int           // sizes of the dimensions up to the axis
	windows  []monoid.Window // of these
	inner    int             // bytes of the elements after the axis
	rows     int
	perChunk int
}

// newTaps returns the plan of small windows; ok is false for others.
func newTaps(sizes []int, windows []monoid.Window, m monoid.Monoid) (t taps, ok bool) {
	axis, volume, limit := -1, 1, maxTaps
	for d, w := range windows {
		if w.Size > maxTaps && 2*w.Stride >= w.Size {
			limit = maxTapsDisjoint
		}
		if volume *= w.Size; volume > limit || w.BaseDilation != 1 {
			return t, false
		}
		if w != (monoid.Window{Size: 1, Stride: 1, Dilation: w.Dilation, BaseDilation: 1}) {
			axis = d
		}
	}
	if axis < 0 {
		return t, false
	}
	size := len(m.Identity())
	t = taps{m: m, size: size, inner: size, rows: 1, windows: windows[:axis+1]}
	for d, n := range sizes {
		if d > axis {
			t.inner *= n
			continue
		}
		t.in = append(t.in, n)
		t.out = append(t.out, windows[d].Out(n))
		if d < axis {
			t.rows *= t.out[d]
		}
	}
	t.perChunk = max(1, size<<14/max(t.out[axis]*t.inner*volume, 1))
	return t, true
}

// run combines into dst, which holds initial values.
func (t taps) run(env *rt.Env, dst, src []byte) {
	t.dst, t.src = dst, src
	env.Run((t.rows+t.perChunk-1)/t.perChunk, &t)
}

func (t *taps) Do(_ rt.Worker, chunk int) {
	tmp := make([]byte, t.out[len(t.out)-1]*t.size)
	for r := chunk * t.perChunk; r < min((chunk+1)*t.perChunk, t.rows); r++ {
		var position [maxRank]int
		rest := r
		for d := len(t.in) - 2; d >= 0; d-- {
			position[d], rest = rest%t.out[d], rest/t.out[d]
		}
		row := t.out[len(t.out)-1] * t.inner
		t.outer(0, 0, position[:], t.dst[r*row:][:row], tmp)
	}
}

// outer walks the elements of the window along dimension d; at counts the
// elements of the operand's dimensions before it.
func (t *taps) outer(d, at int, position []int, dst, tmp []byte) {
	w := t.windows[d]
	if d == len(t.in)-1 {
		t.along(w, t.src[at*t.in[d]*t.inner:][:t.in[d]*t.inner], dst, tmp)
		return
	}
	for j := range w.Size {
		if q := position[d]*w.Stride + j*w.Dilation - w.Low; q >= 0 && q < t.in[d] {
			t.outer(d+1, at*t.in[d]+q, position, dst, tmp)
		}
	}
}

// along combines the elements of all windows on one line of the axis.
func (t *taps) along(w monoid.Window, src, dst, tmp []byte) {
	n, out := t.in[len(t.in)-1], t.out[len(t.out)-1]
	for j := range w.Size {
		// Result i takes element i·stride + shift, if there is one.
		shift := j*w.Dilation - w.Low
		first := 0
		if shift < 0 {
			first = (-shift + w.Stride - 1) / w.Stride
		}
		last := min(out, (n-shift+w.Stride-1)/w.Stride)
		if n <= shift || last <= first {
			continue
		}
		from := src[(first*w.Stride+shift)*t.inner:]
		switch {
		case w.Stride == 1:
			t.m.Into(dst[first*t.inner:last*t.inner], from)
		case t.inner == t.size:
			part := tmp[:(last-first)*t.size]
			move.Strided(part, from, w.Stride, t.size)
			t.m.Into(dst[first*t.size:last*t.size], part)
		default:
			for i := range last - first {
				t.m.Into(dst[(first+i)*t.inner:][:t.inner], from[i*w.Stride*t.inner:])
			}
		}
	}
}
