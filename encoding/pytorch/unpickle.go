package pytorch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// Values of a pickle are nil, bool, int64, float64, string, tuple, *list, *dict, global, and what names of torch make:
// *storage and *tensor. Integers beyond int64 are bigInt.
type (
	tuple  []any
	list   struct{ items []any }
	bigInt struct{}
	mark   struct{}
	// dict keeps the order of its keys, which are strings and integers.
	dict struct {
		keys   []any
		values map[any]any
	}
	// global is a name of Python that is allowed: "collections.OrderedDict".
	global string
)

func (d *dict) set(key, value any) error {
	switch key.(type) {
	case string, int64:
	default:
		return fmt.Errorf("a key of a dict is %s, want a string or an integer", kindOf(key))
	}
	if _, ok := d.values[key]; !ok {
		d.keys = append(d.keys, key)
	}
	if d.values == nil {
		d.values = map[any]any{}
	}
	d.values[key] = value
	return nil
}

// kindOf names the type of a value for messages.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return "a bool"
	case int64, bigInt:
		return "an integer"
	case float64:
		return "a float"
	case string:
		return "a string"
	case tuple:
		return "a tuple"
	case *list:
		return "a list"
	case *dict:
		return "a dict"
	case *tensor:
		return "a tensor"
	case *storage:
		return "a storage"
	case global:
		return "the name " + string(v)
	}
	return "a mark"
}

const (
	// maxValues bounds the values that a pickle makes: about 25 a tensor.
	maxValues = 8 << 20
	// maxDimensions bounds the axes of a tensor.
	maxDimensions = 64
)

// unpickler is a machine for pickles of tensors.
type unpickler struct {
	data   []byte
	at     int
	stack  []any
	memo   map[uint64]any
	values int
	load   func(id any) (any, error) // of a persistent id
	call   func(f global, args tuple) (any, error)
}

var errShort = errors.New("the pickle is cut off")

// run executes the instructions and returns the value.
func (u *unpickler) run() (v any, err error) {
	u.memo = map[uint64]any{}
	for {
		start := u.at
		b, err := u.take(1)
		if err != nil {
			return nil, err
		}
		if b[0] == '.' { // STOP
			if len(u.stack) != 1 {
				return nil, fmt.Errorf("the pickle ends with %d values, want one", len(u.stack))
			}
			return u.stack[0], nil
		}
		if err := u.step(b[0]); err != nil {
			return nil, fmt.Errorf("byte %d of the pickle: %w", start, err)
		}
		if u.values > maxValues {
			return nil, fmt.Errorf("the pickle has more than %d values", maxValues)
		}
	}
}

// take returns the next n bytes.
func (u *unpickler) take(n uint64) ([]byte, error) {
	if n > uint64(len(u.data)-u.at) {
		return nil, errShort
	}
	b := u.data[u.at : u.at+int(n)]
	u.at += int(n)
	return b, nil
}

// number reads a little-endian number of n bytes.
func (u *unpickler) number(n uint64) (uint64, error) {
	b, err := u.take(n)
	var full [8]byte
	copy(full[:], b)
	return binary.LittleEndian.Uint64(full[:]), err
}

func (u *unpickler) push(v any) error {
	u.values++
	u.stack = append(u.stack, v)
	return nil
}

// pop removes the last value.
func (u *unpickler) pop() (any, error) {
	if len(u.stack) == 0 {
		return nil, errors.New("a value is missing")
	}
	v := u.stack[len(u.stack)-1]
	u.stack = u.stack[:len(u.stack)-1]
	if v == (mark{}) {
		return nil, errors.New("there is a mark in the place of a value")
	}
	return v, nil
}

// top is the last value, which stays.
func (u *unpickler) top() (any, error) {
	v, err := u.pop()
	if err == nil {
		u.stack = u.stack[:len(u.stack)+1]
	}
	return v, err
}

// popMark removes the values behind the last mark.
func (u *unpickler) popMark() ([]any, error) {
	for i := len(u.stack) - 1; i >= 0; i-- {
		if u.stack[i] == (mark{}) {
			items := append([]any(nil), u.stack[i+1:]...)
			u.stack = u.stack[:i]
			u.values += len(items)
			return items, nil
		}
	}
	return nil, errors.New("a mark is missing")
}

// line reads a text up to a newline.
func (u *unpickler) line() (string, error) {
	for i := u.at; i < len(u.data); i++ {
		if u.data[i] == '\n' {
			s := string(u.data[u.at:i])
			u.at = i + 1
			return s, nil
		}
	}
	return "", errShort
}

// text pushes a string whose length has n bytes.
func (u *unpickler) text(n uint64) error {
	size, err := u.number(n)
	if err != nil {
		return err
	}
	b, err := u.take(size)
	if err != nil {
		return err
	}
	if !utf8.Valid(b) {
		return errors.New("a string is not UTF-8")
	}
	return u.push(string(b))
}

// keep stores the last value in the memo.
func (u *unpickler) keep(key uint64, err error) error {
	if err != nil {
		return err
	}
	v, err := u.top()
	u.values++
	u.memo[key] = v
	return err
}

// recall pushes a value of the memo.
func (u *unpickler) recall(key uint64, err error) error {
	if err != nil {
		return err
	}
	v, ok := u.memo[key]
	if !ok {
		return fmt.Errorf("the memo has no value %d", key)
	}
	return u.push(v)
}

// integer pushes a signed number of n bytes.
func (u *unpickler) integer(n uint64) error {
	b, err := u.take(n)
	if err != nil {
		return err
	}
	var x uint64
	if n > 0 && b[n-1]&0x80 != 0 {
		x = math.MaxUint64
	}
	for i, c := range b {
		if i >= 8 {
			if c != byte(int64(x)>>63) {
				return u.push(bigInt{})
			}
			continue
		}
		x = x&^(0xff<<(8*i)) | uint64(c)<<(8*i)
	}
	if n > 8 && (b[n-1]&0x80 != 0) != (int64(x) < 0) {
		return u.push(bigInt{})
	}
	return u.push(int64(x))
}

// step executes an instruction.
func (u *unpickler) step(op byte) error {
	switch op {
	case 0x80: // PROTO
		v, err := u.number(1)
		if err == nil && (v < 2 || v > 5) {
			return fmt.Errorf("protocol %d is not one of 2 to 5", v)
		}
		return err
	case 0x95: // FRAME
		_, err := u.take(8)
		return err
	case '(':
		return u.push(mark{})
	case 'N':
		return u.push(nil)
	case 0x88, 0x89: // NEWTRUE, NEWFALSE
		return u.push(op == 0x88)
	case 'J': // BININT
		return u.integer(4)
	case 'K', 'M': // BININT1, BININT2
		v, err := u.number(map[byte]uint64{'K': 1, 'M': 2}[op])
		if err != nil {
			return err
		}
		return u.push(int64(v))
	case 0x8a, 0x8b: // LONG1, LONG4
		n, err := u.number(map[byte]uint64{0x8a: 1, 0x8b: 4}[op])
		if err != nil {
			return err
		}
		return u.integer(n)
	case 'G': // BINFLOAT
		b, err := u.take(8)
		if err != nil {
			return err
		}
		return u.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
	case 'X':
		return u.text(4) // BINUNICODE
	case 0x8c:
		return u.text(1) // SHORT_BINUNICODE
	case 'q':
		return u.keep(u.number(1)) // BINPUT
	case 'r':
		return u.keep(u.number(4)) // LONG_BINPUT
	case 0x94:
		return u.keep(uint64(len(u.memo)), nil) // MEMOIZE
	case 'h':
		return u.recall(u.number(1)) // BINGET
	case 'j':
		return u.recall(u.number(4)) // LONG_BINGET
	case '}':
		return u.push(&dict{})
	case ']':
		return u.push(&list{})
	case ')':
		return u.push(tuple{})
	}
	return u.build(op)
}

// build executes an instruction that takes values.
func (u *unpickler) build(op byte) error {
	switch op {
	case 0x85, 0x86, 0x87: // TUPLE1, TUPLE2, TUPLE3
		items := make(tuple, op-0x84)
		for i := len(items) - 1; i >= 0; i-- {
			var err error
			if items[i], err = u.pop(); err != nil {
				return err
			}
		}
		return u.push(items)
	case 't', 'e', 'u': // TUPLE, APPENDS, SETITEMS
		items, err := u.popMark()
		switch {
		case err != nil:
			return err
		case op == 't':
			return u.push(tuple(items))
		case op == 'e':
			return u.appendItems(items...)
		}
		return u.setItems(items...)
	case 'a': // APPEND
		v, err := u.pop()
		if err != nil {
			return err
		}
		return u.appendItems(v)
	case 's': // SETITEM
		v, err := u.pop()
		if err != nil {
			return err
		}
		k, err := u.pop()
		if err != nil {
			return err
		}
		return u.setItems(k, v)
	case 'c': // GLOBAL
		module, err := u.line()
		if err != nil {
			return err
		}
		name, err := u.line()
		if err != nil {
			return err
		}
		return u.global(module, name)
	case 0x93: // STACK_GLOBAL
		name, err := u.pop()
		if err != nil {
			return err
		}
		module, err := u.pop()
		if err != nil {
			return err
		}
		m, isText := module.(string)
		n, isTextToo := name.(string)
		if !isText || !isTextToo {
			return errors.New("a name of Python must be a string")
		}
		return u.global(m, n)
	case 'Q': // BINPERSID
		id, err := u.pop()
		if err != nil {
			return err
		}
		v, err := u.load(id)
		if err != nil {
			return err
		}
		return u.push(v)
	case 'R': // REDUCE
		args, err := u.pop()
		if err != nil {
			return err
		}
		f, err := u.pop()
		if err != nil {
			return err
		}
		name, isName := f.(global)
		list, isTuple := args.(tuple)
		if !isName || !isTuple {
			return fmt.Errorf("%s is called with %s", kindOf(f), kindOf(args))
		}
		v, err := u.call(name, list)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return u.push(v)
	case 'b': // BUILD: a state_dict has its versions as an attribute, _metadata
		if _, err := u.pop(); err != nil {
			return err
		}
		v, err := u.top()
		if err != nil {
			return err
		}
		if _, ok := v.(*dict); !ok {
			return fmt.Errorf("attributes are set of %s; only an OrderedDict may have some", kindOf(v))
		}
		return nil
	}
	return fmt.Errorf("the instruction 0x%02x (%q) does not occur in files of plain tensors; nothing was executed", op,
		op)
}

func (u *unpickler) appendItems(items ...any) error {
	v, err := u.top()
	if err != nil {
		return err
	}
	l, ok := v.(*list)
	if !ok {
		return fmt.Errorf("items are appended to %s", kindOf(v))
	}
	l.items = append(l.items, items...)
	return nil
}

func (u *unpickler) setItems(items ...any) error {
	v, err := u.top()
	if err != nil {
		return err
	}
	d, ok := v.(*dict)
	if !ok || len(items)%2 != 0 {
		return fmt.Errorf("%d keys and values are set in %s", len(items), kindOf(v))
	}
	for i := 0; i < len(items); i += 2 {
		if err := d.set(items[i], items[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// global pushes a name of Python, if it is one of those of plain tensors.
func (u *unpickler) global(module, name string) error {
	full := module + "." + name
	if _, ok := storageTypes[full]; !ok && full != rebuildTensor && full != rebuildParameter && full != sizeName &&
		full != orderedDict {
		return fmt.Errorf("the file needs %.120q of Python, which no plain tensor does; nothing was executed: "+
			"save model.state_dict() rather than the model", full)
	}
	return u.push(global(full))
}
