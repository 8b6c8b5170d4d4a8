// Package diag defines the error of building tensor programs wrongly: which
// op, with which operands, broke which rule, and where in the user's program.
package diag

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-nx/nx/internal/lazy"
)

// Code is the kind of a mistake. Each has an example in codes.go that a test runs.
//
// It is an error itself, so that errors.Is(err, nx.ErrShape) distinguishes kinds.
type Code string

// Error returns the name of the kind.
func (c Code) Error() string { return string(c) }

// Error is the value that ops panic with, and that every boundary returns.
type Error struct {
	Code     Code
	Op       string   // the op as the user called it: "Add"
	Operands []string // the operands' types: "x f32[batch: 2][features: 3]"
	Detail   string   // the rule broken, with the sizes and names at fault
	Within   string   // the batches that the op is computed in, inner ones first: "Vmap of 8"
	Hint     string   // what to do; "" when the detail suffices
	File     string   // of the user's call
	Line     int
	Callers  []Position // the lines of the user up the stack from there, the nearest first
	Err      error      // the cause, when there is one
}

// Position is a line of source.
type Position struct {
	File string
	Line int
}

// Error returns the position, the op and the rule, then the operands, the hint and the callers on separate lines.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		fmt.Fprintf(&b, "%s: ", Place(e.File, e.Line))
	}
	if e.Op != "" {
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	b.WriteString(e.Detail)
	for _, o := range e.Operands {
		b.WriteString("\n    ")
		b.WriteString(o)
	}
	if e.Within != "" {
		b.WriteString("\n    in ")
		b.WriteString(e.Within)
	}
	if e.Hint != "" {
		b.WriteString("\n    hint: ")
		b.WriteString(e.Hint)
	}
	for i, p := range e.Callers {
		if i == 0 {
			b.WriteString("\n    called from ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(Place(p.File, p.Line))
	}
	return b.String()
}

// Place returns a source line as editors open it: with the path relative to the initial working directory, if
// it is inside, else the full path.
func Place(file string, line int) string {
	if rel, err := filepath.Rel(start, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// start is the working directory when the program starts.
var start, _ = os.Getwd()

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the code of the error, or an error of the same code.
func (e *Error) Is(target error) bool {
	switch t := target.(type) {
	case Code:
		return t == e.Code
	case *Error:
		return t.Code != "" && t.Code == e.Code
	}
	return false
}

// New returns an error of the caller's line: that of the nearest caller outside of
// this module's library packages. The detail is a format with its arguments.
func New(code Code, op, hint, detail string, args ...any) *Error {
	e := &Error{Code: code, Op: op, Hint: hint, Detail: fmt.Sprintf(detail, args...)}
	pcs := Stack()
	e.File, e.Line = CallerOf(pcs)
	e.Callers = callersOf(pcs)
	return e
}

// Recover sets *err when r, the result of recover(), is an *Error; it panics
// again with anything else. It is the body of nx.Catch.
func Recover(r any, err *error) {
	switch r := r.(type) {
	case nil:
	case *Error:
		*err = r
	default:
		panic(r)
	}
}

// CalledAs panics again with the value of recover(); an *Error of a function that implements another gets the
// name of that one, and its operands, if there are any.
func CalledAs(r any, op string, operands func() []string) {
	if r == nil {
		return
	}
	if e, ok := r.(*Error); ok {
		if e.Op = op; operands != nil {
			e.Operands = operands()
		}
	}
	panic(r)
}

// root is the folder of this module's source, whose frames are not the user's. The compiler may name a
// function after its caller, so names do not suffice.
var root lazy.Value[string]

func findRoot() string {
	_, file, _, _ := runtime.Caller(0)
	return path.Dir(path.Dir(file)) + "/"
}

// Caller returns the file and line of the nearest caller outside this module's
// library packages.
func Caller() (file string, line int) {
	var pcs [64]uintptr
	for _, buf := range [...]int{8, len(pcs)} { // the user is mostly near
		n := runtime.Callers(2, pcs[:buf])
		if file, line = CallerOf(pcs[:n]); file != "" || n < buf {
			return file, line
		}
	}
	return CallerOf(Stack())
}

// Stack returns the program counters of the caller and of its callers, for [CallerOf]: much faster than
// [Caller], for positions that are rarely needed.
func Stack() []uintptr {
	pcs := make([]uintptr, 32)
	for {
		n := runtime.Callers(2, pcs)
		if n < len(pcs) || n >= maxStack {
			return pcs[:n:n]
		}
		pcs = make([]uintptr, 4*len(pcs))
	}
}

// UserStack is [Stack] from the nearest caller outside of this module's library packages; all of it where there is
// none.
func UserStack() []uintptr {
	pcs := Stack()[1:]
	for i, pc := range pcs {
		if !siteOf(pc).library {
			return pcs[i:]
		}
	}
	return pcs
}

// maxStack bounds the frames searched for the user's.
const maxStack = 1 << 16

// CallerOf is [Caller] for program counters kept from before.
func CallerOf(pcs []uintptr) (file string, line int) {
	for _, pc := range pcs {
		if s := siteOf(pc); !s.library {
			return s.file, s.line
		}
	}
	return "", 0
}

// maxCallers bounds the lines of an error up the stack.
const maxCallers = 5

// callersOf returns the lines of the user above that of CallerOf, without those of the standard library, through
// which calls of the user's functions pass. A line that calls itself is there once.
func callersOf(pcs []uintptr) (list []Position) {
	var last *site
	for _, pc := range pcs {
		s := siteOf(pc)
		if s.library || s.standard || last != nil && s.file == last.file && s.line == last.line {
			continue
		}
		if last != nil {
			list = append(list, Position{s.file, s.line})
		}
		if last = s; len(list) == maxCallers {
			break
		}
	}
	return list
}

// CalledByLibrary reports whether the nearest caller outside of package nx, its facades and its implementation is
// another package of this module's library.
func CalledByLibrary() bool {
	for _, pc := range Stack()[1:] {
		s := siteOf(pc)
		rest, inside := strings.CutPrefix(s.file, root.Get(findRoot))
		if !s.library || inside && !isFacade(path.Dir(rest)) {
			return s.library
		}
	}
	return false
}

// isFacade reports whether a package of this module forwards the calls of programs, or receives them.
func isFacade(pkg string) bool {
	switch pkg {
	case ".", "debug", "fft", "internal/core", "shard", "tree":
		return true
	}
	return false
}

// site is what a program counter stands for.
type site struct {
	file     string
	line     int
	library  bool
	standard bool // of the standard library
}

// sites are the cached sites: tracing looks up the same ones repeatedly, and the tables of the program are
// slow. Their number is bounded by the size of the program.
var sites struct {
	sync.RWMutex
	of map[uintptr]*site // nil before the first
}

// siteOf returns the site of a program counter. [runtime.Callers] gives one for each
// call, inlined ones too, so that the first frame of each is the call.
func siteOf(pc uintptr) *site {
	sites.RLock()
	s := sites.of[pc]
	sites.RUnlock()
	if s != nil {
		return s
	}
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	s = &site{file: f.File, line: f.Line, library: f.Function == "" || isLibrary(f.Function, f.File),
		standard: isStandard(f.File)}
	sites.Lock()
	if sites.of == nil {
		sites.of = map[uintptr]*site{}
	}
	sites.of[pc] = s
	sites.Unlock()
	return s
}

// between are the packages of the standard library that call methods of tensors, or functions
// that they are given, for the user.
var between = [...]string{"runtime.", "reflect.", "encoding/", "fmt.", "iter.", "maps.", "slices.", "sort.", "sync.",
	"testing.", "text/template.", "html/template."}

// goRoot is the folder of the source of the standard library, "" where the program is built with -trimpath.
var goRoot = func() string {
	pc := [1]uintptr{}
	runtime.Callers(0, pc[:]) // runtime.Callers itself
	f, _ := runtime.CallersFrames(pc[:]).Next()
	return strings.TrimSuffix(f.File, "runtime/extern.go")
}()

// isStandard reports whether a file is one of the standard library.
func isStandard(file string) bool {
	if goRoot != "" {
		return strings.HasPrefix(file, goRoot)
	}
	first, _, _ := strings.Cut(file, "/")
	return slices.Contains(standardFolders, first)
}

// standardFolders hold the packages of the standard library that call functions of programs.
var standardFolders = []string{"bufio", "bytes", "context", "database", "encoding", "expvar", "flag", "fmt", "go",
	"html", "internal", "io", "iter", "log", "maps", "net", "os", "reflect", "runtime", "slices", "sort", "strings",
	"sync", "syscall", "testing", "text", "time", "unique"}

// isLibrary reports whether a frame belongs to the library rather than to its user:
// tests, examples, commands and workloads of the module are users.
func isLibrary(function, file string) bool {
	for _, p := range between {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	rest, inside := strings.CutPrefix(file, root.Get(findRoot))
	return inside && !strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(rest, "examples/") &&
		!strings.HasPrefix(rest, "cmd/") && !strings.HasPrefix(rest, "internal/bench/") &&
		!strings.HasPrefix(rest, "internal/nxtests/definitions/")
}

// As returns the *Error in err's chain, or nil.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
