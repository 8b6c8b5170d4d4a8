package target

import (
	"sync"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// sharedArena holds the code that all executables share. It is allocated at first use and never freed. One arena serves
// all code, since each has its own address space and mappings.
var sharedArena = sync.OnceValues(rt.NewCodeArena)

// AddShared makes code executable for the lifetime of the process.
func AddShared(name string, text []byte, instructionBytes int) (*rt.Function, error) {
	arena, err := sharedArena()
	if err != nil {
		return nil, err
	}
	f, err := AddNative(arena, name, text, instructionBytes)
	if err != nil {
		return nil, err
	}
	return f, arena.Seal()
}
