package fake

import (
	"time"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
)

// event happens when done is closed, with err.
type event struct {
	base
	work *work
}

// work is something that is being done.
type work struct {
	done chan struct{}
	err  error
}

func newWork() *work { return &work{done: make(chan struct{})} }

func (w *work) end(err error) {
	w.err = err
	close(w.done)
}

func (p *Plugin) newEvent(w *work) abi.Event {
	return abi.Event(newHandle(&event{base{plugin: p, name: "event"}, w}))
}

// when returns the delay of events after their operation.
func (p *Plugin) when() (after time.Duration, happens bool) {
	p.mu.Lock()
	f := p.timing
	p.mu.Unlock()
	if f == nil {
		return 0, true
	}
	return f()
}

// onReady calls back immediately, inside the call, if the event has happened, as XLA does.
func (p *Plugin) onReady(a *abi.EventOnReadyArgs) error {
	e, err := the[*event](uintptr(a.Event))
	if err != nil {
		return err
	}
	callback, number := a.Callback, a.UserArg
	call := func() { ffi.CallNumbers(callback, p.errorOf(e.work.err), number) }
	after, happens := p.when()
	if !happens {
		return nil
	}
	select {
	case <-e.work.done:
		if after == 0 {
			call()
			return nil
		}
	default:
	}
	p.running.Add(1)
	go func() {
		defer p.running.Done()
		<-e.work.done
		time.Sleep(after)
		call()
	}()
	return nil
}

// pluginFunctions are those of errors and events.
var pluginFunctions = map[abi.Function]function{
	abi.ErrorDestroy: free[*errorObject](nil),
	abi.ErrorMessage: with(func(_ *Plugin, a *abi.ErrorMessageArgs) error {
		e, err := the[*errorObject](uintptr(a.Error))
		if err == nil {
			a.Message, a.MessageSize = unsafe.SliceData(e.text), uintptr(len(e.text))
		}
		return err
	}),
	abi.ErrorGetCode: with(func(_ *Plugin, a *abi.ErrorGetCodeArgs) error {
		e, err := the[*errorObject](uintptr(a.Error))
		if err == nil {
			a.Code = e.code
		}
		return err
	}),
	abi.EventDestroy: free[*event](nil),
	abi.EventOnReady: with((*Plugin).onReady),
	abi.EventIsReady: with(func(_ *Plugin, a *abi.EventIsReadyArgs) error {
		e, err := the[*event](uintptr(a.Event))
		if err == nil {
			select {
			case <-e.work.done:
				a.IsReady = true
			default:
			}
		}
		return err
	}),
}
