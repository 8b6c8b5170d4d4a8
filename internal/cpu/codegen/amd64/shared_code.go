package amd64

import (
	"sync"

	"github.com/go-nx/nx/internal/cpu/rt"
)

// sharedArena holds the code that all executables share. It is made when it is first asked for and stays as long as the
// process: by one arena, since each takes address space and mappings of its own.
var sharedArena = sync.OnceValues(rt.NewCodeArena)

// addShared makes code executable that stays.
func addShared(name string, text []byte, instructionBytes int) (*rt.Function, error) {
	arena, err := sharedArena()
	if err != nil {
		return nil, err
	}
	f, err := arena.Add(name, text, instructionBytes)
	if err != nil {
		return nil, err
	}
	return f, arena.Seal()
}
