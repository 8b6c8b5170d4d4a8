package nx

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/encoding/safetensors"
	"github.com/go-nx/nx/internal/model"
)

// array is an array of a file, read when it is asked for.
type array struct {
	file, name string
	dtype      DType
	shape      []int
	read       func() ([]byte, error)
}

// bind gives arguments their values: those that options name, those of files, and
// those that come with the program.
func (m *Model) bind(o *loadOptions) error {
	all := make([]int, len(m.bound))
	for i := range all {
		all[i] = i
	}
	params := m.params(all)
	h := local()
	if o.client != nil {
		h = homeOf(o.client.Devices()[0])
	}
	names := make([]string, 0, len(o.bind))
	for name := range o.bind {
		names = append(names, name)
	}
	slices.Sort(names)
	at, unused := model.Match(params, "arg", names)
	if len(unused) > 0 {
		return fmt.Errorf("%s has no argument %q to bind%s", m.program.Path, unused[0], nearestParam(unused[0], params, "arg"))
	}
	for i, n := range at {
		if n < 0 {
			continue
		}
		t := o.bind[names[n]]
		if err := m.accepts(i, t); err != nil {
			return err
		}
		m.bound[i] = t
	}
	var opened []func() error
	defer func() {
		for _, c := range opened {
			c()
		}
	}()
	var arrays []array
	for _, file := range o.weights {
		list, closer, err := openArrays(file)
		if err != nil {
			return err
		}
		arrays, opened = append(arrays, list...), append(opened, closer)
	}
	return errors.Join(m.bindArrays(h, params, arrays, o.names), m.bindFiles(h, params))
}

// bindArrays binds the arrays of files. Its error has a line for each that does not
// fit.
func (m *Model) bindArrays(h *home, params []model.Param, arrays []array, renamed map[string]string) error {
	given := make([]string, len(arrays))
	for i, a := range arrays {
		given[i] = a.name
	}
	for arg, name := range renamed {
		i := slices.Index(given, name)
		if i < 0 {
			return fmt.Errorf("%s: the files have no array %q for the argument %q%s", m.program.Path, name, arg,
				isIt(model.Nearest(name, given)))
		}
		given[i] = arg
	}
	at, unused := model.Match(params, "arg", given)
	var errs []error
	for _, name := range unused {
		file := arrays[slices.Index(given, name)].file
		errs = append(errs, fmt.Errorf("%s: %s has no argument %q%s", file, m.program.Path, name, nearestParam(name, params, "arg")))
	}
	for i, n := range at {
		if n < 0 || m.bound[i].p != nil {
			continue
		}
		if err := m.bindArray(h, i, params[i], arrays[n]); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func isIt(near string) string {
	if near == "" {
		return ""
	}
	return ": is it " + near + "?"
}

// bindArray binds an array, whose memory becomes the argument's where the device
// computes in that of the program.
func (m *Model) bindArray(h *home, arg int, p model.Param, a array) error {
	want := parameters([]model.Param{p})[0]
	if a.dtype != want.DType || !shapeFits(a.shape, want.Shape) {
		got := Spec{DType: a.dtype, Shape: a.shape}
		return fmt.Errorf("%s: %s is %s, but %s takes %s%s", a.file, a.name, &got, m.program.Path, want,
			castHint(a, want))
	}
	data, err := a.read()
	if err != nil {
		return fmt.Errorf("%s: %w", a.file, err)
	}
	spec := newSpec("Load", Spec{DType: want.DType, Shape: a.shape})
	if c, ok := h.client.(backend.Wrapper); ok && len(data) > 0 {
		b, err := c.Wrap(spec.bufferType(), data)
		if err != nil {
			return err
		}
		m.bound[arg] = newBuffer(h, spec, b)
		return nil
	}
	m.bound[arg] = newBuffer(h, spec, h.upload("Load", spec, data))
	return nil
}

// castHint says what to do about NumPy's default types.
func castHint(a array, want Parameter) string {
	if !shapeFits(a.shape, want.Shape) {
		return ""
	}
	switch {
	case a.dtype == dtype.S64 && want.DType == dtype.S32:
		return ": NumPy makes integers int64: save x.astype(np.int32)"
	case a.dtype == dtype.F64 && want.DType == dtype.F32:
		return ": NumPy makes floats float64: save x.astype(np.float32)"
	}
	return ""
}

// bindFiles binds the weights that come with the program.
func (m *Model) bindFiles(h *home, params []model.Param) error {
	for i, p := range params {
		if p.File == "" || m.bound[i].p != nil {
			continue
		}
		a, err := npy.ReadFile(p.File)
		if err != nil {
			return err
		}
		read := func() ([]byte, error) { return a.Data, nil }
		if err := m.bindArray(h, i, p, array{p.File, p.Name, a.DType, a.Shape, read}); err != nil {
			return err
		}
	}
	return nil
}

// openArrays lists the arrays of a file.
func openArrays(file string) (list []array, closer func() error, err error) {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".safetensors":
		f, err := safetensors.Open(file)
		if err != nil {
			return nil, nil, err
		}
		for _, info := range f.Infos() {
			list = append(list, array{file, info.Name, info.DType, info.Shape, func() ([]byte, error) {
				t, err := f.Tensor(info.Name)
				return t.Data, err
			}})
		}
		return list, f.Close, nil
	case ".npz":
		z, err := npy.OpenZip(file)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range z.Names() {
			head, err := z.Header(name)
			if err != nil {
				return nil, nil, errors.Join(fmt.Errorf("%s: %w", file, err), z.Close())
			}
			list = append(list, array{file, name, head.DType, head.Shape, func() ([]byte, error) {
				a, err := z.Array(name)
				return a.Data, err
			}})
		}
		return list, z.Close, nil
	case ".npy":
		a, err := npy.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		read := func() ([]byte, error) { return a.Data, nil }
		return []array{{file, name, a.DType, a.Shape, read}}, func() error { return nil }, nil
	}
	if _, err := os.Stat(file); err != nil {
		return nil, nil, err
	}
	return nil, nil, fmt.Errorf("%s: weights are read from .safetensors, .npz and .npy", file)
}
