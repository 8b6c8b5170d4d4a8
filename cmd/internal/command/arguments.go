package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/mapped"
	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// inputs are the arrays of the files given for the arguments of a program.
type inputs struct {
	from   string // the files, for messages
	arrays []model.Array
	close  []func() error
}

// openInputs opens the files; renamed is a JSON object that maps names of arguments to names of arrays, or "".
func openInputs(ctx context.Context, files []string, renamed string) (in *inputs, err error) {
	in = &inputs{from: strings.Join(files, ", ")}
	for _, file := range files {
		list, closer, err := model.OpenArrays(ctx, file)
		if err != nil {
			if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
				err = fileError("read", file, err)
			}
			return in, err
		}
		in.arrays, in.close = append(in.arrays, list...), append(in.close, closer)
	}
	return in, in.rename(renamed)
}

// rename returns arrays the names of the arguments that they are for.
func (in *inputs) rename(file string) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fileError("read", file, err)
	}
	var names map[string]string
	if err := json.Unmarshal(text, &names); err != nil {
		return fmt.Errorf("%s: want a JSON object of argument → array: %w", file, err)
	}
	for arg, name := range names {
		i := slices.IndexFunc(in.arrays, func(a model.Array) bool { return a.Name == name })
		if i < 0 {
			return fmt.Errorf("%s: no file has the array %q for the argument %q", file, name, arg)
		}
		in.arrays[i].Name = arg
	}
	return nil
}

func (in *inputs) done() {
	for _, c := range in.close {
		c()
	}
}

// readArguments reads the arguments of @main from files of arguments, and from the files of the program. Its
// error has a line for each argument that does not fit.
func readArguments(ctx context.Context, files []string, renamed string, p *model.Program,
	name string) ([]interp.Value, error) {
	in, err := openInputs(ctx, files, renamed)
	defer in.done()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(in.arrays))
	for i, a := range in.arrays {
		names[i] = a.Name
	}
	at, unused := model.Match(p.In, "arg", names)
	var errs []error
	args := make([]interp.Value, len(p.In))
	for i := range p.In {
		q := &p.In[i]
		var a *model.Array
		done := func() error { return nil }
		if at[i] >= 0 {
			a = &in.arrays[at[i]]
		} else if q.File != "" {
			own, closer, err := q.Value(ctx)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			a, done = &own, closer // at once: bundles have a file for every weight
		}
		if args[i], err = readArgument(a, label(q, i), q.Type, unused); err != nil {
			from := in.from
			if a != nil {
				from = a.File
			}
			errs = append(errs, fmt.Errorf("%s: %w", from, err))
		}
		done()
	}
	for _, unknown := range unused {
		near := ""
		if n := model.Nearest(unknown, missing(p, at)); n != "" {
			near = ": is it " + n + "?"
		}
		errs = append(errs, fmt.Errorf("%s: %s: %s has no such argument: it takes %s%s",
			in.from, unknown, name, argumentNames(p.In), near))
	}
	if hint := model.NoNames(p.In, unused); hint != "" {
		errs = append(errs, fmt.Errorf("%s: %s", p.Path, hint))
	}
	return args, errors.Join(errs...)
}

// missing lists the arguments that have no value.
func missing(p *model.Program, at []int) (names []string) {
	for i := range p.In {
		if at[i] < 0 && p.In[i].File == "" {
			names = append(names, p.In[i].Label("arg", i))
		}
	}
	return names
}

// label returns the index and the name of an argument.
func label(q *model.Param, i int) string {
	if q.Name == "" || q.Local {
		return fmt.Sprintf("arg%d", i)
	}
	return fmt.Sprintf("arg%d %s", i, q.Name)
}

// argumentNames lists the arguments of a program, a long list by the indices.
func argumentNames(params []model.Param) string {
	const many = 8
	switch n := len(params); {
	case n == 0:
		return "none"
	case n > many:
		return fmt.Sprintf("arg0 to arg%d", n-1)
	}
	names := make([]string, len(params))
	for i := range params {
		names[i] = label(&params[i], i)
	}
	return strings.Join(names, ", ")
}

// mappings are the mapped files of arguments. They stay mapped until the process ends.
var mappings []*mapped.File

// guarded calls f, which reads arguments. A file of them that is truncated meanwhile is an error.
func guarded(f func() error) error {
	for _, m := range mappings {
		inner := f
		f = func() error { return m.Guard(inner) }
	}
	return f()
}

// readArgument reads one array; its type is checked before its data is read.
func readArgument(a *model.Array, name string, t stablehlo.Type, unused []string) (interp.Value, error) {
	switch t := t.(type) {
	case stablehlo.TokenType:
		if a != nil {
			return nil, fmt.Errorf("%s: the argument is a token, which takes no array: leave it out", name)
		}
		return interp.Token{}, nil
	case *stablehlo.TensorType:
		if a == nil {
			near := ""
			if n := model.Nearest(name[strings.IndexByte(name, ' ')+1:], unused); n != "" {
				near = ": is it " + n + "?"
			}
			return nil, fmt.Errorf("%s: missing: want %s%s", name, typeText(t), near)
		}
		if !model.Holds(a.Header, t.DType()) || !model.Fits(a.Header.Shape, t.Dims) {
			return nil, fmt.Errorf("%s: want %s, got %s%s", name, typeText(t), headerText(a.Header),
				model.CastHint(a.Header, t))
		}
		data, owner, err := a.Get(t.DType(), true)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if owner != nil && !slices.Contains(mappings, owner) {
			mappings = append(mappings, owner)
		}
		return interp.NewTensor(t.WithDims(dims64(data.Shape)...), data.Data)
	}
	return nil, fmt.Errorf("%s: an argument of type %s cannot be read from a file", name, t)
}
