package nn

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx/internal/model"
)

// Report says what became of the arrays of files and the tensors of a model.
type Report struct {
	Loaded    []Assigned  // arrays that became tensors
	Tied      []Assigned  // arrays that became a second tensor too
	Missing   []Unmatched // tensors without an array, but those that were absent
	Unused    []Unmatched // arrays without a tensor
	LeftOut   []string    // arrays that rules leave out
	Misshapen []Misshapen // arrays of another type or shape than that of their tensor
	Shared    []Shared    // tensors for which there are several arrays
}

// Assigned is an array of a file and the tensor of a model that it becomes. A part of an array has its rows behind its
// name: c_attn.weight[0:768].
type Assigned struct{ Array, Path string }

// Unmatched is the name of an array, or the path of a tensor, and the most similar names of the other side.
type Unmatched struct {
	Name    string
	Nearest []string
}

// Misshapen is an array whose type or shape is not that of its tensor.
type Misshapen struct {
	Assigned
	Got, Want string // f32[2][3]
}

// Shared is a tensor for which there are several arrays.
type Shared struct {
	Path   string
	Arrays []string
}

// report converts the report of the loader.
func (l *loading) report(r *model.Report) Report {
	var out Report
	for _, p := range r.Loaded {
		if l.tied[p.Array] {
			out.Tied = append(out.Tied, Assigned{p.Array, p.Field})
		} else {
			out.Loaded = append(out.Loaded, Assigned{p.Array, p.Field})
		}
	}
	for _, g := range r.Missing {
		if !g.Optional {
			out.Missing = append(out.Missing, Unmatched{g.Name, g.Nearest})
		}
	}
	for _, g := range r.Unused {
		out.Unused = append(out.Unused, Unmatched{g.Name, g.Nearest})
	}
	out.LeftOut = r.LeftOut
	for _, m := range r.Misshapen {
		out.Misshapen = append(out.Misshapen, Misshapen{Assigned{m.Array, m.Field}, m.Got(), m.Want})
	}
	for _, s := range r.Shared {
		out.Shared = append(out.Shared, Shared{s.Field, s.Arrays})
	}
	return out
}

// String has a line for each kind, with the first names.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d loaded", len(r.Loaded))
	add := func(kind string, n int, name func(i int) string) {
		if n == 0 {
			return
		}
		fmt.Fprintf(&b, "\n%d %s: ", n, kind)
		for i := range min(n, 4) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(name(i))
		}
		if n > 4 {
			b.WriteString(", …")
		}
	}
	add("tied", len(r.Tied), func(i int) string { return r.Tied[i].Array })
	add("missing", len(r.Missing), func(i int) string { return r.Missing[i].String() })
	add("unused", len(r.Unused), func(i int) string { return r.Unused[i].String() })
	add("left out", len(r.LeftOut), func(i int) string { return r.LeftOut[i] })
	add("misshapen", len(r.Misshapen), func(i int) string {
		m := &r.Misshapen[i]
		return fmt.Sprintf("%s is %s, %s takes %s", m.Array, m.Got, m.Path, m.Want)
	})
	add("with several arrays", len(r.Shared), func(i int) string { return r.Shared[i].Path })
	return b.String()
}

// String is the name, with the most similar ones.
func (u Unmatched) String() string {
	if len(u.Nearest) == 0 {
		return u.Name
	}
	return fmt.Sprintf("%s (like %s)", u.Name, strings.Join(u.Nearest, ", "))
}
