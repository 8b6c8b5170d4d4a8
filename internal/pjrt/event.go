package pjrt

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
)

// Event is an asynchronous operation of a plugin. No goroutine waits inside the plugin for it: the plugin
// calls back, on its own thread.
type Event struct {
	plugin   *Plugin
	handle   abi.Event
	from     abi.Function // which function gave it, for messages
	done     chan struct{}
	err      error        // valid when done is closed
	finished atomic.Int32 // of: OnReady returned, it called back. The second frees the handle
	then     func()       // called before done is closed, or nil
}

// waiting holds the events that plugins will call back for, by the number they were given.
var waiting struct {
	sync.Map
	last atomic.Uint64
}

// onReady is the one function that plugins call.
var onReady = sync.OnceValue(func() uintptr { return ffi.Callback(eventIsReady) })

// eventIsReady runs on a thread of the plugin, through whose frames no panic may go.
func eventIsReady(handle, number uintptr) uintptr {
	v, ok := waiting.LoadAndDelete(uint64(number))
	if !ok {
		return 0 // called twice
	}
	e := v.(*Event)
	defer close(e.done)
	defer func() {
		if r := recover(); r != nil {
			e.err = fmt.Errorf("%s: the program failed in a callback: %v", e.from, r)
		}
	}()
	e.err = e.plugin.takeError(e.from.String(), abi.Error(handle))
	e.finishHalf()
	if e.then != nil {
		e.then()
	}
	return 0
}

// watch returns an event for a handle, and takes ownership of it. When the event has happened, it calls then,
// if that is not nil, before it wakes waiting goroutines.
func (p *Plugin) watch(from abi.Function, handle abi.Event, then func()) (*Event, error) {
	e := &Event{plugin: p, handle: handle, from: from, done: make(chan struct{}), then: then}
	if handle == 0 { // no event to wait for
		if then != nil {
			then()
		}
		close(e.done)
		return e, nil
	}
	number := waiting.last.Add(1)
	waiting.Store(number, e)
	args := newArgs[abi.EventOnReadyArgs]()
	args.Event, args.Callback, args.UserArg = handle, onReady(), uintptr(number)
	if err := p.call(abi.EventOnReady, &args.Header); err != nil {
		if _, mine := waiting.LoadAndDelete(number); mine {
			p.destroy(abi.EventDestroy, uintptr(handle))
		}
		return nil, err
	}
	e.finishHalf()
	return e, nil
}

// finishHalf frees the handle when it is called for the second time: neither inside OnReady,
// which may call back before it returns, nor before the plugin has called.
func (e *Event) finishHalf() {
	if e.finished.Add(1) == 2 {
		e.plugin.destroy(abi.EventDestroy, uintptr(e.handle))
	}
}

// Wait returns when the event has happened, with its error, or when the context ends.
func (e *Event) Wait(ctx context.Context) error {
	select {
	case <-e.done:
		return e.err
	default:
	}
	select {
	case <-e.done:
		return e.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
