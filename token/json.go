package token

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// object is an object of the file whose fields are taken one by one. The first fault is kept.
type object struct {
	where  string
	fields map[string]json.RawMessage
	err    *error
}

// fail records a fault.
func (o *object) fail(format string, args ...any) {
	if *o.err == nil {
		*o.err = fmt.Errorf("token: %s: %s", o.where, fmt.Sprintf(format, args...))
	}
}

// newObject reads an object; where names it in messages.
func newObject(raw json.RawMessage, where string, err *error) *object {
	o := &object{where: where, err: err}
	if *err == nil {
		if json.Unmarshal(raw, &o.fields) != nil || o.fields == nil {
			o.fail("must be an object")
		}
	}
	return o
}

// isNull tells whether a value is missing or null.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(bytes.TrimSpace(raw)) == "null" }

// take removes a field and returns it, nil where there is none or it is null.
func (o *object) take(name string) json.RawMessage {
	raw := o.fields[name]
	delete(o.fields, name)
	if isNull(raw) {
		return nil
	}
	return raw
}

// field reads a field into dst. It answers false where there is none; with must that is a fault.
func (o *object) field(name string, must bool, kind string, dst any) bool {
	raw := o.take(name)
	if raw == nil {
		if must {
			o.fail("field %q is missing: it must be %s", name, kind)
		}
		return false
	}
	if json.Unmarshal(raw, dst) != nil {
		o.fail("field %q must be %s, not %s", name, kind, shorten(raw))
		return false
	}
	return true
}

func shorten(raw []byte) string {
	if len(raw) > 40 {
		return strings.ToValidUTF8(string(raw[:40]), "") + "…"
	}
	return string(raw)
}

func (o *object) string(name string) (s string) { o.field(name, true, "a string", &s); return s }

func (o *object) bool(name string) (b bool) { o.field(name, true, "true or false", &b); return b }

func (o *object) boolOr(name string, or bool) bool {
	o.field(name, false, "true or false", &or)
	return or
}

// char reads a string of one character.
func (o *object) char(name string) string {
	s := o.string(name)
	if *o.err == nil && utf8.RuneCountInString(s) != 1 {
		o.fail("field %q must be one character, not %q", name, s)
	}
	return s
}

// count reads a number that counts something.
func (o *object) count(name string) int {
	var n int64
	if o.field(name, true, "a whole number", &n) && (n < 0 || n > math.MaxInt32) {
		o.fail("field %q must be from 0 to %d, not %d", name, math.MaxInt32, n)
	}
	return int(n)
}

// choice reads a string that must be a key of values.
func choice[T any](o *object, name, or string, values map[string]T) (value T) {
	s := or
	if !o.field(name, or == "", "a string", &s) && or == "" {
		return value
	}
	value, ok := values[s]
	if !ok {
		names := slices.Sorted(maps.Keys(values))
		o.fail("field %q must be one of %s, not %q", name, strings.Join(names, ", "), s)
	}
	return value
}

// list reads a list.
func (o *object) list(name string) (items []json.RawMessage) {
	o.field(name, true, "a list", &items)
	return items
}

// done makes a fault of fields that were not taken.
func (o *object) done() {
	if *o.err != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(o.fields)) {
		o.fail("field %q is unknown: this version cannot say what it changes", name)
	}
}

// stringNumbers reads an object of numbers, in the order of the file.
func stringNumbers(raw json.RawMessage, where string, err *error) (keys []string, values []int32) {
	if *err != nil {
		return nil, nil
	}
	fault := func(format string, args ...any) {
		*err = fmt.Errorf("token: %s: %s", where, fmt.Sprintf(format, args...))
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if token, e := d.Token(); e != nil || token != json.Delim('{') {
		fault("must be an object of tokens and their ids")
		return nil, nil
	}
	for d.More() {
		key, e := d.Token()
		value, e2 := d.Token()
		if e != nil || e2 != nil {
			fault("must be an object of tokens and their ids")
			return nil, nil
		}
		number, ok := value.(json.Number)
		if !ok {
			fault("the id of %q must be a number", key)
			return nil, nil
		}
		n, e := number.Int64()
		if e != nil || n < 0 || n > math.MaxInt32 {
			fault("the id of %q must be a whole number from 0 to %d, not %s", key, math.MaxInt32, number)
			return nil, nil
		}
		keys = append(keys, key.(string))
		values = append(values, int32(n))
	}
	return keys, values
}

// readScore reads a number as the reference does, whose reader rounds twice: its digits become a float, which is then
// multiplied or divided by a power of ten. One in the last place decides between equal ways to split a word.
func readScore(raw json.RawMessage, score *float64) bool {
	if json.Unmarshal(raw, score) != nil {
		return false
	}
	text := strings.TrimPrefix(string(raw), "-")
	digits, exponent := uint64(0), 0
	full, fraction := false, false
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '.':
			fraction = true
			continue
		case c == 'e' || c == 'E':
			e, err := strconv.Atoi(strings.TrimPrefix(text[i+1:], "+"))
			if err != nil {
				return true
			}
			exponent += e
			*score = scaled(digits, exponent, raw[0] == '-', *score)
			return true
		}
		d := uint64(c - '0')
		full = full || digits > (math.MaxUint64-d)/10
		switch {
		case !full:
			digits = digits*10 + d
			if fraction {
				exponent--
			}
		case !fraction:
			exponent++
		}
	}
	if fraction || full {
		*score = scaled(digits, exponent, raw[0] == '-', *score)
	}
	return true
}

// scaled returns digits times ten to the exponent, and exact where that is out of range.
func scaled(digits uint64, exponent int, negative bool, exact float64) float64 {
	if exponent < -308 || exponent > 308 {
		return exact
	}
	f := float64(digits)
	if exponent < 0 {
		f /= math.Pow10(-exponent)
	} else {
		f *= math.Pow10(exponent)
	}
	if negative {
		f = -f
	}
	return f
}
