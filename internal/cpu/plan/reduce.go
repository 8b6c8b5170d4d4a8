package plan

// Reduce combines the elements of a reduction, in row-major order, one after another in the order
// of the plan: the reference for its meaning. It starts lanes lanes from zero; combine takes the
// accumulator first. There is at least one element.
func Reduce[T any](p *Plan, order Order, elems []T, lanes int, zero T, combine func(acc, next T) T) T {
	var blocks []T
	for lo := int64(0); lo < int64(len(elems)); lo += p.Block {
		block := elems[lo:min(lo+p.Block, int64(len(elems)))]
		switch {
		case p.Form == Outer && order == InLanes:
			blocks = append(blocks, inGroups(block, combine))
		case p.Form == Outer:
			blocks = append(blocks, inOrder(block, combine))
		case order == InLanes:
			if p.IsShort() {
				block[0] = combine(zero, block[0])
				blocks = append(blocks, inOrder(block, combine))
				continue
			}
			blocks = append(blocks, inLanes(tiles(p, block, lo), lanes, zero, combine))
		default:
			var each []T
			for _, tile := range tiles(p, block, lo) {
				each = append(each, pairwise(tile, combine))
			}
			blocks = append(blocks, inOrder(each, combine))
		}
	}
	if order == InLanes {
		return cascade(blocks, combine)
	}
	return inOrder(blocks, combine)
}

// tiles cuts a block that starts at point lo of the reduced space.
func tiles[T any](p *Plan, block []T, lo int64) [][]T {
	var out [][]T
	for len(block) > 0 {
		n := p.TileLen(lo, lo+int64(len(block)))
		out = append(out, block[:n])
		block, lo = block[n:], lo+n
	}
	return out
}

func inOrder[T any](list []T, combine func(acc, next T) T) T {
	acc := list[0]
	for _, x := range list[1:] {
		acc = combine(acc, x)
	}
	return acc
}

// inGroups reduces groups of rows, and the groups, in order.
func inGroups[T any](rows []T, combine func(acc, next T) T) T {
	var groups []T
	for ; len(rows) > 0; rows = rows[min(GroupRows, len(rows)):] {
		groups = append(groups, inOrder(rows[:min(GroupRows, len(rows))], combine))
	}
	return inOrder(groups, combine)
}

// pairwise combines neighbours until one element is left; an element without a neighbour is kept
// for the next round.
func pairwise[T any](list []T, combine func(acc, next T) T) T {
	for len(list) > 1 {
		var next []T
		for i := 0; i+1 < len(list); i += 2 {
			next = append(next, combine(list[i], list[i+1]))
		}
		if len(list)%2 == 1 {
			next = append(next, list[len(list)-1])
		}
		list = next
	}
	return list[0]
}

// cascade combines a list pairwise as it grows (cascade summation): two neighbours of equal size, a
// power of two, become one; at the end the rest, from the shortest on. The later one is the first
// operand.
func cascade[T any](list []T, combine func(acc, next T) T) T {
	type sum struct {
		x    T
		size int
	}
	var stack []sum
	for _, x := range list {
		s := sum{x, 1}
		for len(stack) > 0 && stack[len(stack)-1].size == s.size {
			s = sum{combine(s.x, stack[len(stack)-1].x), 2 * s.size}
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, s)
	}
	acc := stack[len(stack)-1].x
	for i := len(stack) - 2; i >= 0; i-- {
		acc = combine(acc, stack[i].x)
	}
	return acc
}

// inLanes adds groups of tiles into lanes, the lanes of the groups pairwise, and then the upper
// half of the lanes to the lower one until one is left. The later and the upper one is the first
// operand: in a lane that received no element, the start value meets an element that it must not
// replace, such as NaN.
func inLanes[T any](tiles [][]T, lanes int, zero T, combine func(acc, next T) T) T {
	var sums [][]T
	for ; len(tiles) > 0; tiles = tiles[min(GroupTiles, len(tiles)):] {
		l := make([]T, lanes)
		for i := range l {
			l[i] = zero
		}
		for _, tile := range tiles[:min(GroupTiles, len(tiles))] {
			for i, x := range tile {
				width := lanes / LaneParts
				lane := i/(TileElems/LaneParts)*width + i%width
				l[lane] = combine(l[lane], x)
			}
		}
		sums = append(sums, l)
	}
	total := cascade(sums, func(a, b []T) []T {
		out := make([]T, lanes)
		for i := range out {
			out[i] = combine(a[i], b[i])
		}
		return out
	})
	for half := lanes / 2; half > 0; half /= 2 {
		for i := range half {
			total[i] = combine(total[half+i], total[i])
		}
	}
	return total[0]
}
