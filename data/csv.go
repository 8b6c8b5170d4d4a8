package data

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx"
)

// CSVOption is an option of [ReadCSV].
type CSVOption interface{ csv(*csvOptions) }

type csvOptions struct {
	comma   rune
	comment rune
	missing []string
	header  []string
}

type commaOption rune
type commentOption rune
type missingOption []string
type headerOption []string

// Comma is the separator of fields, ',' without it.
func Comma(r rune) CSVOption { return commaOption(r) }

// Comment begins lines that are left out.
func Comment(r rune) CSVOption { return commentOption(r) }

// Missing lists the texts of missing values; without it they are the empty text, NA, N/A, NaN, null and ?.
func Missing(texts ...string) CSVOption { return missingOption(texts) }

// Header names the columns of a file without a line of names.
func Header(names ...string) CSVOption { return headerOption(names) }

func (o commaOption) csv(c *csvOptions)   { c.comma = rune(o) }
func (o commentOption) csv(c *csvOptions) { c.comment = rune(o) }
func (o missingOption) csv(c *csvOptions) { c.missing = o }
func (o headerOption) csv(c *csvOptions)  { c.header = o }

// ReadCSV reads the rows of a file with named columns (RFC 4180) as structs: the schema. A field takes the column of
// its name, in any case, or of its tag; other columns are left out. Fields are numbers, bools (0, 1, t, f, true,
// false), strings, or pointers to these, which are nil where a value is missing:
//
//	type passenger struct {
//		Age      float32 `csv:"age,missing=29.7"`
//		Class    int32   `csv:"pclass"`
//		Survived bool
//		Cabin    *string
//	}
//
// A missing value is an error, unless the field is a pointer or its tag has a value for it ("missing=NaN" for floats).
// Numbers that their type cannot hold are errors.
//
// The error names the file, the line and the column.
func ReadCSV[E any](path string, opts ...CSVOption) (rows []E, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err = DecodeCSV[E](f, opts...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rows, nil
}

// DecodeCSV is [ReadCSV] of a reader.
func DecodeCSV[E any](r io.Reader, opts ...CSVOption) (rows []E, err error) {
	o := csvOptions{comma: ',', missing: []string{"", "NA", "N/A", "NaN", "nan", "null", "?"}}
	for _, opt := range opts {
		if opt != nil {
			opt.csv(&o)
		}
	}
	c := csv.NewReader(r)
	c.Comma, c.Comment, c.ReuseRecord = o.comma, o.comment, true
	header := o.header
	if header == nil {
		line, err := c.Read()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("the file is empty, it needs a line with the names of its columns")
		}
		if err != nil {
			return nil, err
		}
		header = slices.Clone(line)
		header[0] = strings.TrimPrefix(header[0], "\uFEFF") // the byte order mark that spreadsheets write
	}
	fields, err := schema(reflect.TypeFor[E](), header)
	if err != nil {
		return nil, err
	}
	for {
		line, err := c.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		var row E
		v := reflect.ValueOf(&row).Elem()
		for _, f := range fields {
			if f.column >= len(line) {
				n, _ := c.FieldPos(len(line) - 1)
				return nil, fmt.Errorf("line %d has %d fields, the column %q is number %d", n, len(line),
					header[f.column], f.column+1)
			}
			if err := f.set(v.FieldByIndex(f.index), line[f.column], o.missing); err != nil {
				n, _ := c.FieldPos(f.column)
				return nil, fmt.Errorf("line %d, column %q: %w", n, header[f.column], err)
			}
		}
		rows = append(rows, row)
	}
}

// csvField is a field of a schema and its column.
type csvField struct {
	index       []int
	column      int
	replacement *string // of a missing value
}

// schema matches the fields of a struct with the names of columns.
func schema(t reflect.Type, header []string) (fields []csvField, err error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("rows are read as structs, not as %v", t)
	}
	for _, f := range reflect.VisibleFields(t) {
		tag := f.Tag.Get("csv")
		if !f.IsExported() || f.Anonymous || tag == "-" {
			continue
		}
		name, rest, _ := strings.Cut(tag, ",")
		same := func(h string) bool { return h == name }
		if name == "" {
			name = f.Name
			same = func(h string) bool { return strings.EqualFold(h, name) }
		}
		c := csvField{index: f.Index, column: slices.IndexFunc(header, func(h string) bool {
			return same(strings.TrimSpace(h))
		})}
		if c.column < 0 {
			return nil, fmt.Errorf("there is no column %q for the field %s; the columns are %q", name, f.Name, header)
		}
		if v, ok := strings.CutPrefix(rest, "missing="); ok {
			c.replacement = &v
		} else if rest != "" {
			return nil, fmt.Errorf("the tag of the field %s has %q, which is not missing=VALUE", f.Name, rest)
		}
		fields = append(fields, c)
	}
	if len(fields) == 0 {
		return nil, fmt.Errorf("the struct %v has no exported fields", t)
	}
	return fields, nil
}

func (f *csvField) set(v reflect.Value, text string, missing []string) error {
	text = strings.TrimSpace(text)
	pointer := v.Kind() == reflect.Pointer
	if slices.Contains(missing, text) && !(text == "" && v.Kind() == reflect.String) {
		switch {
		case f.replacement != nil:
			text = *f.replacement
		case pointer:
			return nil
		default:
			return errors.New("the value is missing: give the field the tag `csv:\"…,missing=VALUE\"`, " +
				"or make it a pointer")
		}
	}
	if pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	return setText(v, text)
}

// setText sets a number, a bool or a string from its text.
func setText(v reflect.Value, text string) error {
	number := func(err error) error {
		if errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("%v cannot hold %s", v.Type(), text)
		}
		if err != nil {
			return fmt.Errorf("%q is not a number of type %v", text, v.Type())
		}
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(strings.ToLower(text))
		if err != nil {
			return fmt.Errorf("%q is not a bool", text)
		}
		v.SetBool(b)
	case reflect.Float32, reflect.Float64:
		x, err := strconv.ParseFloat(text, v.Type().Bits())
		v.SetFloat(x)
		return number(err)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x, err := strconv.ParseInt(text, 10, v.Type().Bits())
		v.SetInt(x)
		return number(err)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		x, err := strconv.ParseUint(text, 10, v.Type().Bits())
		v.SetUint(x)
		return number(err)
	default:
		return fmt.Errorf("fields of type %v are not read: numbers, bools, strings and pointers to them are", v.Type())
	}
	return nil
}

// Column makes a tensor of a value of each record: of a number [n], of a slice of them [n, k].
//
//	X: data.Column(rows, func(p passenger) []float32 { return []float32{p.Age, p.Fare} })
//
// Errors: those of [nx.New], such as [nx.ErrRagged] for slices of different lengths.
func Column[E, V any](records []E, of func(E) V) nx.Tensor {
	values := make([]V, len(records))
	for i, r := range records {
		values[i] = of(r)
	}
	return nx.New(values)
}
