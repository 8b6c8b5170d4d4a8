package portable

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// With few results, a reduction over rows would start its loops for some dozens of elements: the mean of each channel
// of an image. Contiguous rows are then batched into one tile, from which the reduction takes them one by one; operands
// that all rows share are repeated once per chunk.

// batchRowCount returns the number of reduced rows per tile; 1 if the plan does not allow batches.
func (c *compiler) batchRowCount() int64 {
	n := c.Vec.Size
	if n == 0 || 2*n > plan.TileElems || c.Form != plan.Outer || len(c.Vec.Dims) != 1 || len(c.Seq.Dims) != 1 ||
		c.Chunk < n {
		return 1
	}
	for i := range c.instrs {
		if a := c.instrs[i].At; a != nil && (len(a.Guards) > 0 || !a.IsAffine()) {
			return 1
		}
	}
	for i := range c.Accesses[:c.Results] {
		a := &c.Accesses[i]
		sameForAll := a.Vec[0] == 0 && a.Seq[0] == 0
		isDense := a.Kind == plan.Contiguous && a.Seq[0] == n && a.IsAffine()
		if !sameForAll && !isDense && !(i < c.Stores && c.isRepeated(a)) {
			return 1
		}
	}
	return plan.TileElems / n
}

// isRepeated reports whether each row reads the same elements, one for each result.
func (c *Code) isRepeated(a *plan.Access) bool {
	return a.Param >= 0 && a.Kind == plan.Contiguous && a.Seq[0] == 0
}

// repeatRows returns the step that fills a register with the row that load leaves in another one, once per row of a
// tile.
func (c *compiler) repeatRows(load step, from, reg int, in *kernel.Instr) step {
	size, row := in.Register().Size(), int(c.Vec.Size)
	return func(m *machine, n int) {
		load(m, row)
		d := unsafe.Slice((*byte)(m.regs[reg]), n*size)
		done := copy(d, unsafe.Slice((*byte)(m.regs[from]), row*size))
		for done < len(d) {
			done += copy(d[done:], d[:done])
		}
	}
}

// addRows accumulates the rows of a tile, of n elements each.
func (f *reduction) addRows(m *machine, n, rows int) {
	if rows == 1 {
		f.addRow(m, n)
		return
	}
	if f.sumRows != nil {
		f.sumRows(m, n, rows)
		return
	}
	var storage [4]unsafe.Pointer
	first := storage[:0]
	for _, v := range f.values {
		first = append(first, m.regs[v.reg])
	}
	for r := range rows {
		for j, v := range f.values {
			if !v.uniform {
				m.regs[v.reg] = unsafe.Add(first[j], r*n*f.types[j].Size())
			}
		}
		f.addRow(m, n)
	}
	for j, v := range f.values {
		m.regs[v.reg] = first[j]
	}
}

// setSumRows gives a sum a loop over the rows of a tile, in the order of [reduction.addRow].
func setSumRows[T number](f *reduction) {
	src, acc, tmp := f.values[0], f.acc[0], f.tmp[0]
	if src.uniform {
		return
	}
	f.sumRows = func(m *machine, n, rows int) {
		v, total := vec[T](m, src, n*rows), vec[T](m, ref{reg: acc}, n)
		for len(v) > 0 {
			count := int(m.count[f.id])
			group, sum := count%plan.GroupRows, total
			if count >= plan.GroupRows {
				sum = vec[T](m, ref{reg: tmp}, n)
			}
			part := v[:min(len(v), (plan.GroupRows-group)*n)]
			v = v[len(part):]
			m.count[f.id] += int64(len(part) / n)
			if group == 0 {
				part = part[copy(sum, part):]
			}
			addRows(sum, part)
			if count >= plan.GroupRows && m.count[f.id]%plan.GroupRows == 0 {
				add(total, total, sum)
			}
		}
	}
}

// addRows adds rows of the length of sum to it, one after the other, four per iteration.
func addRows[T number](sum, v []T) {
	n := len(sum)
	for ; len(v) >= 4*n; v = v[4*n:] {
		a, b, c, d := v[:n], v[n:][:n], v[2*n:][:n], v[3*n:][:n]
		for i, x := range sum {
			sum[i] = x + a[i] + b[i] + c[i] + d[i]
		}
	}
	for ; len(v) > 0; v = v[n:] {
		add(sum, sum, v[:n])
	}
}
