package nn

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/internal/model"
)

// joined replaces the arrays of a rule with a list by the arrays that they make together.
func joined(list []named, r *rule) []named {
	parts := map[string][]model.Array{} // by the name that they make, in the order of the list
	first := map[string]int{}
	part := r.from.SubexpIndex("_part")
	var rest []named
	for _, a := range list {
		if len(a.names) != 1 {
			rest = append(rest, a)
			continue
		}
		m := r.from.FindStringSubmatch(a.names[0])
		if m == nil {
			rest = append(rest, a)
			continue
		}
		names, _ := r.names(a.names[0])
		name := names[0]
		if parts[name] == nil {
			parts[name] = make([]model.Array, len(r.joins))
			first[name] = len(rest)
			rest = append(rest, named{names: names})
		}
		k := slices.Index(r.joins, m[part])
		if other := parts[name][k]; other.Read != nil {
			panic(diag.New(nx.ErrContainer, "LoadWeights", "", "%s: the arrays %.120q and %.120q are one part of %s",
				a.File, other.Name, a.Name, name))
		}
		parts[name][k] = permuted(a.Array, r)
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		rest[first[name]].Array = concatenated(name, parts[name], r)
	}
	return rest
}

// concatenated is an array of the rows of several.
func concatenated(name string, list []model.Array, r *rule) model.Array {
	var names []string
	rows, first := 0, model.Array{}
	for _, a := range list {
		if a.Read == nil {
			continue
		}
		s := a.Header.Shape
		if first.Read == nil {
			first = a
		}
		switch f := first.Header; {
		case len(s) == 0:
			panic(diag.New(nx.ErrContainer, "LoadWeights", "",
				"%s: the array %.120q is a scalar and cannot be joined to %s", a.File, a.Name, name))
		case a.Header.DType != f.DType || a.Header.Void != f.Void || !slices.Equal(s[1:], f.Shape[1:]):
			panic(diag.New(nx.ErrContainer, "LoadWeights", "",
				"%s: the array %.120q of %v%v cannot be joined to %.120q of %v%v", a.File, a.Name, a.Header.DType,
				nx.Shape(s), first.Name, f.DType, nx.Shape(f.Shape)))
		}
		rows += s[0]
		names = append(names, a.Name)
	}
	for i, a := range list {
		if a.Read == nil {
			panic(diag.New(nx.ErrContainer, "LoadWeights", "the file must have all arrays of a list in nn.Rename, or none",
				"%s: %s is joined of {%s}, and there is no array for %q beside %.120q", first.File, name,
				strings.Join(r.joins, ","), r.joins[i], names[0]))
		}
	}
	out := first
	out.Name, out.Map, out.Split, out.Unnamed = strings.Join(names, " + "), nil, nil, false
	out.Header.Shape = append([]int{rows}, first.Header.Shape[1:]...)
	out.Read = func() (npy.Array, error) {
		var data []byte
		for _, a := range list {
			x, err := a.Read()
			if err != nil {
				return x, err
			}
			if data == nil && len(x.Data) > 0 {
				data = make([]byte, 0, len(x.Data)/max(1, a.Header.Shape[0])*rows)
			}
			data = append(data, x.Data...)
		}
		return npy.Array{Header: out.Header, Data: data}, nil
	}
	return out
}
