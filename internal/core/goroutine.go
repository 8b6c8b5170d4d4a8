package core

import (
	"runtime"
	"strconv"
	"strings"

	current "github.com/go-nx/nx/internal/goroutine"
)

// goroutine names the current goroutine: "goroutine 7".
func goroutine() string { return "goroutine " + strconv.FormatInt(current.ID(), 10) }

// waitsFor reports whether goroutine a is blocked and started b, or what started b,
// and so on.
func waitsFor(a, b string) bool {
	text := make([]byte, 1<<16)
	for {
		n := runtime.Stack(text, true)
		if n < len(text) || n >= 1<<26 {
			text = text[:n]
			break
		}
		text = make([]byte, 4*len(text))
	}
	parent := map[string]string{}
	blocked := false
	for g := range strings.SplitSeq(string(text), "\n\n") {
		name, rest, _ := strings.Cut(g, " [")
		if name == a {
			blocked = isBlocked(rest)
		}
		if i := strings.LastIndex(g, " in goroutine "); i >= 0 { // "created by F in goroutine 7"
			by, _, _ := strings.Cut(g[i+len(" in "):], "\n")
			parent[name] = by
		}
	}
	for range len(parent) {
		if b = parent[b]; b == a {
			return blocked
		}
	}
	return false
}

// isBlocked reports whether a goroutine waits for another one, by its state:
// "chan receive, 2 minutes]".
func isBlocked(state string) bool {
	for _, s := range []string{"chan receive", "chan send", "select", "semacquire", "sync."} {
		if strings.HasPrefix(state, s) {
			return true
		}
	}
	return false
}
