package monoid

import (
	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// A Window slides along one axis: Size elements with the given Dilation, moved by Stride, over a line with BaseDilation
// and with padding Low and High, which crops if negative.
type Window struct{ Size, Stride, Dilation, BaseDilation, Low, High int }

// identity reports whether the window leaves an axis unchanged.
func (w Window) identity() bool {
	return w.Size == 1 && w.Stride == 1 && w.BaseDilation == 1 && w.Low == 0 && w.High == 0
}

// padded returns the length of a padded line of n elements.
func (w Window) padded(n int) int {
	return w.Low + max(0, (n-1)*w.BaseDilation+1)*min(n, 1) + w.High
}

// Out returns the number of window positions on a line of n elements.
func (w Window) Out(n int) int {
	positions := w.padded(n) - (w.Size-1)*w.Dilation - 1
	if positions < 0 {
		return 0
	}
	return positions/w.Stride + 1
}

// sourceIndex returns the element at a position of the padded line, or -1.
func (w Window) sourceIndex(p, n int) int {
	q := p - w.Low
	if q < 0 || q%w.BaseDilation != 0 || q/w.BaseDilation >= n {
		return -1
	}
	return q / w.BaseDilation
}

// ReduceWindow reduces the elements under a window at each of its positions on a dense array of the given sizes, with
// one [Window] for each axis. Padding is the monoid's identity.
//
// Axes are reduced one after the other, in order. Along an axis, a window with few elements is reduced in order.
// Otherwise the line is cut into blocks of the window's size, which are scanned forwards and backwards; a window is the
// end of one block and the beginning of the next, and takes one operation at any size (van Herk,
// doi:10.1016/0167-8655(92)90069-C; Gil and Werman, doi:10.1109/34.211471).
func ReduceWindow(env *rt.Env, dst, src []byte, sizes []int, windows []Window, m Monoid) error {
	sizes = append([]int(nil), sizes...)
	identity := m.Identity()
	size := len(identity)
	passes, maxElems, total := planPasses(sizes, windows)
	maxElems, total = maxElems*size, total*size
	if total == 0 {
		return nil
	}
	if volume(sizes) == 0 {
		move.Repeat(dst[:total], identity) // windows on padding only
		return nil
	}
	if len(passes) == 0 {
		copy(dst[:total], src)
		return nil
	}
	buffers, err := env.Scratch(2 * maxElems)
	if err != nil {
		return err
	}
	defer env.Free(buffers)
	for i, axis := range passes {
		n := sizes[axis]
		p := &windowPass{env: env, src: src, w: windows[axis], n: n, m: m, identity: identity, size: size}
		p.outer, p.inner = volume(sizes[:axis]), volume(sizes[axis+1:])*size
		sizes[axis] = p.w.Out(n)
		p.out = sizes[axis]
		p.dst = dst
		if i < len(passes)-1 {
			p.dst = buffers[i%2*maxElems:][:maxElems]
		}
		if err := p.run(env); err != nil {
			return err
		}
		src = p.dst
	}
	return nil
}

// planPasses returns the axes that windows change, the size of the largest intermediate result, and that of the last
// result, in elements.
func planPasses(sizes []int, windows []Window) (passes []int, maxElems, total int) {
	sizes = append([]int(nil), sizes...)
	for axis, w := range windows {
		if !w.identity() {
			passes = append(passes, axis)
		}
	}
	for i, axis := range passes {
		sizes[axis] = windows[axis].Out(sizes[axis])
		if i < len(passes)-1 {
			maxElems = max(maxElems, volume(sizes))
		}
	}
	return passes, maxElems, volume(sizes)
}

func volume(x []int) int {
	n := 1
	for _, v := range x {
		n *= v
	}
	return n
}

// windowPass is the pass of a window along one axis: src is [outer, n, inner] and dst is
// [outer, out, inner].
type windowPass struct {
	env         *rt.Env
	dst, src    []byte
	w           Window
	m           Monoid
	identity    []byte
	size        int // bytes of an element
	outer, n    int
	inner       int // bytes
	out, length int // of a line: results, padded elements
	width       int // bytes of the columns that are processed together
	tiles       int
	units       int
	perChunk    int
	vanHerk     bool
	scratch     rt.WorkerScratch
}

func (s *windowPass) run(env *rt.Env) error {
	s.length = s.w.padded(s.n)
	s.vanHerk = s.out*s.w.Size > 4*s.length
	inner := s.inner / s.size
	width := min(inner, columnTile)
	if s.vanHerk {
		width = min(width, max(8, 1<<16/s.length))
	}
	s.width = width * s.size
	s.tiles = rt.CeilDiv(inner, width)
	s.units = s.outer * s.tiles
	s.perChunk = max(1, 1<<14/(max(s.length, s.out)*width))
	perWorker := 0 // bytes
	switch {
	case s.vanHerk:
		perWorker = 2 * s.length * s.width
	case s.isLine():
		perWorker = s.out * s.size
	}
	var err error
	if s.scratch, err = env.WorkerScratch(perWorker); err != nil {
		return err
	}
	defer env.FreeWorkerScratch(s.scratch)
	if s.outer*max(s.length, s.out)*inner < 1<<14 {
		env = nil
	}
	env.Run(rt.CeilDiv(s.units, s.perChunk), s)
	return nil
}

// isLine reports whether the elements of a line are contiguous.
func (s *windowPass) isLine() bool { return s.inner == s.size && s.w.BaseDilation == 1 }

func (s *windowPass) Do(worker rt.Worker, chunk int) {
	tmp := s.scratch.Of(worker)
	for u := chunk * s.perChunk; u < min((chunk+1)*s.perChunk, s.units); u++ {
		o, col := u/s.tiles, u%s.tiles*s.width
		src := s.src[o*s.n*s.inner:][:s.n*s.inner]
		dst := s.dst[o*s.out*s.inner:][:s.out*s.inner]
		width := min(s.width, s.inner-col)
		switch {
		case s.vanHerk:
			s.scanBlocks(dst[col:], src, col, width, tmp)
		case s.isLine():
			s.reduceLine(dst, src, tmp)
		default:
			s.reduceRows(dst[col:], src, col, width)
		}
	}
}

// reduceRows reduces the elements of each window, a row of columns at a time.
func (s *windowPass) reduceRows(dst, src []byte, col, width int) {
	for i := range s.out {
		row := dst[i*s.inner:][:width]
		move.Repeat(row, s.identity)
		for j := range s.w.Size {
			s.env.CheckCancelAt(i*s.w.Size + j)
			if k := s.w.sourceIndex(i*s.w.Stride+j*s.w.Dilation, s.n); k >= 0 {
				s.m.Into(row, src[k*s.inner+col:][:width])
			}
		}
	}
}

// reduceLine reduces all windows of one line together: their first elements, their second ones, and so on.
func (s *windowPass) reduceLine(dst, src, tmp []byte) {
	move.Repeat(dst, s.identity)
	for j := range s.w.Size {
		s.env.CheckCancel()
		// Result i takes element i·stride + shift, if there is one.
		shift := j*s.w.Dilation - s.w.Low
		first := 0
		if shift < 0 {
			first = rt.CeilDiv(-shift, s.w.Stride)
		}
		last := min(s.out, rt.CeilDiv(s.n-shift, s.w.Stride))
		if last <= first {
			continue
		}
		to, part := dst[first*s.size:last*s.size], src[(first*s.w.Stride+shift)*s.size:]
		if s.w.Stride > 1 {
			move.Strided(tmp[:len(to)], part, s.w.Stride, s.size)
			part = tmp
		}
		s.m.Into(to, part)
	}
}

// scanBlocks reduces windows by scans of blocks of their size. The stride between positions
// of a window is its dilation, and blocks count positions.
func (s *windowPass) scanBlocks(dst, src []byte, col, width int, tmp []byte) {
	ahead, back := tmp[:s.length*width], tmp[s.length*width:][:s.length*width]
	if s.isLine() && s.w.Dilation == 1 {
		s.scanLine(dst, src, ahead, back)
		return
	}
	for p := range s.length {
		s.env.CheckCancelAt(p)
		row := ahead[p*width:][:width]
		if k := s.w.sourceIndex(p, s.n); k >= 0 {
			copy(row, src[k*s.inner+col:][:width])
		} else {
			move.Repeat(row, s.identity)
		}
	}
	copy(back, ahead)
	s.scanRows(ahead, back, width)
	reach := (s.w.Size - 1) * s.w.Dilation * width
	for i := range s.out {
		s.env.CheckCancelAt(i)
		p := i * s.w.Stride
		row := dst[i*s.inner:][:width]
		copy(row, ahead[p*width+reach:])
		if p/s.w.Dilation%s.w.Size != 0 { // else the window is a block
			s.m.Into(row, back[p*width:])
		}
	}
}

// scanLine is scanBlocks for one line without dilation.
func (s *windowPass) scanLine(dst, src, ahead, back []byte) {
	move.Repeat(ahead, s.identity)
	from := max(0, -s.w.Low)
	to := max(from, min(s.n, s.length-s.w.Low))
	copy(ahead[(s.w.Low+from)*s.size:], src[from*s.size:to*s.size])
	copy(back, ahead)
	for first := 0; first < s.length; first += s.w.Size {
		last := min(first+s.w.Size, s.length)
		block := ahead[first*s.size : last*s.size]
		scanLine(s.env, s.m, block, block, s.identity)
		block = back[first*s.size : last*s.size]
		move.Reverse(block, s.size)
		scanLine(s.env, s.m, block, block, s.identity)
		move.Reverse(block, s.size)
		copy(block, s.identity) // a window that begins here equals the block in ahead
	}
	move.Strided(dst, ahead[(s.w.Size-1)*s.size:], s.w.Stride, s.size)
	if s.w.Stride > 1 {
		move.Strided(back[:len(dst)], back, s.w.Stride, s.size)
	}
	s.m.Into(dst, back)
}

func (s *windowPass) scanRows(ahead, back []byte, width int) {
	d, step := s.w.Dilation, s.w.Dilation*width
	for p := d; p < s.length; p++ {
		s.env.CheckCancelAt(p)
		if p/d%s.w.Size != 0 {
			s.m.Into(ahead[p*width:][:width], ahead[p*width-step:])
		}
	}
	for p := s.length - d - 1; p >= 0; p-- {
		s.env.CheckCancelAt(p)
		if p/d%s.w.Size != s.w.Size-1 {
			s.m.Into(back[p*width:][:width], back[p*width+step:])
		}
	}
}
