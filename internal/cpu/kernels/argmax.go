package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// ArgMax finds, along one axis of src, seen as [outer, n, inner], the position of the
// largest element: the first of equal ones, and the first NaN if there is one. values
// takes the elements found and may be nil. The axis must not be empty.
func ArgMax[T ordered, I int32 | int64 | uint32](env *rt.Env, index []I, values, src []T, outer, n, inner int) {
	argExtreme(env, &argSearch[T, I]{index: index, values: values, src: src, n: n, inner: inner, first: firstMax[T]}, outer)
}

// ArgMin is ArgMax for the smallest element.
func ArgMin[T ordered, I int32 | int64 | uint32](env *rt.Env, index []I, values, src []T, outer, n, inner int) {
	argExtreme(env, &argSearch[T, I]{index: index, values: values, src: src, n: n, inner: inner, first: firstMin[T], least: true}, outer)
}

type argSearch[T ordered, I int32 | int64 | uint32] struct {
	index    []I
	values   []T
	src      []T
	n, inner int
	units    int
	perChunk int
	first    func([]T) int
	least    bool
}

func argExtreme[T ordered, I int32 | int64 | uint32](env *rt.Env, a *argSearch[T, I], outer int) {
	perUnit := a.n
	a.units = outer
	if a.inner > 1 {
		a.units *= blocks(a.inner, columnTile)
		perUnit *= min(a.inner, columnTile)
	}
	a.perChunk = max(1, 1<<15/perUnit)
	if a.units*perUnit < 1<<15 {
		env = nil
	}
	env.Run(blocks(a.units, a.perChunk), a)
}

func (a *argSearch[T, I]) Do(_, chunk int) {
	for u := chunk * a.perChunk; u < min((chunk+1)*a.perChunk, a.units); u++ {
		if a.inner == 1 {
			row := a.src[u*a.n:][:a.n]
			i := a.first(row)
			a.index[u] = I(i)
			if a.values != nil {
				a.values[u] = row[i]
			}
			continue
		}
		perRow := blocks(a.inner, columnTile)
		o, col := u/perRow, u%perRow*columnTile
		a.columns(o, col, min(columnTile, a.inner-col))
	}
}

// columns searches neighbouring columns together, from row to row.
func (a *argSearch[T, I]) columns(o, col, width int) {
	var best [columnTile]T
	src := a.src[o*a.n*a.inner+col:]
	index := a.index[o*a.inner+col:][:width]
	clear(index)
	copy(best[:width], src)
	for i := 1; i < a.n; i++ {
		for j, v := range src[i*a.inner:][:width] {
			b := best[j&(columnTile-1)]
			if better := v > b; (better != a.least && v != b || v != v) && b == b {
				best[j&(columnTile-1)] = v
				index[j] = I(i)
			}
		}
	}
	if a.values != nil {
		copy(a.values[o*a.inner+col:][:width], best[:])
	}
}

func firstMax[T ordered](x []T) int {
	at, best := 0, x[0]
	if best != best {
		return 0
	}
	for i, v := range x {
		if !(v <= best) {
			if v != v {
				return i
			}
			at, best = i, v
		}
	}
	return at
}

func firstMin[T ordered](x []T) int {
	at, best := 0, x[0]
	if best != best {
		return 0
	}
	for i, v := range x {
		if !(v >= best) {
			if v != v {
				return i
			}
			at, best = i, v
		}
	}
	return at
}
