package core

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/model"
)

// bind gives arguments their values: those that options name, those of files, and
// those that come with the program.
func (m *content) bind(ctx context.Context, o *loadOptions) error {
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
		return fmt.Errorf("%s has no argument %q to bind%s", m.program.Path, unused[0],
			nearestParam(unused[0], params, "arg"))
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
	var arrays []model.Array
	for _, file := range o.weights {
		list, closer, err := model.OpenArraysIn(ctx, o.fsys, file)
		if err != nil {
			return err
		}
		arrays, opened = append(arrays, list...), append(opened, closer)
	}
	return errors.Join(m.bindArrays(h, params, arrays, o.names), m.bindFiles(ctx, h, params))
}

// bindArrays binds the arrays of files. Its error has a line for each that does not
// fit.
func (m *content) bindArrays(h *home, params []model.Param, arrays []model.Array, renamed map[string]string) error {
	given := make([]string, len(arrays))
	for i, a := range arrays {
		given[i] = a.Name
	}
	for arg, name := range renamed {
		i := slices.Index(given, name)
		if i < 0 {
			return fmt.Errorf("%s: the files have no array %q for the argument %q%s", m.program.Path, name, arg,
				didYouMean(model.Nearest(name, given)))
		}
		given[i] = arg
	}
	at, unused := model.Match(params, "arg", given)
	var errs []error
	for _, name := range unused {
		file := arrays[slices.Index(given, name)].File
		errs = append(errs,
			fmt.Errorf("%s: %s has no argument %q%s", file, m.program.Path, name, nearestParam(name, params, "arg")))
	}
	if hint := model.NoNames(m.program.In, unused); hint != "" {
		errs = append(errs, fmt.Errorf("%s: %s", m.program.Path, hint))
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

func didYouMean(near string) string {
	if near == "" {
		return ""
	}
	return ": is it " + near + "?"
}

// bindArray binds an array, whose memory becomes the argument's where the device
// computes in that of the program.
func (m *content) bindArray(h *home, arg int, p model.Param, a model.Array) error {
	want := p.Tensor()
	if !model.Holds(a.Header, want.DType()) || !model.Fits(a.Header.Shape, want.Dims) {
		return fmt.Errorf("%s: %s is %s%v, but %s takes %s%s", a.File, a.Name, a.Header.ItemType(),
			Shape(a.Header.Shape),
			m.program.Path, parameters([]model.Param{p})[0], model.CastHint(a.Header, want))
	}
	t, err := arrayTensor("Load", h, &a, want.DType())
	if err != nil {
		return err
	}
	m.bound[arg] = t
	return nil
}

// arrayTensor returns an array of a file as a tensor of type d, mapped where the device computes in the memory of
// the program.
func arrayTensor(op string, h *home, a *model.Array, d DType) (Tensor, error) {
	borrower, borrows := h.client.(backend.Borrower)
	data, owner, err := a.Get(d, borrows)
	if err != nil {
		return Tensor{}, fmt.Errorf("%s: %s: %w", a.File, a.Name, err)
	}
	spec := newSpec(op, Spec{DType: d, Shape: data.Shape, Names: a.Axes})
	if owner != nil {
		b, err := borrower.Borrow(spec.bufferType(), data.Data, owner)
		if err != nil {
			return Tensor{}, err
		}
		return newBorrowed(h, spec, b), nil
	}
	if c, ok := h.client.(backend.Wrapper); ok && len(data.Data) > 0 {
		b, err := c.Wrap(spec.bufferType(), data.Data)
		if err != nil {
			return Tensor{}, err
		}
		return newBorrowed(h, spec, b), nil
	}
	return newBuffer(h, spec, h.upload(op, spec, data.Data)), nil
}

// bindFiles binds the weights that come with the program.
func (m *content) bindFiles(ctx context.Context, h *home, params []model.Param) error {
	for i, p := range params {
		if p.File == "" || m.bound[i].p != nil {
			continue
		}
		a, done, err := p.Value(ctx)
		if err != nil {
			return err
		}
		err = m.bindArray(h, i, p, a)
		done()
		if err != nil {
			return err
		}
	}
	return nil
}
