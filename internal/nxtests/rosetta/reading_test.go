package rosetta_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-nx/nx"
)

// saved writes a tensor, and returns the path of the file.
func saved(name string, t nx.Tensor) string {
	path := filepath.Join(folder, name)
	if err := nx.SaveTensors(path, t); err != nil {
		panic(err)
	}
	return path
}

var reading = []row{
	{"a.dtype, a.shape, a.ndim, a.size", []pair{
		{"[a.dtype == 'f8', *a.shape, a.ndim, a.size]", func() any {
			return list(a.DType() == nx.F64, a.Shape()[0], a.Shape()[1], a.Rank(), a.Size())
		}},
	}},
	{"range(a.ndim)", []pair{
		{"list(range(a.ndim))", func() any {
			var axes []any
			for axis := range nx.Rename(a, "x", "y").Names() {
				axes = append(axes, axis)
			}
			return axes
		}},
	}},
	{"a.nbytes", []pair{{"a.nbytes", func() any { return len(nx.Bytes(a)) }}}},
	{"a.shape[axis]", []pair{{"a.shape[-1]", func() any { return nx.AxisSize(a, -1) }}}},
	{"a.item()", []pair{{"a[1, 1].item()", func() any { return nx.Item[float64](a.At(1, 1)) }}}},
	{"a.ravel().tolist()", []pair{
		{"a.ravel().tolist()", func() any {
			var each []any
			for _, x := range nx.Data[float64](a) {
				each = append(each, x)
			}
			return each
		}},
		{"a.ravel()[3]", func() any {
			var third float64
			nx.View(a, func(data []float64) { third = data[3] })
			return third
		}},
	}},
	{"a.tolist()", []pair{{"a.tolist()[2][1]", func() any { return nx.Nested[[][]float64](a)[2][1] }}}},
	{"np.array_equal(a, b)", []pair{
		{"[np.array_equal(a, b), np.array_equal(a, a), np.array_equal(a, v), np.array_equal(c, c)]", func() any {
			return list(nx.ArrayEqual(a, b), nx.ArrayEqual(a, a), nx.ArrayEqual(a, v), nx.ArrayEqual(c, c))
		}},
	}},
	{"np.save, np.savez, safetensors.numpy.save_file", []pair{
		{"np.load(folder + '/a.npy')", func() any {
			saved("a.npy", a)
			return a
		}},
		{"[np.load(folder + '/t.npz')[k] for k in ['a', 'i']]", func() any {
			if err := nx.SaveTensors(filepath.Join(folder, "t.npz"), map[string]nx.Tensor{"a": a, "i": i}); err != nil {
				panic(err)
			}
			return list(a, i)
		}},
		{"safetensors.numpy.load_file(folder + '/t.safetensors')", func() any {
			path := filepath.Join(folder, "t.safetensors")
			if err := nx.SaveTensors(path, map[string]nx.Tensor{"a": a, "i": i}); err != nil {
				panic(err)
			}
			return list(a, i)
		}},
		{"(lambda b: np.save(folder + '/of_python.npy', b) or safetensors.numpy.save_file({'a': b}, folder + '/x') or " +
			"np.savez(folder + '/of_python', a=b) or b)(b)", func() any { return b }},
	}},
	{"np.load, safetensors.numpy.load_file", []pair{
		{"[np.load(folder + '/b.npy'), safetensors.numpy.load_file(folder + '/b.safetensors')['b']]", func() any {
			var got nx.Tensor
			if err := nx.LoadTensors(saved("b.npy", b), &got); err != nil {
				panic(err)
			}
			path, m := filepath.Join(folder, "b.safetensors"), map[string]nx.Tensor{"b": b}
			if err := nx.SaveTensors(path, m); err != nil {
				panic(err)
			}
			if err := nx.LoadTensors(path, &m); err != nil {
				panic(err)
			}
			return list(got, m["b"])
		}},
	}},
	{"module.load_state_dict(d, strict=False) of renamed keys", []pair{
		{"(lambda d: [d['W'], 'B' in d])({n.replace('weight', 'W'): t for n, t in " +
			"safetensors.numpy.load_file(folder + '/renamed.safetensors').items()})  # load_state_dict", func() any {
			path := filepath.Join(folder, "renamed.safetensors")
			if err := nx.SaveTensors(path, map[string]nx.Tensor{"weight": a, "steps": i}); err != nil {
				panic(err)
			}
			var p struct{ W, B nx.Tensor }
			names := strings.NewReplacer("weight", "W")
			if err := nx.LoadTensors(path, &p, nx.RenameArrays(names.Replace), nx.Partial); err != nil {
				panic(err)
			}
			return list(p.W, !p.B.IsZero())
		}},
	}},
	{"json.dumps(a.tolist())", []pair{
		{"__import__('json').dumps(i.tolist()).replace(' ', '')", func() any {
			text, err := json.Marshal(i)
			if err != nil {
				panic(err)
			}
			var fields struct{ Data json.RawMessage }
			if err := json.Unmarshal(text, &fields); err != nil || fields.Data == nil {
				return string(text)
			}
			return string(fields.Data)
		}},
	}},
	{`f"{x:.3f}"`, []pair{
		{`f"{a[1, 1]:.3f}"`, func() any { return fmt.Sprintf("%.3f", a.At(1, 1)) }},
	}},
}
