package nn

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/encoding/safetensors"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/mapped"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/tree"
)

// LoadWeights reads the weights of a file into the model that into points to, by their names in a state_dict of PyTorch
// ([StateNames]): .safetensors, .gguf, .pt, .pth and .bin, the index of several (.safetensors.index.json,
// .bin.index.json), and what else [nx.LoadTensors] reads. [Rename] gives arrays other names.
//
//	report, err := nn.LoadWeights(&model, "resnet18.safetensors")
//
// Names are compared exactly first, then without case and underscores. The paths of a model's tensors, as
// nx.SaveTensors writes them, are names too. The words module, _orig_mod, model and state_dict before a name are left
// out where the model has no tensor with them, and arrays num_batches_tracked where it has no such tensor.
//
// Each tensor of the model must have an array of its type and shape, and each array a tensor; absent tensors may stay
// absent. The report says what became of all, also with an error, which names what is most similar. After an error the
// model is unchanged.
//
// Arrays are mapped as by nx.LoadTensors, parts of them too; those that are transposed or converted are read.
// Options: [Rename], [Tied], [Convert], [Quantized], [Partial].
func LoadWeights[M any](into *M, path string, opts ...LoadOption) (report Report, err error) {
	defer core.Catch(&err)
	const op = "LoadWeights"
	var o loadOptions
	for _, opt := range opts {
		if opt != nil {
			opt.load(&o)
		}
	}
	if into == nil {
		panic(diag.New(nx.ErrArgument, op, "pass the address of a model: &model", "there is nothing to load into"))
	}
	arrays, closeFiles, err := model.OpenArrays(context.Background(), path)
	if err != nil {
		return Report{}, err
	}
	defer closeFiles()
	l := newLoading(*into)
	l.add(arrays, &o)
	l.tie(&o)
	target := *into
	if o.quantized {
		weights := l.quantize()
		target = tree.MapLeaves(func(path string, t nx.Tensor) nx.Tensor {
			if q, ok := weights[path]; ok {
				return q
			}
			return t
		}, target)
	}
	if o.convert {
		l.convert()
	}
	options := []core.LoadTensorsOption{core.RenameArrays(func(name string) string { return l.paths[name] })}
	if o.partial {
		options = append(options, core.Partial)
	}
	r, err := core.LoadArrays(op, path, l.arrays, &target, options...)
	if err == nil {
		*into = target
	}
	if e, ok := errors.AsType[*nx.Error](err); ok && strings.HasPrefix(e.Hint, "nx.RenameArrays") {
		e.Hint = "nn.Rename gives arrays the names of the model, nn.Partial loads what both have"
	} else if ok && e.Hint == "" && r != nil && len(r.Misshapen) > 0 {
		e.Hint = "nn.Convert converts arrays of floats to the types of the model, nn.Transposed in nn.Rename swaps their axes"
	}
	if r == nil {
		return Report{}, err
	}
	return l.report(r), err
}

// loading finds the tensors of arrays.
type loading struct {
	leaves  map[string]nx.Tensor // by path; absent ones too
	states  map[string]string    // path → name
	exact   map[string]string    // name or path → path
	lenient map[string]string    // the same without case and underscores; "" for several
	arrays  []model.Array        // with names of their own
	paths   map[string]string    // array → path, a name that no tensor has, or ""
	tied    map[string]bool      // arrays that are copies
}

func newLoading(m any) *loading {
	l := &loading{leaves: map[string]nx.Tensor{}, states: StateNames(m), exact: map[string]string{},
		lenient: map[string]string{}, paths: map[string]string{}, tied: map[string]bool{}}
	for path, t := range tree.Leaves(m) {
		l.leaves[path] = t
	}
	know := func(name, path string) {
		if other, ok := l.lenient[plain(name)]; ok && other != path {
			path = ""
		}
		l.lenient[plain(name)] = path
	}
	for path := range l.states {
		l.exact[path] = path
		know(path, path)
	}
	for path, name := range l.states {
		l.exact[name] = path
		know(name, path)
	}
	return l
}

// plain is a name without case and underscores, as that of a state_dict.
func plain(name string) string {
	return strings.ReplaceAll(strings.ToLower(model.Key(name)), "_", "")
}

// find returns the path of the tensor with a name.
func (l *loading) find(name string) (path string, ok bool) {
	if path, ok = l.exact[name]; ok {
		return path, true
	}
	path = l.lenient[plain(name)]
	return path, path != ""
}

// wrappers are words that stand before the names of a model that another object held.
var wrappers = []string{"module.", "_orig_mod.", "model.", "state_dict."}

// place returns the path of the tensor for an array with a name, the name where there is none, and "" for an array that
// is left out.
func (l *loading) place(name string) string {
	for short := name; ; {
		if path, ok := l.find(short); ok {
			return path
		}
		i := slices.IndexFunc(wrappers, func(w string) bool { return strings.HasPrefix(short, w) })
		if i < 0 {
			break
		}
		short = short[len(wrappers[i]):]
	}
	if strings.HasSuffix("."+name, ".num_batches_tracked") {
		return ""
	}
	return name
}

// named is an array and the names that rules have given it so far.
type named struct {
	model.Array
	names []string
}

// add adds the arrays of a file, and what rules make of them.
func (l *loading) add(arrays []model.Array, o *loadOptions) {
	list := make([]named, len(arrays))
	for i, a := range arrays {
		list[i] = named{a, []string{a.Name}}
	}
	for i := range o.rules {
		r := &o.rules[i]
		if r.joins != nil {
			list = joined(list, r)
			continue
		}
		for k := range list {
			a := &list[k]
			var next []string
			matched := false
			for _, name := range a.names {
				names, ok := r.names(name)
				next = append(next, names...)
				matched = matched || ok
			}
			if a.names = next; matched {
				a.Array = byHalves(byParts(permuted(a.Array, r), r), r)
			}
		}
	}
	for _, a := range list {
		l.cut(a.Array, a.names)
	}
}

// cut adds an array for the tensor with a name, or its parts for those of several.
func (l *loading) cut(a model.Array, list []string) {
	if len(list) == 0 {
		l.put(a, "")
		return
	}
	if len(list) == 1 {
		l.put(a, l.place(list[0]))
		return
	}
	rows := make([]int, len(list)) // of the parts
	paths := make([]string, len(list))
	total := 0
	for i, name := range list {
		paths[i] = l.place(name)
		if t, ok := l.leaves[paths[i]]; ok && t.Rank() > 0 {
			rows[i] = t.Shape()[0]
		}
		total += rows[i]
	}
	shape := a.Header.Shape
	if len(shape) == 0 {
		panic(diag.New(nx.ErrContainer, "LoadWeights", "", "%s: the array %.120q is a scalar and cannot be cut into %s",
			a.File, a.Name,
			strings.Join(list, ", ")))
	}
	if total != shape[0] {
		if shape[0]%len(list) != 0 {
			panic(diag.New(nx.ErrContainer, "LoadWeights", "",
				"%s: the %d rows of the array %.120q cannot be cut into %s, of %v rows",
				a.File, shape[0], a.Name, strings.Join(list, ", "), rows))
		}
		for i := range rows {
			rows[i] = shape[0] / len(list)
		}
	}
	at := 0
	for i, path := range paths {
		l.put(part(a, at, rows[i]), path)
		at += rows[i]
	}
}

func (l *loading) put(a model.Array, path string) {
	l.arrays = append(l.arrays, a)
	l.paths[a.Name] = path
}

// split are the parts of an array in blocks after a function that reorders or cuts rows.
func split(a model.Array, f func(a model.Array) model.Array) *[2]model.Array {
	if a.Split == nil {
		return nil
	}
	return &[2]model.Array{f(a.Split[0]), f(a.Split[1])}
}

// quantize takes the integers and the scales of arrays in blocks, where the tensor is the weight of a layer that can
// have both, and returns what these weights are before they are loaded.
func (l *loading) quantize() map[string]nx.Tensor {
	weights := map[string]nx.Tensor{}
	var scales []model.Array
	for i, a := range l.arrays {
		layer, isWeight := strings.CutSuffix(l.paths[a.Name], ".Weight")
		t := l.leaves[l.paths[a.Name]]
		_, scaled := l.states[layer+".Scale"]
		if a.Split == nil || !isWeight || !scaled || t.IsZero() || !slices.Equal(a.Header.Shape, []int(t.Shape())) {
			continue
		}
		q, s := a.Split[0], a.Split[1]
		path := l.paths[a.Name]
		weights[path] = nx.Zeros(q.Header.Shape, q.Header.DType)
		q.Name, s.Name = a.Name, a.Name+" (scales)"
		l.arrays[i], scales = q, append(scales, s)
		l.leaves[path], l.paths[s.Name] = weights[path], layer+".Scale"
	}
	l.arrays = append(l.arrays, scales...)
	return weights
}

// permuted is an array with the axes that a rule gives it.
func permuted(a model.Array, r *rule) model.Array {
	n := len(a.Header.Shape)
	var axes []int
	switch {
	case r.axes != nil && len(r.axes) == n:
		axes = r.axes
	case r.swap && n >= 2:
		for i := range n {
			axes = append(axes, i)
		}
		axes[n-1], axes[n-2] = axes[n-2], axes[n-1]
	default:
		return a
	}
	if s := slices.Sorted(slices.Values(axes)); s[0] != 0 || s[n-1] != n-1 || len(slices.Compact(s)) != n {
		panic(diag.New(nx.ErrArgument, "PermuteAxes", "", "%v must have each of %d axes once", axes, n))
	}
	read := a.Read
	a.Split = nil
	shape := make([]int, n)
	for i, axis := range axes {
		shape[i] = a.Header.Shape[axis]
	}
	a.Header.Shape, a.Map = shape, nil
	a.Read = func() (npy.Array, error) {
		x, err := read()
		if err != nil || x.Void != 0 {
			return x, err
		}
		t := nx.Transpose(nx.FromBytes(x.Data, x.Shape, x.DType), nx.Axis(axes...))
		return npy.New(x.DType, shape, nx.Bytes(t)), nil
	}
	return a
}

// byParts is an array whose rows [heads, parts, d] are in the order [parts, heads, d].
func byParts(a model.Array, r *rule) model.Array {
	if r.heads == 0 || len(a.Header.Shape) == 0 {
		return a
	}
	rows, parts := a.Header.Shape[0], max(1, len(r.to))
	if r.heads < 0 || rows%(r.heads*parts) != 0 {
		panic(diag.New(nx.ErrArgument, "Grouped", "", "%s: the %d rows of the array %.120q are not %d heads of %d parts",
			a.File, rows, a.Name, r.heads, parts))
	}
	a.Split = split(a, func(a model.Array) model.Array { return byParts(a, r) })
	return swapRows(a, 1, r.heads, parts)
}

// byHalves is an array whose rows [heads, d/2, 2] are in the order [heads, 2, d/2].
func byHalves(a model.Array, r *rule) model.Array {
	if r.pairs == 0 || len(a.Header.Shape) == 0 {
		return a
	}
	rows := a.Header.Shape[0]
	if r.pairs < 0 || rows%(r.pairs*2) != 0 {
		panic(diag.New(nx.ErrArgument, "Paired", "", "%s: the %d rows of the array %.120q are not pairs of %d heads",
			a.File, rows, a.Name, r.pairs))
	}
	a.Split = split(a, func(a model.Array) model.Array { return byHalves(a, r) })
	return swapRows(a, r.pairs, rows/r.pairs/2, 2)
}

// swapRows is an array whose rows [groups, n, m, …] are in the order [groups, m, n, …].
func swapRows(a model.Array, groups, n, m int) model.Array {
	read := a.Read
	a.Map = nil
	a.Read = func() (npy.Array, error) {
		x, err := read()
		if err != nil || len(x.Data) == 0 {
			return x, err
		}
		size := len(x.Data) / (groups * n * m) // of the rows with the same indices, in bytes
		data := make([]byte, 0, len(x.Data))
		for g := range groups {
			for i := range m {
				for j := range n {
					at := ((g*n+j)*m + i) * size
					data = append(data, x.Data[at:at+size]...)
				}
			}
		}
		return npy.Array{Header: x.Header, Data: data}, nil
	}
	return a
}

// part is an array of some rows of another.
func part(a model.Array, at, rows int) model.Array {
	whole := a
	a.Split = split(a, func(a model.Array) model.Array { return part(a, at, rows) })
	a.Name = fmt.Sprintf("%s[%d:%d]", a.Name, at, at+rows)
	a.Header.Shape = append([]int{rows}, whole.Header.Shape[1:]...)
	cut := func(x npy.Array) npy.Array {
		row := len(x.Data) / max(1, whole.Header.Shape[0])
		return npy.Array{Header: a.Header, Data: x.Data[at*row : (at+rows)*row : (at+rows)*row]}
	}
	a.Read = func() (npy.Array, error) {
		x, err := whole.Read()
		if err != nil {
			return x, err
		}
		return cut(x), nil
	}
	if whole.Map != nil {
		a.Map = func() (*npy.Array, *mapped.File) {
			x, owner := whole.Map()
			if x == nil {
				return nil, nil
			}
			p := cut(*x)
			return &p, owner
		}
	}
	return a
}

// embeddings are the names of the table that the weight of a model's logits is tied to.
var embeddings = []string{"wte.weight", "embed_tokens.weight", "word_embeddings.weight", "tok_embeddings.weight",
	"token_embedding.weight", "embed_in.weight", "shared.weight"}

// tie adds copies of arrays for tied tensors that have none.
func (l *loading) tie(o *loadOptions) {
	of := map[string]int{} // path → array
	for i, a := range l.arrays {
		of[l.paths[a.Name]] = i
	}
	tie := func(path string, from int) {
		a := l.arrays[from]
		a.Name = fmt.Sprintf("%s (tied to %s)", a.Name, l.states[path])
		l.tied[a.Name] = true
		l.put(a, path)
	}
	for _, pair := range o.tied {
		path, ok := l.find(pair[0])
		if !ok {
			panic(diag.New(nx.ErrArgument, "Tied", "nn.StateNames lists the names of a model",
				"the model has no tensor %.120q", pair[0]))
		}
		source, ok := l.find(pair[1])
		if !ok {
			source = pair[1]
		}
		if _, has := of[path]; has {
			continue
		}
		if i, ok := of[source]; ok {
			tie(path, i)
			of[path] = len(l.arrays) - 1
		}
	}
	for _, path := range slices.Sorted(maps.Keys(l.states)) {
		name, t := l.states[path], l.leaves[path]
		if _, has := of[path]; has || t.IsZero() || !strings.HasSuffix("."+name, ".lm_head.weight") {
			continue
		}
		var found []int
		for i, a := range l.arrays {
			if slices.Equal(a.Header.Shape, []int(t.Shape())) && slices.ContainsFunc(embeddings, func(e string) bool {
				return strings.HasSuffix("."+a.Name, "."+e)
			}) {
				found = append(found, i)
			}
		}
		if len(found) == 1 {
			tie(path, found[0])
		}
	}
}

// convert gives arrays of floats the types of their tensors.
func (l *loading) convert() {
	for i := range l.arrays {
		a := &l.arrays[i]
		t, ok := l.leaves[l.paths[a.Name]]
		if !ok || t.IsZero() || !t.DType().IsFloat() || !a.Header.DType.IsFloat() || t.DType() == a.Header.DType {
			continue
		}
		read, d := a.Read, t.DType()
		a.Header.DType, a.Map = d, nil
		a.Read = func() (npy.Array, error) {
			x, err := read()
			if err != nil {
				return x, err
			}
			return npy.New(d, x.Shape, nx.Bytes(nx.Cast(nx.FromBytes(x.Data, x.Shape, x.DType), d))), nil
		}
	}
}

// SaveWeights writes the tensors of a model to a .safetensors file under their names in a state_dict of PyTorch, so
// that PyTorch loads it: module.load_state_dict(safetensors.torch.load_file(path)). Absent tensors are left out;
// PyTorch makes num_batches_tracked of batch norms itself. The file is complete or, after an error, unchanged.
//
// Errors: [nx.ErrArgument] for another extension, [nx.ErrContainer] for two tensors of one name and for no tensor.
func SaveWeights(path string, m any) (err error) {
	defer core.Catch(&err)
	const op = "SaveWeights"
	if strings.ToLower(filepath.Ext(path)) != ".safetensors" {
		panic(diag.New(nx.ErrArgument, op, "name the file .safetensors; nx.SaveTensors writes other formats",
			"the name %q does not say the format", path))
	}
	names := StateNames(m)
	paths := map[string]string{} // by name
	var list []safetensors.Tensor
	for p, t := range tree.Leaves(m) {
		name := names[p]
		if other, ok := paths[name]; ok || name == "" {
			hint := `give a field another name by a tag: nn:"name"`
			panic(diag.New(nx.ErrContainer, op, hint, "the tensors %s and %s have one name, %q", other, p, name))
		}
		paths[name] = p
		list = append(list, safetensors.Tensor{
			Info: safetensors.Info{Name: name, DType: t.DType(), Shape: t.Shape()},
			Data: nx.Bytes(t),
		})
	}
	if list == nil {
		panic(diag.New(nx.ErrContainer, op, "", "the model has no tensors"))
	}
	return safetensors.WriteFile(path, list, map[string]string{"format": "pt"})
}
