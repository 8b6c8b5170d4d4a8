package serve

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/go-nx/nx"
)

// datatypes are the names of element types in the Open Inference Protocol.
var datatypes = map[string]nx.DType{
	"BOOL": nx.Bool, "UINT8": nx.U8, "UINT16": nx.U16, "UINT32": nx.U32, "UINT64": nx.U64,
	"INT8": nx.S8, "INT16": nx.S16, "INT32": nx.S32, "INT64": nx.S64,
	"FP16": nx.F16, "FP32": nx.F32, "FP64": nx.F64, "BF16": nx.BF16,
}

// datatypeOf returns the name of an element type, "" if the protocol has none.
func datatypeOf(d nx.DType) string {
	for name, other := range datatypes {
		if other == d {
			return name
		}
	}
	return ""
}

// parseElements reads the array of a tensor in valid JSON, flat or nested as its shape, as tensors have it in memory.
func parseElements(text []byte, d nx.DType, shape []int) ([]byte, error) {
	if n := count(shape); len(text) < 2*n-1 { // a short text of a large shape takes no memory
		return nil, fmt.Errorf("there are fewer than %d elements, want %d for the shape %v", len(text)/2+2, n, shape)
	}
	p := &elementParser{text: text, dtype: d, shape: shape, data: make([]byte, count(shape)*d.Size())}
	p.space()
	if len(shape) == 0 && p.at < len(text) && text[p.at] != '[' {
		if err := p.element(); err != nil {
			return nil, err
		}
	} else if err := p.array(0); err != nil {
		return nil, err
	}
	p.space()
	switch {
	case p.at != len(text):
		return nil, errors.New("there is something behind the array")
	case p.next != count(shape):
		return nil, fmt.Errorf("there are %d elements, want %d for the shape %v", p.next, count(shape), shape)
	}
	return p.data, nil
}

func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

type elementParser struct {
	text  []byte
	at    int
	dtype nx.DType
	shape []int
	data  []byte
	next  int // element
}

func (p *elementParser) space() {
	for p.at < len(p.text) && bytes.IndexByte([]byte(" \t\r\n"), p.text[p.at]) >= 0 {
		p.at++
	}
}

// array reads an array inside of depth others.
func (p *elementParser) array(depth int) error {
	if depth > len(p.shape) || depth > 0 && depth == len(p.shape) {
		return fmt.Errorf("arrays are nested deeper than the %d axes of the shape", len(p.shape))
	}
	if p.at >= len(p.text) || p.text[p.at] != '[' {
		return errors.New("want an array")
	}
	p.at++
	start, nested := p.next, false
	p.space()
	if p.at < len(p.text) && p.text[p.at] == ']' {
		p.at++
	} else {
		for done := false; !done; {
			p.space()
			var err error
			if p.at < len(p.text) && p.text[p.at] == '[' {
				nested = true
				err = p.array(depth + 1)
			} else if nested || depth > 0 && depth != len(p.shape)-1 {
				err = fmt.Errorf("a number is in an array at depth %d of %d", depth+1, len(p.shape))
			} else {
				err = p.element()
			}
			if err != nil {
				return err
			}
			p.space()
			if p.at >= len(p.text) {
				return errors.New("the array is not complete")
			}
			switch p.text[p.at] {
			case ',':
			case ']':
				done = true
			default:
				return fmt.Errorf("want a comma or the end of the array, got %q", p.text[p.at])
			}
			p.at++
		}
	}
	if want := count(p.shape[depth:]); p.next-start != want {
		return fmt.Errorf("an array has %d elements, want %d for the shape %v", p.next-start, want, p.shape)
	}
	return nil
}

// element reads a number or a truth value.
func (p *elementParser) element() error {
	start := p.at
	for p.at < len(p.text) && bytes.IndexByte([]byte(",]} \t\r\n["), p.text[p.at]) < 0 {
		p.at++
	}
	word := string(p.text[start:p.at])
	i := p.next
	if p.next++; p.next > count(p.shape) {
		return fmt.Errorf("there are more than %d elements", count(p.shape))
	}
	fail := func() error {
		if len(word) > 40 {
			word = word[:40] + "…"
		}
		return fmt.Errorf("element %d is %s, want a %s", i, word, datatypeOf(p.dtype))
	}
	switch d := p.dtype; {
	case d == nx.Bool:
		switch word {
		case "true", "1":
			p.data[i] = 1
		case "false", "0":
		default:
			return fail()
		}
	case d.IsInteger() && d.IsSigned():
		v, err := strconv.ParseInt(word, 10, d.Bits())
		if err != nil {
			return fail()
		}
		d.StoreInt(p.data, i, v)
	case d.IsInteger():
		v, err := strconv.ParseUint(word, 10, d.Bits())
		if err != nil {
			return fail()
		}
		d.StoreUint(p.data, i, v)
	default:
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return fail()
		}
		if d.StoreFloat(p.data, i, v); math.IsInf(d.LoadFloat(p.data, i), 0) {
			return fail()
		}
	}
	return nil
}

// appendElements appends the flat JSON array of a tensor. Numbers that JSON has not are an error.
func appendElements(b []byte, d nx.DType, data []byte) ([]byte, error) {
	b = append(b, '[')
	for i := range len(data) / d.Size() {
		if i > 0 {
			b = append(b, ',')
		}
		switch {
		case d == nx.Bool:
			b = strconv.AppendBool(b, data[i] != 0)
		case d.IsInteger() && d.IsSigned():
			b = strconv.AppendInt(b, d.LoadInt(data, i), 10)
		case d.IsInteger():
			b = strconv.AppendUint(b, d.LoadUint(data, i), 10)
		default:
			v := d.LoadFloat(data, i)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("element %d is %v, which JSON does not have: ask for binary_data", i, v)
			}
			bits := 64
			if d != nx.F64 {
				bits = 32
			}
			b = strconv.AppendFloat(b, v, 'g', -1, bits)
		}
	}
	return append(b, ']'), nil
}
