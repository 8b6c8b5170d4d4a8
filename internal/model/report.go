package model

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx/encoding/npy"
)

// maxShown bounds the lines of each kind in a message.
const maxShown = 8

// Problems describes what does not fit, a line each. In a partial assignment gaps are none, if something is loaded.
func (r *Report) Problems(partial bool) []string {
	var lines []string
	add := func(n int, line func(i int) string) {
		for i := range min(n, maxShown) {
			lines = append(lines, line(i))
		}
		if n > maxShown {
			lines = append(lines, fmt.Sprintf("and %d more like these", n-maxShown))
		}
	}
	add(len(r.Shared), func(i int) string {
		s := &r.Shared[i]
		return r.labels(s.Arrays, " and ") + " are for one tensor, " + s.Field
	})
	add(len(r.Misshapen), func(i int) string {
		m := &r.Misshapen[i]
		return fmt.Sprintf("%s is %s, but %s takes %s", r.label(m.Array), m.Got(), m.Field, m.Want)
	})
	if partial && (len(r.Loaded) > 0 || r.arrays == 0) {
		return lines
	}
	var missing []*Gap
	for i := range r.Missing {
		if !r.Missing[i].Optional {
			missing = append(missing, &r.Missing[i])
		}
	}
	add(len(missing), func(i int) string {
		g := missing[i]
		return fmt.Sprintf("no array is for %s, %s%s", g.Name, g.Type, didYouMean(r.labels(g.Nearest, ", ")))
	})
	add(len(r.Unused), func(i int) string {
		g := &r.Unused[i]
		return r.label(g.Name) + " is for no tensor of the container" + didYouMean(strings.Join(g.Nearest, ", "))
	})
	if lines == nil && r.arrays > 0 && len(r.Loaded) == 0 {
		lines = append(lines, "all arrays are left out")
	}
	return lines
}

func didYouMean(names string) string {
	if names == "" {
		return ""
	}
	return "; did you mean " + names + "?"
}

// labels joins up to three arrays.
func (r *Report) labels(names []string, with string) string {
	var out []string
	for i, n := range names {
		if i == 3 {
			out = append(out, fmt.Sprintf("%d more", len(names)-i))
			break
		}
		out = append(out, r.label(n))
	}
	return strings.Join(out, with)
}

// label is an array, with the name that it was given.
func (r *Report) label(name string) string {
	if to, ok := r.renamed[name]; ok && to != name {
		return fmt.Sprintf("%.120q (renamed %.120q)", name, to)
	}
	return fmt.Sprintf("%.120q", name)
}

// itemsText is the type of an array.
func itemsText(h npy.Header) string {
	var b strings.Builder
	if h.Void != 0 {
		fmt.Fprintf(&b, "raw items of %d bytes, in the shape ", h.Void)
	} else {
		b.WriteString(h.DType.String())
	}
	if h.Void != 0 && len(h.Shape) == 0 {
		b.WriteString("[]")
	}
	for _, d := range h.Shape {
		fmt.Fprintf(&b, "[%d]", d)
	}
	return b.String()
}
