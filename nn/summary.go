package nn

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/tree"
)

// Summary writes a table of the layers of a model that have tensors: path, type, shapes, parameters, FLOPs and bytes.
// FLOPs are those of the operations that take a tensor of the layer, in one application to x, arguments of the model's
// method Apply; they are left out without x. Sums for parameters that are trained, buffers and other tensors that are
// not, and for operations without a tensor of the model follow.
//
// A multiplication and an addition are two FLOPs, as nx inspect counts them; loops count with their number of trips
// where that is a constant. Nothing is computed.
//
// Errors: [nx.ErrArgument] if the model has no method Apply(*Ctx, x…) for as many arguments.
func Summary(w io.Writer, m any, x ...nx.Tensor) (err error) {
	defer core.Catch(&err)
	leaves := Leaves(m)
	flops := make([]float64, len(leaves))
	other := 0.0
	if len(x) > 0 {
		if flops, other, err = flopsOf(m, len(leaves), x); err != nil {
			return err
		}
	}
	types := map[string]string{}
	typesOf(reflect.ValueOf(m), "", types, 0)
	type row struct {
		path, kind, shape string
		params, bytes     int
		flops             float64
	}
	var rows []*row
	var trained, buffers, frozen, total row
	for i, l := range leaves {
		path := layerPath(l.Path)
		if len(rows) == 0 || rows[len(rows)-1].path != path {
			rows = append(rows, &row{path: path, kind: types[path]})
		}
		r := rows[len(rows)-1]
		if r.shape += " "; l.Tensor.Rank() == 0 {
			r.shape += "[]"
		}
		r.shape += fmt.Sprint(l.Tensor.Shape())
		sums := []*row{r, &total, &trained}
		switch {
		case l.Buffer:
			sums[2] = &buffers
		case !Trainable(l):
			sums[2] = &frozen
		}
		for _, s := range sums {
			if s != r || sums[2] == &trained {
				s.params += l.Tensor.Size()
			}
			s.bytes += l.Tensor.Size() * l.Tensor.DType().Size()
			s.flops += flops[i]
		}
	}
	table := [][]string{{"layer", "type", "shapes", "parameters", "FLOPs", "bytes"}}
	line := func(path, kind, shape string, params int, f float64, bytes int) {
		table = append(table, []string{path, kind, strings.TrimSpace(shape), grouped(float64(params)), amount(f, x),
			grouped(float64(bytes))})
	}
	for _, r := range rows {
		line(r.path, r.kind, r.shape, r.params, r.flops, r.bytes)
	}
	line("trained", "", "", trained.params, trained.flops, trained.bytes)
	line("buffers", "", "", buffers.params, buffers.flops, buffers.bytes)
	if frozen.bytes > 0 {
		line("other tensors", "", "", frozen.params, frozen.flops, frozen.bytes)
	}
	if len(x) > 0 {
		line("other operations", "", "", 0, other, 0)
	}
	line("sum", "", "", total.params, total.flops+other, total.bytes)
	return writeTable(w, table)
}

// writeTable writes rows of six cells; the last three are numbers, to the right.
func writeTable(w io.Writer, table [][]string) error {
	var widths [6]int
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range table {
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < 3 {
				b.WriteString(cell + space + "  ")
			} else {
				b.WriteString(space + cell)
			}
			if i > 2 && i < 5 {
				b.WriteString("  ")
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// amount is a number of FLOPs, nothing where they are not counted.
func amount(f float64, x []nx.Tensor) string {
	if len(x) == 0 {
		return ""
	}
	return grouped(f)
}

// grouped is a number with spaces between thousands.
func grouped(f float64) string {
	s := strconv.FormatFloat(math.Round(f), 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// layerPath is the path of the layer that a tensor is a field of; that of an element of a list, or map, of tensors is
// the list's.
func layerPath(path string) string {
	path = strings.TrimSuffix(strings.TrimRight(path, "0123456789"), "[")
	return path[:max(0, strings.LastIndexByte(path, '.'))]
}

// typesOf records the types of the structs below v by their paths.
func typesOf(v reflect.Value, path string, types map[string]string, depth int) {
	if depth > 100 || !v.IsValid() {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		typesOf(v.Elem(), path, types, depth+1)
	case reflect.Struct:
		if isTensor(v.Type()) {
			return
		}
		types[strings.TrimPrefix(path, ".")] = v.Type().Name()
		for i := range v.NumField() {
			typesOf(v.Field(i), path+"."+v.Type().Field(i).Name, types, depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			typesOf(v.Index(i), fmt.Sprintf("%s[%d]", path, i), types, depth+1)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			typesOf(v.MapIndex(k), fmt.Sprintf("%s[%v]", path, k), types, depth+1)
		}
	}
}

// application are the arguments of an application of a model.
type application struct {
	Model any
	X     []nx.Tensor
}

// flopsOf returns the FLOPs of the operations that take each tensor of a model, and of those that take none.
func flopsOf(m any, leaves int, x []nx.Tensor) (of []float64, other float64, err error) {
	apply := func(a application) []nx.Tensor {
		method := reflect.ValueOf(a.Model).MethodByName("Apply")
		in := []reflect.Value{reflect.ValueOf(&Ctx{Model: a.Model})}
		for _, t := range a.X {
			in = append(in, reflect.ValueOf(t))
		}
		var out []nx.Tensor
		for _, r := range method.Call(in) {
			for _, t := range tree.Leaves(r.Interface()) {
				out = append(out, t)
			}
		}
		return out
	}
	method, ok := reflect.TypeOf(m).MethodByName("Apply")
	ok = ok && method.Type.NumIn() == 2+len(x) && method.Type.In(1) == reflect.TypeFor[*Ctx]() &&
		!method.Type.IsVariadic()
	for i := range x {
		ok = ok && method.Type.In(2+i) == tensorType
	}
	if !ok {
		panic(diag.New(nx.ErrArgument, "Summary",
			"pass the address of a model, and what its Apply takes; without x FLOPs are left out",
			"%T has no method Apply(*nn.Ctx, …) of %d tensors", m, len(x)))
	}
	program, err := nx.Lower(apply, []any{application{m, x}})
	if err != nil {
		return nil, 0, err
	}
	c := newCount(program.Module(), leaves)
	c.main()
	return c.of, c.other, nil
}

// CheckModel returns an error that names tensors of a model which are found twice: both are parameters of their own
// after a step. Share by use: apply one layer twice, or [Embedding.Attend].
func CheckModel(m any) error {
	first := map[any]string{}
	var twice []string
	for path, t := range tree.Leaves(m) {
		id := core.Identity(core.Tensor(t))
		if other, ok := first[id]; ok {
			twice = append(twice, fmt.Sprintf("%s is %s", path, other))
			continue
		}
		first[id] = path
	}
	if twice == nil {
		return nil
	}
	const shown = 8
	detail := strings.Join(twice[:min(shown, len(twice))], ", ")
	if len(twice) > shown {
		detail += fmt.Sprintf(", and %d more", len(twice)-shown)
	}
	return diag.New(nx.ErrContainer, "CheckModel",
		"use one layer in two places rather than a second field: after a step they are two parameters",
		"tensors are found twice: %s", detail)
}
