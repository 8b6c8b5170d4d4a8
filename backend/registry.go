package backend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// registry holds the functions that open the clients linked into the program.
var registry struct {
	sync.Mutex
	open map[string]func() (Client, error)
}

// Register names a client, so that [Open] finds it. Packages of compilers call it
// while they are initialised; a program can use those it imports. It panics where
// the name is taken.
func Register(name string, open func() (Client, error)) {
	registry.Lock()
	defer registry.Unlock()
	if registry.open == nil {
		registry.open = map[string]func() (Client, error){}
	}
	if name == "" || open == nil || registry.open[name] != nil {
		panic(fmt.Sprintf("backend: the name %q must be new and not empty, and its function not nil", name))
	}
	registry.open[name] = open
}

// Open returns the client of a name. The error of an unknown name lists the names
// there are.
func Open(name string) (Client, error) {
	registry.Lock()
	open := registry.open[name]
	registry.Unlock()
	if open == nil {
		return nil, fmt.Errorf("there is no backend %q: the backends are %s", name, strings.Join(Names(), ", "))
	}
	return open()
}

// Names returns the names of the clients that are linked into the program, in order.
func Names() []string {
	registry.Lock()
	defer registry.Unlock()
	return slices.Sorted(maps.Keys(registry.open))
}
