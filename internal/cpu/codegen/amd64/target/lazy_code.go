package target

import (
	"sync"
	"sync/atomic"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Code is assembled code of a step.
type Code struct {
	Text             []byte
	InstructionBytes int
	Function         *rt.Function
}

// Finish returns the code that an assembler has emitted.
func Finish(a *asm.Assembler) (*Code, error) {
	c := &Code{InstructionBytes: a.Len()}
	var err error
	c.Text, err = a.Finish()
	return c, err
}

// Lazy assembles code once, at first use.
type Lazy struct{ mu sync.Mutex }

// Get returns the code at an address, which it assembles at first use and makes executable if runs. If the system has
// no memory, it panics with the [rt.CodeMemoryError] that the execution returns; the next call retries.
func (m *Lazy) Get(at *atomic.Pointer[Code], runs bool, name string,
	assemble func() (*Code, error)) *Code {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := at.Load(); c != nil {
		return c
	}
	c, err := assemble()
	if err == nil && runs {
		err = c.load(name)
	}
	if err != nil {
		panic(err) // only for lack of memory: tests assemble all code
	}
	at.Store(c)
	return c
}

// load makes code executable.
func (c *Code) load(name string) (err error) {
	c.Function, err = AddShared(name, c.Text, c.InstructionBytes)
	return err
}
