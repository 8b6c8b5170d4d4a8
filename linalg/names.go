package linalg

import (
	"slices"

	"github.com/go-nx/nx"
)

// Batches of a result have the names of the operands' batches. Its rows and columns have
// that of an operand's axis where they are that axis: the rows of q in a = q·r are those of
// a, and so are the columns of r; between the two there is no name.

// nameLike names the axes of a result of matrices: the batches as those of given, then tail.
func nameLike(t, given nx.Tensor, tail ...string) nx.Tensor {
	return nameAxes(t, append(batchNames(given), tail...))
}

func batchNames(t nx.Tensor) []string { return t.Names()[:t.Rank()-2] }
func rowName(t nx.Tensor) string      { return t.Names()[t.Rank()-2] }
func columnName(t nx.Tensor) string   { return t.Names()[t.Rank()-1] }

// nameAxes names the axes of t. Of equal names the first counts, as in a·aᵀ.
func nameAxes(t nx.Tensor, names []string) nx.Tensor {
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			names[i] = ""
		}
	}
	if slices.Equal(names, t.Names()) {
		return t
	}
	return nx.Rename(t, names...)
}

// mergedNames returns the names of batches that broadcast: of axes of both, aligned at the
// end, either may have one, or both the same.
func mergedNames(op string, a, b []string, ts ...nx.Tensor) []string {
	if len(a) < len(b) {
		a, b = b, a
	}
	out, skip := slices.Clone(a), len(a)-len(b)
	for i, n := range b {
		switch m := out[skip+i]; {
		case m == "":
			out[skip+i] = n
		case n != "" && n != m:
			fail(op, nx.ErrNames, "rename one of them with nx.Rename", ts, "the batches have the names %q and %q", m, n)
		}
	}
	return out
}
