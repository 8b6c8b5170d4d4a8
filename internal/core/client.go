package core

import (
	"context"
	"os"
	"sync"
	"sync/atomic"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	_ "github.com/go-nx/nx/stablehlo/interp"
)

// choice is the default client, of all functions for which no other is given.
var choice clientChoice

type clientChoice struct {
	sync.Mutex
	client backend.Client // of SetDefault, or nil
	made   bool
	opener atomic.Pointer[string] // the goroutine that opens the client of NX_CLIENT
}

// SetDefault implements nx.SetDefault.
func SetDefault(c backend.Client) (err error) {
	defer Catch(&err)
	if c == nil || len(c.Devices()) == 0 {
		fail(ErrDevice, "SetDefault", "cpu.Default() is one", "the client is nil, or has no device")
	}
	choice.Lock()
	used := choice.made
	if !used {
		choice.client = c
	}
	was := choice.client
	choice.Unlock()
	if used {
		fail(ErrDevice, "SetDefault", "call it first in main, or name the client where it matters (nx.On, nx.Transfer)",
			"the default client %s was used before", was.Name())
	}
	return nil
}

// defaultClient returns the default client: that of
// [SetDefault], that of the environment variable NX_CLIENT of those that the program
// imports, and cpu otherwise. This is the one place where the package knows a compiler.
func defaultClient() backend.Client { return choice.open(os.Getenv("NX_CLIENT")) }

// open returns the client; where none was set it is the one of a name.
func (c *clientChoice) open(name string) backend.Client {
	if by := c.opener.Load(); by != nil && *by == goroutine() {
		fail(ErrDevice, "NX_CLIENT", "name another client there (nx.On)",
			"the backend %q computes with tensors of the default client while it is opened", name)
	}
	c.Lock()
	defer c.Unlock()
	if c.client == nil {
		me := goroutine()
		c.opener.Store(&me)
		defer c.opener.Store(nil)
		c.client = clientOf(name)
	}
	c.made = true
	return c.client
}

// clientOf returns the client of a name, cpu for none.
func clientOf(name string) backend.Client {
	if name == "" {
		return cpu.Default()
	}
	c, err := backend.Open(name)
	if err != nil {
		fail(ErrDevice, "NX_CLIENT", "import the package of the client, or leave the variable unset", "%v", err)
	}
	return c
}

// recomputingClient returns the client that computes large ops of programs that run again, op by op.
func recomputingClient() backend.Client { return cpu.Default() }

// background is the context of eager ops, which is never cancelled.
var background = context.Background()
