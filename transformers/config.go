package transformers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
)

// most limits counts of a configuration, such as layers, which are not checked by the sizes of weights.
const most = 1 << 10

// config reads the fields of a config.json and keeps which of them were asked for: a field without a reader is an
// option that is not known. The first error is kept; later reads return zeros.
type config struct {
	file   string
	prefix string // of the names of the fields in messages
	fields map[string]any
	asked  map[string]bool
	keys   map[string]string // the names of fields in the file where it has others, by those with prefixes
	err    *error
}

// label is the name of a field in messages.
func (c *config) label(name string) string {
	if key, ok := c.keys[c.prefix+name]; ok {
		return key
	}
	return c.prefix + name
}

func readConfig(file string) (*config, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := &config{file: file, asked: map[string]bool{}, err: new(error)}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&c.fields); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if c.fields == nil {
		return nil, fmt.Errorf("%s: not an object", file)
	}
	return c, nil
}

// fail keeps the first error.
func (c *config) fail(format string, args ...any) {
	if *c.err == nil {
		*c.err = fmt.Errorf("%s: "+format, append([]any{c.file}, args...)...)
	}
}

// get returns a field by the first of its names that is there and not null.
func (c *config) get(names ...string) (v any, name string) {
	for _, n := range names {
		c.asked[n] = true
	}
	for _, n := range names {
		if v := c.fields[n]; v != nil {
			return v, n
		}
	}
	return nil, names[0]
}

// has reports whether a field is there and not null.
func (c *config) has(name string) bool {
	v, _ := c.get(name)
	return v != nil
}

func (c *config) wrong(name, want string, v any) {
	text, _ := json.Marshal(v)
	if len(text) > 80 {
		text = append(text[:80], "…"...)
	}
	c.fail("the field %s must be %s, got %s", c.label(name), want, text)
}

// size returns a count of at least 1 by the first of its names that is there, or the default.
func (c *config) size(or int, names ...string) int {
	v, name := c.get(names...)
	if v == nil {
		if or < 1 {
			c.fail("the field %s is missing", c.label(name))
			return 1
		}
		return or
	}
	f, ok := v.(float64)
	if !ok || f != math.Trunc(f) || f < 1 || f > math.MaxInt32 {
		c.wrong(name, "an integer from 1 to 2147483647", v)
		return 1
	}
	return int(f)
}

// count is size for numbers of layers, heads and the like.
func (c *config) count(or int, names ...string) int {
	n := c.size(or, names...)
	if n > most {
		c.fail("the field %s is %d, at most %d are possible", c.label(names[0]), n, most)
		return 1
	}
	return n
}

// integer returns an integer, or the default.
func (c *config) integer(or int, names ...string) int {
	v, name := c.get(names...)
	if v == nil {
		return or
	}
	f, ok := v.(float64)
	if !ok || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		c.wrong(name, "an integer", v)
		return or
	}
	return int(f)
}

// number returns a number, or the default.
func (c *config) number(or float64, names ...string) float64 {
	v, name := c.get(names...)
	if v == nil {
		return or
	}
	f, ok := v.(float64)
	if !ok {
		c.wrong(name, "a number", v)
		return or
	}
	return f
}

// flag returns a truth value, or the default.
func (c *config) flag(or bool, names ...string) bool {
	v, name := c.get(names...)
	if v == nil {
		return or
	}
	b, ok := v.(bool)
	if !ok {
		c.wrong(name, "true or false", v)
		return or
	}
	return b
}

// text returns a string, or the default.
func (c *config) text(or string, names ...string) string {
	v, name := c.get(names...)
	if v == nil {
		return or
	}
	s, ok := v.(string)
	if !ok {
		c.wrong(name, "a string", v)
		return or
	}
	return s
}

// texts returns a list of strings, or nil.
func (c *config) texts(name string) (list []string) {
	v, _ := c.get(name)
	if v == nil {
		return nil
	}
	items, ok := v.([]any)
	if !ok {
		c.wrong(name, "a list of strings", v)
		return nil
	}
	for _, item := range items {
		s, ok := item.(string)
		if !ok {
			c.wrong(name, "a list of strings", v)
			return nil
		}
		list = append(list, s)
	}
	return list
}

// numbers returns a list of numbers, or nil. Truth values count as 0 and 1.
func (c *config) numbers(name string) (list []float64) {
	v, _ := c.get(name)
	if v == nil {
		return nil
	}
	items, ok := v.([]any)
	if !ok {
		c.wrong(name, "a list of numbers", v)
		return nil
	}
	for _, item := range items {
		switch x := item.(type) {
		case float64:
			list = append(list, x)
		case bool:
			list = append(list, 0)
			if x {
				list[len(list)-1] = 1
			}
		default:
			c.wrong(name, "a list of numbers", v)
			return nil
		}
	}
	return list
}

// object returns the fields of an object, or nil. Its fields that are not known are reported with those of c.
func (c *config) object(name string) *config {
	v, _ := c.get(name)
	if v == nil {
		return nil
	}
	fields, ok := v.(map[string]any)
	if !ok {
		c.wrong(name, "an object", v)
		return nil
	}
	return &config{file: c.file, prefix: c.prefix + name + ".", fields: fields, asked: map[string]bool{}, keys: c.keys,
		err: c.err}
}

// must fails where a field has another value than the one that the package computes.
func (c *config) must(name string, want any) {
	if v, _ := c.get(name); v != nil && v != want {
		text, _ := json.Marshal(v)
		c.fail("the option %s = %s is not supported", c.label(name), text)
	}
}

// unknown fails where a field has not been asked for, is not among those that do not matter for results, and is set:
// not null and not false.
func (c *config) unknown(ignore []string) {
	for _, name := range slices.Sorted(maps.Keys(c.fields)) {
		if c.asked[name] || harmless[name] || strings.HasPrefix(name, "_") || slices.Contains(ignore, c.label(name)) ||
			c.fields[name] == nil || c.fields[name] == false {
			continue
		}
		text, _ := json.Marshal(c.fields[name])
		if len(text) > 80 {
			text = append(text[:80], "…"...)
		}
		c.fail("the option %s = %s is not known; transformers.Ignore(%q) opens the model without it", c.label(name), text,
			c.label(name))
	}
}

// exists reports whether a file is there.
func exists(file string) bool {
	_, err := os.Stat(file)
	return !errors.Is(err, fs.ErrNotExist)
}
