// Package pprof writes profiles in the form that go tool pprof reads, with values and labels that those of
// runtime/pprof cannot have.
package pprof

import (
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"io"
	"runtime"
	"slices"
	"time"
)

// Value is a kind of number that samples have, such as {"inuse_space", "bytes"}.
type Value struct{ Kind, Unit string }

// Sample is a stack, the callee first, as [runtime.Callers] returns it, with a number of each kind.
type Sample struct {
	Stack  []uintptr
	Values []int64
	Labels []Label
}

// Label is a name and what it is for a sample.
type Label struct{ Key, Text string }

// Write writes a profile of samples, in their order; the last kind is what pprof shows unless told otherwise.
// Name is a comment of the profile.
//
// Source: proto/profile.proto of github.com/google/pprof.
func Write(w io.Writer, name string, kinds []Value, samples []Sample) error {
	p := &profile{strings: map[string]uint64{"": 0}, texts: []string{""}, functions: map[function]uint64{},
		locations: map[uintptr]uint64{}}
	for _, k := range kinds {
		p.out.message(1, p.kind(k))
	}
	for _, s := range samples {
		p.out.message(2, p.sample(s))
	}
	p.out = append(p.out, p.tables...)
	p.out.number(9, uint64(time.Now().UnixNano()))
	p.out.number(13, p.text(name))
	p.out.number(14, p.text(kinds[len(kinds)-1].Kind))
	for _, s := range p.texts {
		p.out.message(6, []byte(s))
	}
	z := gzip.NewWriter(w)
	_, err := z.Write(p.out)
	return cmp.Or(err, z.Close())
}

// profile is a profile that is being written.
type profile struct {
	out, tables message // tables are the locations and functions
	strings     map[string]uint64
	texts       []string
	functions   map[function]uint64
	locations   map[uintptr]uint64
}

type function struct{ name, file string }

// text returns the place of a text in the table of texts.
func (p *profile) text(s string) uint64 {
	at, ok := p.strings[s]
	if !ok {
		at = uint64(len(p.texts))
		p.strings[s] = at
		p.texts = append(p.texts, s)
	}
	return at
}

func (p *profile) kind(v Value) (m message) {
	m.number(1, p.text(v.Kind))
	m.number(2, p.text(v.Unit))
	return m
}

func (p *profile) sample(s Sample) (m message) {
	for _, pc := range s.Stack {
		m.number(1, p.location(pc))
	}
	for _, v := range s.Values {
		m.always(2, uint64(v))
	}
	for _, l := range s.Labels {
		var label message
		label.number(1, p.text(l.Key))
		label.number(2, p.text(l.Text))
		m.message(3, label)
	}
	return m
}

// location returns the id of a program counter. Each stands for one call, also of a function that is inlined: the
// first frame is that.
func (p *profile) location(pc uintptr) uint64 {
	id, ok := p.locations[pc]
	if ok {
		return id
	}
	id = uint64(len(p.locations) + 1)
	p.locations[pc] = id
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	f := function{frame.Function, frame.File}
	of, ok := p.functions[f]
	if !ok {
		of = uint64(len(p.functions) + 1)
		p.functions[f] = of
		var m message
		m.number(1, of)
		m.number(2, p.text(f.name))
		m.number(3, p.text(f.name))
		m.number(4, p.text(f.file))
		p.tables.message(5, m)
	}
	var line, m message
	line.number(1, of)
	line.number(2, uint64(frame.Line))
	m.number(1, id)
	m.message(4, line)
	p.tables.message(4, m)
	return id
}

// message is a message of protocol buffers.
type message []byte

// number appends a field; 0 is left out.
func (m *message) number(field int, v uint64) {
	if v != 0 {
		m.always(field, v)
	}
}

// always appends a field of a list, which may be 0.
func (m *message) always(field int, v uint64) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3)
	*m = binary.AppendUvarint(*m, v)
}

func (m *message) message(field int, b []byte) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|2)
	*m = binary.AppendUvarint(*m, uint64(len(b)))
	*m = append(*m, b...)
}

// Sorted sorts samples by their last value, the largest first, then by their stacks and labels.
func Sorted(samples []Sample) []Sample {
	last := func(s Sample) int64 { return s.Values[len(s.Values)-1] }
	slices.SortFunc(samples, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(last(b), last(a)), slices.Compare(a.Stack, b.Stack),
			slices.CompareFunc(a.Labels, b.Labels, func(a, b Label) int {
				return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Text, b.Text))
			}))
	})
	return samples
}
