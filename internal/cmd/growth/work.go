package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/coverage"
)

// work is the execution count of each block of statements: a measure that is the same on every
// machine, and identifies the position of the work.
type work map[statements]float64

// statements is a block of statements of an instrumented package.
type statements struct{ pkg, fn, block uint32 }

// countWork returns the counts of f. No other goroutine may run instrumented code meanwhile.
func countWork(f func()) (work, error) {
	var counters bytes.Buffer
	if err := coverage.ClearCounters(); err != nil {
		return nil, err
	}
	f()
	if err := coverage.WriteCounters(&counters); err != nil {
		return nil, err
	}
	return parseCounters(counters.Bytes())
}

// fields reads consecutive numbers; bad is set at an early end of the bytes.
type fields struct {
	b   []byte
	bad bool
}

func (f *fields) skip(n int) {
	if n > len(f.b) {
		f.b, f.bad = nil, true
		return
	}
	f.b = f.b[n:]
}

func (f *fields) fixed() uint32 {
	if len(f.b) < 4 {
		f.b, f.bad = nil, true
		return 0
	}
	v := binary.LittleEndian.Uint32(f.b)
	f.b = f.b[4:]
	return v
}

func (f *fields) uleb() uint32 {
	v, n := binary.Uvarint(f.b)
	if n <= 0 {
		f.b, f.bad = nil, true
		return 0
	}
	f.b = f.b[n:]
	return uint32(v)
}

func (f *fields) text() string {
	n := int(f.uleb())
	if n > len(f.b) {
		f.b, f.bad = nil, true
		return ""
	}
	s := string(f.b[:n])
	f.b = f.b[n:]
	return s
}

var errCounters = errors.New("the format of the coverage counters must be that of Go 1.20 to 1.26")

// parseCounters reads one segment of a counter file, whose format is that of
// internal/coverage/defs.go of the Go distribution, with numbers in ULEB128.
func parseCounters(b []byte) (work, error) {
	const header, segment, uleb = 32, 16, 2
	if len(b) < header+segment || !bytes.Equal(b[:4], []byte("\x00cwm")) || b[24] != uleb {
		return nil, errCounters
	}
	f := &fields{b: b[header:]}
	entries := f.fixed()
	f.skip(4) // the upper half
	strings, args := f.fixed(), f.fixed()
	f.skip(int(strings) + int(args))
	w := work{}
	for range entries {
		n, pkg, fn := f.uleb(), f.uleb(), f.uleb()
		for i := range n {
			if c := f.uleb(); c > 0 {
				w[statements{pkg, fn, i}] = float64(c)
			}
		}
		if f.bad {
			return nil, errCounters
		}
	}
	return w, nil
}

// place returns the file, line and function of a block of statements.
func (s statements) place() string {
	var meta bytes.Buffer
	if err := coverage.WriteMeta(&meta); err != nil {
		return err.Error()
	}
	const header, blob = 56, 44
	b := meta.Bytes()
	at := header + 8*int(s.pkg)
	if len(b) < at+8 {
		return fmt.Sprint(s)
	}
	pkg := b[binary.LittleEndian.Uint64(b[at:]):]
	if len(pkg) < blob {
		return fmt.Sprint(s)
	}
	funcs := binary.LittleEndian.Uint32(pkg[40:])
	if s.fn >= funcs {
		return fmt.Sprint(s)
	}
	table := &fields{b: pkg[blob+4*funcs:]}
	names := make([]string, table.uleb())
	for i := range names {
		names[i] = table.text()
	}
	f := &fields{b: pkg}
	f.skip(blob + 4*int(s.fn))
	f = &fields{b: pkg[f.fixed():]}
	f.uleb()
	name, file := f.uleb(), f.uleb()
	for range s.block {
		for range 5 { // two positions and a number of statements
			f.uleb()
		}
	}
	line := f.uleb()
	if f.bad || int(max(name, file)) >= len(names) {
		return fmt.Sprint(s)
	}
	return fmt.Sprintf("%s:%d, in %s", names[file], line, names[name])
}
