package testkit

import "strings"

// maxDiffCells bounds the table of [Diff], which has a cell for each pair of lines that are not in the common start or
// end: beyond it, all these lines differ.
const maxDiffCells = 1 << 22

// Diff returns the lines of two texts that differ: those that are only in want after "-", those that are only in got
// after "+", with up to three equal lines around them. It is empty if the texts are equal.
func Diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	lines := diffLines(w, g)
	const around = 3
	var out strings.Builder
	near := func(i int) bool {
		for _, l := range lines[max(i-around, 0):min(i+around+1, len(lines))] {
			if l[0] != ' ' {
				return true
			}
		}
		return false
	}
	skipped := false
	for i, l := range lines {
		if !near(i) {
			skipped = true
			continue
		}
		if skipped && out.Len() > 0 {
			out.WriteString("…\n")
		}
		skipped = false
		out.WriteString(l + "\n")
	}
	return out.String()
}

// diffLines returns all lines of two texts after " ", "-" or "+", with a longest common subsequence.
func diffLines(w, g []string) []string {
	var head, tail, out []string
	for len(w) > 0 && len(g) > 0 && w[0] == g[0] {
		head, w, g = append(head, " "+w[0]), w[1:], g[1:]
	}
	for len(w) > 0 && len(g) > 0 && w[len(w)-1] == g[len(g)-1] {
		tail, w, g = append(tail, " "+w[len(w)-1]), w[:len(w)-1], g[:len(g)-1]
	}
	common := func(_, _ int) int { return 0 }
	if columns := len(g) + 1; (len(w)+1)*columns <= maxDiffCells {
		length := make([]int, (len(w)+1)*columns) // of the longest common subsequence of w[i:] and g[j:]
		common = func(i, j int) int { return length[i*columns+j] }
		for i := len(w) - 1; i >= 0; i-- {
			for j := len(g) - 1; j >= 0; j-- {
				n := max(common(i+1, j), common(i, j+1))
				if w[i] == g[j] {
					n = common(i+1, j+1) + 1
				}
				length[i*columns+j] = n
			}
		}
	}
	i, j := 0, 0
	for i < len(w) || j < len(g) {
		switch {
		case i < len(w) && j < len(g) && w[i] == g[j] && common(i, j) > 0:
			out = append(out, " "+w[i])
			i, j = i+1, j+1
		case j == len(g) || i < len(w) && common(i+1, j) >= common(i, j+1):
			out = append(out, "-"+w[i])
			i++
		default:
			out = append(out, "+"+g[j])
			j++
		}
	}
	out = append(head, out...)
	for i := len(tail) - 1; i >= 0; i-- {
		out = append(out, tail[i])
	}
	return out
}
