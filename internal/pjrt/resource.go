package pjrt

import (
	"runtime"
	"sync/atomic"

	"github.com/go-nx/nx/internal/pjrt/abi"
)

// resource is a handle that is used by calls and closed concurrently: it is freed when it is closed, no call
// uses it, and no child of it is left.
type resource struct {
	plugin *Plugin
	what   string // for messages
	handle uintptr
	free   abi.Function
	parent *resource // which must outlive it, or nil
	freed  func()    // called afterwards, or nil

	refs   atomic.Int64 // one of the owner, one of each call and of each child
	closed atomic.Bool
}

func (p *Plugin) newResource(what string, handle uintptr, free abi.Function, parent *resource) *resource {
	r := &resource{plugin: p, what: what, handle: handle, free: free, parent: parent}
	r.refs.Store(1)
	if parent != nil {
		parent.refs.Add(1) // the caller holds it
	}
	return r
}

// hold keeps the handle from being freed until drop is called.
func (r *resource) hold() error {
	for {
		n := r.refs.Load()
		if n == 0 || r.closed.Load() {
			return ClosedError{r.what}
		}
		if r.refs.CompareAndSwap(n, n+1) {
			return nil
		}
	}
}

func (r *resource) drop() {
	if r.refs.Add(-1) > 0 {
		return
	}
	r.plugin.destroy(r.free, r.handle) // the object is freed even after an error
	if r.freed != nil {
		r.freed()
	}
	if r.parent != nil {
		r.parent.drop()
	}
}

// close returns the owner's part back, once.
func (r *resource) close() {
	if !r.closed.Swap(true) {
		r.drop()
	}
}

// owner is what Go values of a resource have: closed by hand, or when they are collected.
type owner struct {
	*resource
	cleanup runtime.Cleanup
}

// own closes the resource of x when x is garbage.
func own[T any](x *T, r *resource) owner {
	return owner{r, runtime.AddCleanup(x, (*resource).close, r)}
}

// Close frees it after the last use. Further calls have no effect.
func (o *owner) Close() {
	o.cleanup.Stop()
	o.resource.close()
}
