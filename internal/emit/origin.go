package emit

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// Transformations mark the locations of the ops that they make, by names around them: an op of a
// derivative, and one that computes for a batch.

const (
	reverseMark = "reverse"
	tangentMark = "tangent"
)

// Derivative returns the location of an op of a derivative that is made for one at l, of reverse or forward mode.
func Derivative(l stablehlo.Location, reverse bool) stablehlo.Location {
	name := tangentMark
	if reverse {
		name = reverseMark
	}
	return named(name, l)
}

// named returns a location with a name around it, the same one if it has that.
func named(name string, l stablehlo.Location) stablehlo.Location {
	if n, ok := l.(*stablehlo.NameLoc); ok && n.Name == name {
		return l
	}
	return &stablehlo.NameLoc{Name: name, Child: l}
}

// Member says how an op of a batch computes for its elements.
type Member string

// The ways to compute for the elements of a batch.
const (
	FirstAxis  Member = "axis 0"   // they are along the first axis of the results
	Iterations Member = "loop"     // they are the iterations of a loop
	Elsewhere  Member = "anywhere" // they are along an axis that is not known
)

// Batch is a batch that an op computes for.
type Batch struct {
	Size   int64
	Member Member
}

const batchMark = "vmap of %d, %s"

// Batched returns the location of an op that computes for a batch what one at l computes for an element.
func Batched(l stablehlo.Location, size int64, m Member) stablehlo.Location {
	return &stablehlo.NameLoc{Name: fmt.Sprintf(batchMark, size, m), Child: l}
}

// Origin is what the location of an op tells about it.
type Origin struct {
	File             *stablehlo.FileLoc // the line of the program, nil where it is not known
	Reverse, Tangent bool               // it belongs to a derivative
	Batches          []Batch            // the outermost first, whose axis is the first of the results
}

// OriginOf reads the location of an op.
func OriginOf(l stablehlo.Location) Origin {
	o := Origin{File: stablehlo.FileOf(l)}
	known := true // the axes of the batches
	for n, ok := l.(*stablehlo.NameLoc); ok; n, ok = n.Child.(*stablehlo.NameLoc) {
		var b Batch
		switch {
		case n.Name == reverseMark:
			o.Reverse, known = true, false
		case n.Name == tangentMark:
			o.Tangent, known = true, false
		case isBatch(n.Name, &b):
			if b.Member == Elsewhere {
				known = false
			}
			if b.Member == FirstAxis && !known {
				b.Member = Elsewhere
			}
			o.Batches = append(o.Batches, b)
		}
	}
	return o
}

// isBatch reads the mark of a batch.
func isBatch(name string, b *Batch) bool {
	for _, m := range []Member{FirstAxis, Iterations, Elsewhere} {
		n, _ := fmt.Sscanf(name, batchMark[:len(batchMark)-len(", %s")], &b.Size)
		if n == 1 && name == fmt.Sprintf(batchMark, b.Size, m) {
			b.Member = m
			return true
		}
	}
	return false
}

// Axis returns the axis of the results along which the elements of batch i are, -1 where that is not known.
func (o Origin) Axis(i int) int {
	if o.Batches[i].Member != FirstAxis {
		return -1
	}
	outer := slices.DeleteFunc(slices.Clone(o.Batches[:i]), func(b Batch) bool { return b.Member == Iterations })
	return len(outer)
}
