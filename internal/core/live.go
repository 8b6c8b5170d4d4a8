package core

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/pprof"
)

// liveTensors knows where the memory of tensors was allocated. It keeps nothing alive.
type liveTensors struct {
	mu      sync.Mutex
	of      map[weak.Pointer[payload]]*allocation
	sweepAt int // the number of entries from which those of no use are removed
}

// allocation is the memory of one or several payloads.
type allocation struct {
	stack  []uintptr // from the caller of the library
	spec   *Spec     // of the first tensor in it
	bytes  int64
	device backend.Device
}

// tracking is what knows of tensors, nil while no one asked.
var tracking atomic.Pointer[liveTensors]

// stackDepth is how many frames of the program an allocation keeps.
const stackDepth = 32

// TrackTensors implements debug.TrackTensors.
func TrackTensors(on bool) {
	if !on {
		tracking.Store(nil)
		return
	}
	tracking.CompareAndSwap(nil, &liveTensors{of: map[weak.Pointer[payload]]*allocation{}, sweepAt: 1024})
}

// allocated notes a tensor in memory of its own.
func (l *liveTensors) allocated(t Tensor) {
	stack := diag.UserStack()
	a := &allocation{stack: slices.Clone(stack[:min(len(stack), stackDepth)]), spec: t.p.spec.strong(),
		bytes: t.p.buf.buf.Type().SizeBytes(), device: t.p.buf.home.device}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note(t, a)
}

// shared notes that a tensor is in the memory of another. That of tensors from before is not known.
func (l *liveTensors) shared(t, with Tensor) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if a := l.of[weak.Make(with.p.buf)]; a != nil {
		l.note(t, a)
	}
}

func (l *liveTensors) note(t Tensor, a *allocation) {
	l.of[weak.Make(t.p.buf)] = a
	if len(l.of) >= l.sweepAt {
		l.sweep()
		l.sweepAt = max(1024, 2*len(l.of))
	}
}

// sweep removes tensors that were collected, released or donated.
func (l *liveTensors) sweep() {
	for w := range l.of {
		if p := w.Value(); p == nil || p.valid.ended.Load() != nil {
			delete(l.of, w)
		}
	}
}

// WriteTensors implements debug.WriteTensors.
func WriteTensors(w io.Writer) error {
	l := tracking.Load()
	if l == nil {
		return newError(ErrState, "WriteTensors", nil, "call debug.TrackTensors(true) at the start of the program",
			"the tensors are not tracked")
	}
	runtime.GC()
	type group struct{ stack, spec, device string }
	at, seen := map[group]int{}, map[*allocation]bool{}
	var samples []pprof.Sample
	l.mu.Lock()
	l.sweep()
	for _, a := range l.of {
		if seen[a] {
			continue
		}
		seen[a] = true
		g := group{fmt.Sprint(a.stack), a.spec.String(), a.device.String()}
		i, ok := at[g]
		if !ok {
			i = len(samples)
			at[g] = i
			samples = append(samples, pprof.Sample{Stack: a.stack, Values: []int64{0, 0},
				Labels: []pprof.Label{{Key: "type", Text: g.spec}, {Key: "device", Text: g.device}}})
		}
		samples[i].Values[0]++
		samples[i].Values[1] += a.bytes
	}
	l.mu.Unlock()
	return pprof.Write(w, "nx.tensors", []pprof.Value{{Kind: "inuse_tensors", Unit: "count"},
		{Kind: "inuse_space", Unit: "bytes"}}, pprof.Sorted(samples))
}
