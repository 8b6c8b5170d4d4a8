package npy

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/lazy"
)

// byDescr holds the element types by NumPy's kind letter and size.
var byDescr lazy.Value[map[string]dtype.Type]

func listByDescr() map[string]dtype.Type {
	return map[string]dtype.Type{
		"b1": dtype.Bool, "?": dtype.Bool,
		"i1": dtype.S8, "i2": dtype.S16, "i4": dtype.S32, "i8": dtype.S64,
		"u1": dtype.U8, "u2": dtype.U16, "u4": dtype.U32, "u8": dtype.U64,
		"f2": dtype.F16, "f4": dtype.F32, "f8": dtype.F64,
		"c8": dtype.C64, "c16": dtype.C128,
	}
}

// descrs holds the other direction. Types that NumPy does not have are stored as their bits.
var descrs lazy.Value[map[dtype.Type]string]

func listDescrs() map[dtype.Type]string {
	m := make(map[dtype.Type]string)
	for t := dtype.Bool; t.IsValid(); t++ {
		switch t.Size() {
		case 1:
			m[t] = "|u1"
		case 2:
			m[t] = "<u2"
		}
	}
	for code, t := range byDescr.Get(listByDescr) {
		if t.Size() > 1 {
			m[t] = "<" + code
		} else if code != "?" {
			m[t] = "|" + code
		}
	}
	return m
}

// foreign names the kinds of dtypes that are not read.
var foreign lazy.Value[map[byte]string]

func listForeign() map[byte]string {
	return map[byte]string{
		'S': "byte strings", 'a': "byte strings", 'U': "text", 'T': "text", 'O': "Python objects",
		'M': "dates", 'm': "time differences",
		'f': "floats of this size", 'c': "complex numbers of this size", 'i': "integers of this size",
		'u': "integers of this size",
	}
}

// descr returns NumPy's name for the items that h is written as.
func (h Header) descr() string {
	if h.Void != 0 {
		return "|V" + strconv.Itoa(h.Void)
	}
	return descrs.Get(listDescrs)[h.DType]
}

// setDescr sets the item type of h from NumPy's name of it, and reports whether
// the items are big-endian.
func (h *Header) setDescr(descr string) (bigEndian bool, err error) {
	code := descr
	if code != "" {
		switch code[0] {
		case '>':
			bigEndian = true
			code = code[1:]
		case '<', '|', '=': // "=" is the byte order of the writer; no current machine is big-endian
			code = code[1:]
		}
	}
	if t, ok := byDescr.Get(listByDescr)[code]; ok {
		h.DType = t
		return bigEndian, nil
	}
	if code != "" && code[0] == 'V' {
		n, err := strconv.Atoi(code[1:])
		if err == nil && n > 0 && code[1] != '+' {
			h.Void = n
			return false, nil
		}
	}
	if code != "" {
		if what := foreign.Get(listForeign)[code[0]]; what != "" {
			return false, fmt.Errorf("dtype %q (%s) is not supported: %w", descr, what, errors.ErrUnsupported)
		}
	}
	return false, fmt.Errorf("dtype %q is not known: %w", descr, errors.ErrUnsupported)
}
