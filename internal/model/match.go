package model

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Match finds the name of each parameter among the given ones: an index (arg0), the name or the tree path in
// the file of the program, or a name of the same words (Key), the first of which, the parameter of the
// function, may be omitted if the rest is unique. It returns the index of the name of each parameter, or -1,
// and the names that match no parameter.
func Match(params []Param, kind string, names []string) (at []int, unused []string) {
	at = make([]int, len(params))
	for i := range at {
		at[i] = -1
	}
	taken := make([]bool, len(names))
	claim := func(key func(p *Param, i int) string, of func(name string) string) {
		owner := map[string]int{}
		for i := range params {
			k := key(&params[i], i)
			if k == "" {
				continue
			}
			if _, two := owner[k]; two {
				owner[k] = -1 // it names several
			} else {
				owner[k] = i
			}
		}
		for n, name := range names {
			i, ok := owner[of(name)]
			if ok && i >= 0 && !taken[n] && at[i] < 0 {
				at[i], taken[n] = n, true
			}
		}
	}
	same := func(name string) string { return name }
	claim(func(_ *Param, i int) string { return fmt.Sprintf("%s%d", kind, i) }, same)
	claim(func(p *Param, _ int) string { return p.Name }, same)
	claim(func(p *Param, _ int) string { return p.Tree }, same)
	claim(func(p *Param, _ int) string { return Key(p.Name) }, Key)
	claim(func(p *Param, _ int) string { return withoutFirst(Key(p.Name)) }, Key)
	claim(func(p *Param, _ int) string { return withoutFirst(Key(p.Tree)) }, Key)
	for n, name := range names {
		if !taken[n] {
			unused = append(unused, name)
		}
	}
	return at, unused
}

// withoutFirst drops the first word of a key, "" when there is only one.
func withoutFirst(key string) string {
	_, rest, _ := strings.Cut(key, ".")
	return rest
}

// Nearest returns the names of [NearestNames] as text for a message: "\"w1\", \"w2\""; "" when no name is similar.
func Nearest(name string, names []string) string {
	var out []string
	for _, n := range NearestNames(name, names) {
		out = append(out, fmt.Sprintf("%q", n))
	}
	return strings.Join(out, ", ")
}

// maxCompared bounds the names that are compared with one: files may have millions.
const maxCompared = 2000

// NearestNames returns up to three names that are most similar to a name, of the first two thousand.
func NearestNames(name string, names []string) []string {
	type candidate struct {
		name string
		far  int
	}
	var list []candidate
	key := strings.ToLower(Key(name))
	limit := max(2, len(key)/3)
	for _, n := range names[:min(len(names), maxCompared)] {
		other := strings.ToLower(Key(n))
		far := limit + 1
		if d := len(key) - len(other); d <= limit && -d <= limit || len(key) > maxDistance {
			far = distance(key, other)
		}
		if strings.HasSuffix(other, key) || strings.HasSuffix(key, other) {
			far = min(far, 1)
		} else if strings.HasPrefix(other, key) || strings.HasPrefix(key, other) {
			far = min(far, 2)
		}
		if far <= limit {
			list = append(list, candidate{n, far})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].far < list[j].far })
	var out []string
	for _, c := range list[:min(3, len(list))] {
		out = append(out, c.name)
	}
	return out
}

// maxDistance is how many letters of names are compared.
const maxDistance = 100

// distance returns how many letters must change, come or go to make b of a, of the
// first hundred.
func distance(a, b string) int {
	a, b = a[:min(len(a), maxDistance)], b[:min(len(b), maxDistance)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// NoNames reports what to do about arrays that belong to no argument, because arguments of the
// program have no names that they could be given by; "" when they have.
func NoNames(params []Param, unused []string) string {
	if !slices.ContainsFunc(unused, func(name string) bool { return !isGenerated(name) }) {
		return ""
	}
	for _, q := range params {
		if q.Name != "" && !q.Local || q.Tree != "" {
			return ""
		}
	}
	return "the program holds no names of its arguments: export it with jax.export, print it with " +
		"jax.jit(f).lower(x).as_text(debug_info=True), or name the arrays arg0, arg1, …"
}
