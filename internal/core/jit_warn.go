package core

import (
	"bytes"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
)

// logger receives warnings.
var logger atomic.Pointer[slog.Logger]

// SetLogger implements nx.SetLogger.
func SetLogger(l *slog.Logger) { logger.Store(l) }

func warn(msg string, args ...any) {
	l := logger.Load()
	if l == nil {
		l = slog.Default()
	}
	l.Warn(msg, args...)
}

// patience is how many forms of a function may be made in a row, each for one
// call only, before a warning says so.
const patience = 8

// noteMiss notes that a form had to be made. After many in a row it warns once, naming the change.
// The logger is the program's: it is called without a lock.
func (j *jit) noteMiss(c *compiled, args []reflect.Value) {
	if j.inLibrary {
		return
	}
	m := &j.misses
	m.mu.Lock()
	first, warned := !m.counted && !j.ahead, m.warned
	m.counted = m.counted || first
	m.mu.Unlock()
	if first {
		sites.note(j, c)
	}
	if warned {
		return
	}
	if was, is, inARow := m.note(c, j.describe(args)); inARow > patience {
		what, hint := difference(was, is)
		warn("nx: a compiled function is compiled again for every call", "jit", j.place, "times", inARow,
			"changes", what, "hint", hint)
	}
}

// note notes a form and what its signature says; it returns that of the form before, and how many were made in a
// row, 0 when there was a warning before.
func (m *misses) note(c *compiled, parts []signaturePart) (was, is []signaturePart, inARow int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.warned {
		return nil, nil, 0
	}
	if m.last == nil || m.last.uses.Load() > 1 {
		m.inARow = 0
	}
	m.inARow++
	m.warned = m.inARow > patience
	was = m.parts
	m.last, m.parts = c, parts
	return was, parts, m.inARow
}

// describe lists the leaves of arguments.
func (j *jit) describe(args []reflect.Value) []signaturePart {
	var parts []signaturePart
	for i, v := range args {
		w := newWalker("Jit")
		w.Statics = true
		path := func() string {
			if w.AtRoot() {
				return fmt.Sprintf("argument %d", i)
			}
			return fmt.Sprintf("argument %d: %s", i, w.Path())
		}
		w.Leaf = func(t *Tensor) { parts = append(parts, signaturePart{path(), describe(*t), "pad to a few sizes"}) }
		w.Static = func(v reflect.Value) {
			hint := `make it a tensor, or tag the field nx:"-" if it does not matter`
			switch v.Kind() {
			case reflect.Func, reflect.Chan, reflect.Pointer, reflect.UnsafePointer:
				hint = "make it once and pass the same one"
			}
			parts = append(parts, signaturePart{path(), fmt.Sprintf("%#v", v), hint})
		}
		w.Walk(j.args[i], addressable(v).Addr().UnsafePointer())
	}
	return parts
}

// difference describes the first difference between two signatures, with a hint.
func difference(a, b []signaturePart) (what, hint string) {
	for i := range min(len(a), len(b)) {
		switch x, y := a[i], b[i]; {
		case x.path != y.path:
			return fmt.Sprintf("the structure, from %s on", y.path), "keep lengths and keys the same"
		case x.text == y.text:
		default:
			return fmt.Sprintf("%s was %s, is %s", y.path, x.text, y.text), y.hint
		}
	}
	if len(a) != len(b) {
		return "the length of a slice or a map", "keep lengths and keys the same"
	}
	return "the type in an interface, or whether a slice is nil", "keep them the same"
}

// sites counts the jits made of one closure in the program's text.
var sites siteCount

type siteCount struct {
	mu sync.Mutex
	m  map[uintptr]*site
}

type site struct {
	key    string // the signature of the first form of the last jit
	jits   int
	warned bool
}

// maxSites bounds the closures that are watched.
const maxSites = 1024

// note notes the first form of a jit; a Jit made for each call never gets
// a second one.
func (s *siteCount) note(j *jit, c *compiled) {
	if times := s.count(j.f.Pointer(), c.key); times > 0 {
		warn("nx: Jit is called again for every call of the function, which compiles it each time",
			"jit", j.place, "times", times,
			"hint", "call Jit once, outside of the loop")
	}
}

// count counts a jit of a closure, whose first form has the signature. It returns how many there were when that is
// worth a warning, else 0.
func (s *siteCount) count(code uintptr, key string) (times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil || len(s.m) >= maxSites {
		s.m = map[uintptr]*site{}
	}
	x := s.m[code]
	if x == nil || x.key != key {
		s.m[code] = &site{key: key, jits: 1, warned: x != nil && x.warned}
		return 0
	}
	if x.jits++; x.jits <= patience || x.warned {
		return 0
	}
	x.warned = true
	return x.jits
}

// checkCaptures traces a function again, and warns when a tensor that it uses from outside differs
// from that of the form: the program sees the new one, the compiled code does not.
func (j *jit) checkCaptures(c *compiled, args []reflect.Value) {
	now := j.retraceCaptures(args)
	if now == nil || len(now.captured) != len(c.captured) {
		return
	}
	for i, was := range c.captured {
		if is := now.captured[i]; !sameContents(was, is) {
			warn("nx: a tensor that a compiled function uses from outside has changed, which the function does not see",
				"jit", j.place,
				"tensor", was.p.spec.String(), "hint", "pass it as an argument")
			return
		}
	}
}

// retraceCaptures returns a new trace of the function, nil when it fails, which is not reported.
func (j *jit) retraceCaptures(args []reflect.Value) (f *form) {
	defer func() {
		if recover() != nil {
			f = nil
		}
	}()
	return j.callable.trace("Jit", args)
}

// sameContents reports whether two tensors are the same, or equal byte for byte as
// those are that a function makes each time it is traced.
func sameContents(a, b Tensor) bool {
	switch {
	case a.p.buf == b.p.buf && a.p.val == b.p.val:
		return true
	case a.p.buf == nil || b.p.buf == nil || a.p.spec != b.p.spec:
		return false
	case a.p.validity().ended.Load() != nil || b.p.validity().ended.Load() != nil:
		return true // using it is an error of its own
	}
	return bytes.Equal(Bytes(a), Bytes(b))
}
