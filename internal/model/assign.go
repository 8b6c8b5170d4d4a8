package model

import (
	"github.com/go-nx/nx/encoding/npy"
)

// Field is a tensor of a container that an array of a file may become.
type Field struct {
	Name string // its path: Layers[0].W
	Type string // for messages
	Root bool   // it is the container itself
	// Optional is set for an absent tensor, which may stay absent.
	Optional bool
	// Takes reports whether the items of an array, or their bits, are its elements.
	Takes func(h npy.Header) bool
}

// Report says which arrays of files become which tensors of a container.
type Report struct {
	Loaded    []Pair
	Missing   []Gap    // tensors without an array
	Unused    []Gap    // arrays without a tensor
	LeftOut   []string // arrays that the renaming leaves out
	Misshapen []Misfit
	Shared    []Shared

	renamed map[string]string // array → the name it was given
	arrays  int               // how many there are
}

// Pair is an array and the tensor that it becomes.
type Pair struct {
	Array, Field string
	A, F         int // their indices
}

// Gap is a name without a counterpart.
type Gap struct {
	Name     string
	Type     string   // of a tensor
	Optional bool     // an absent tensor
	Nearest  []string // the most similar names on the other side, of the first gaps
}

// Misfit is an array whose type or shape is not that of its tensor.
type Misfit struct {
	Pair
	Header npy.Header // of the array
	Want   string     // the type of the tensor
}

// Got is the type of the array.
func (m *Misfit) Got() string { return itemsText(m.Header) }

// Shared is a tensor that several arrays become.
type Shared struct {
	Field  string
	Arrays []string
}

// Assign finds the array of each tensor: that which rename, nil for none, gives the path of the tensor, or else one
// of the same words (Key). An array that rename gives "" is left out. Each array is renamed once, in order. A tensor
// that is the container itself becomes the only array, and an array without a name the only tensor.
func Assign(arrays []Array, fields []Field, rename func(name string) string) *Report {
	r := &Report{arrays: len(arrays)}
	name := func(i int) string { return arrays[i].Name }
	if rename != nil {
		r.renamed = make(map[string]string, len(arrays))
		name = func(i int) string { return r.renamed[arrays[i].Name] }
	}
	var kept []int
	for i, a := range arrays {
		if rename != nil {
			r.renamed[a.Name] = rename(a.Name)
			if name(i) == "" {
				r.LeftOut = append(r.LeftOut, a.Name)
				continue
			}
		}
		kept = append(kept, i)
	}
	of := make([][]int, len(fields)) // the arrays of each field
	if len(fields) == 1 && len(kept) == 1 && (fields[0].Root || arrays[kept[0]].Unnamed) {
		of[0], kept = kept, nil
	}
	find := indexOf(fields)
	var unused []int
	for _, i := range kept {
		if f := find(name(i)); f >= 0 {
			of[f] = append(of[f], i)
		} else {
			unused = append(unused, i)
		}
	}
	var missing []int
	for f, list := range of {
		field := &fields[f]
		switch {
		case len(list) == 0:
			missing = append(missing, f)
		case len(list) > 1:
			s := Shared{Field: field.Name}
			for _, i := range list {
				s.Arrays = append(s.Arrays, arrays[i].Name)
			}
			r.Shared = append(r.Shared, s)
		default:
			a := &arrays[list[0]]
			p := Pair{Array: a.Name, Field: field.Name, A: list[0], F: f}
			if field.Takes(a.Header) {
				r.Loaded = append(r.Loaded, p)
			} else {
				r.Misshapen = append(r.Misshapen, Misfit{p, a.Header, field.Type})
			}
		}
	}
	r.gaps(arrays, fields, name, unused, missing)
	return r
}

// indexOf returns the function that finds the field of a name, -1 if there is none.
func indexOf(fields []Field) func(name string) int {
	exact, words := map[string]int{}, map[string]int{}
	for i := range fields {
		exact[fields[i].Name] = i
		key := Key(fields[i].Name)
		if _, two := words[key]; two {
			i = -1
		}
		words[key] = i
	}
	return func(name string) int {
		if i, ok := exact[name]; ok {
			return i
		}
		if i, ok := words[Key(name)]; ok {
			return i
		}
		return -1
	}
}

// maxNearest bounds the gaps of a list that similar names are looked for.
const maxNearest = 20

// gaps describes what has no counterpart. Similar names are looked for among what is left on the other side; those
// of arrays then among all fields.
func (r *Report) gaps(arrays []Array, fields []Field, name func(int) string, unused, missing []int) {
	var all, free, given []string
	for i := range fields {
		all = append(all, fields[i].Name)
	}
	for _, f := range missing {
		free = append(free, fields[f].Name)
	}
	own := map[string]string{} // of a renamed array
	for _, i := range unused {
		given = append(given, name(i))
		own[name(i)] = arrays[i].Name
	}
	for k, f := range missing {
		g := Gap{Name: fields[f].Name, Type: fields[f].Type, Optional: fields[f].Optional}
		if k < maxNearest {
			for _, n := range NearestNames(g.Name, given) {
				g.Nearest = append(g.Nearest, own[n])
			}
		}
		r.Missing = append(r.Missing, g)
	}
	for k, i := range unused {
		g := Gap{Name: arrays[i].Name}
		if k < maxNearest {
			if g.Nearest = NearestNames(name(i), free); g.Nearest == nil {
				g.Nearest = NearestNames(name(i), all)
			}
		}
		r.Unused = append(r.Unused, g)
	}
}
