package cpu

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/cpu/exec"
)

// donation describes the use of donated argument buffers by a function.
type donation struct {
	donated []bool // of each argument, whether it is donated
	changed []bool // of each argument, whether a run overwrites its memory
	takes   []int  // of each result, the argument whose memory it reuses, or -1
}

// donationOf returns nil for a function without donated arguments.
func donationOf(donated []bool, x *exec.Executable) *donation {
	if !slices.Contains(donated, true) {
		return nil
	}
	d := &donation{donated: donated}
	d.takes, d.changed = x.Takes()
	return d
}

// executeDonated is Execute of a function with donated arguments. A result that reuses an
// argument's memory is a buffer of that memory. If the memory has another user (an execution, a
// view, another argument of the call, the program itself), the result uses a copy.
func (e *executable) executeDonated(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	d := e.donation
	if len(args) != len(d.donated) {
		return nil, fmt.Errorf("cpu: the program must have %d arguments, got %d", len(d.donated), len(args))
	}
	bufs := make([]*buffer, len(args)) // of each argument, with a reference to its memory
	defer func() {
		for i, b := range bufs {
			if b != nil {
				b.drop()
			}
			if d.donated[i] {
				args[i].Release()
			}
		}
	}()
	in := make([][]byte, len(args))
	var sources []backend.Source // of arguments; nil if no memory is borrowed
	// Arguments that are only read come first: if the memory of one is also donated as another
	// argument, it is then seen to be in use.
	for _, changed := range []bool{false, true} {
		for i, a := range args {
			if d.changed[i] != changed {
				continue
			}
			b, err := retain(i, a)
			if err == nil && changed {
				b, err = e.takeMemory(b)
			}
			if err != nil {
				return nil, err
			}
			bufs[i], in[i] = b, b.data
			if s := b.source(); s != nil {
				sources = setSource(sources, len(args), i, s)
			}
		}
	}
	results, err := e.resultsIn(bufs)
	switch {
	case err != nil:
	case sources != nil:
		err = e.runBorrowed(ctx, sources, in, results)
	default:
		err = e.run(ctx, in, results)
	}
	if err != nil {
		releaseAll(results)
		return nil, err
	}
	return results, nil
}

// resultsIn returns buffers for the results, some of them those of arguments. With an error it
// returns those allocated so far.
func (e *executable) resultsIn(args []*buffer) ([]backend.Buffer, error) {
	results := make([]backend.Buffer, 0, len(e.results))
	for r, arg := range e.donation.takes {
		b, err := &buffer{}, error(nil)
		if arg >= 0 {
			b = args[arg]
			b.t, err = &e.results[r], b.hold()
		} else {
			err = b.allocate(e.client, &e.results[r], e.sizes[r])
		}
		if err != nil {
			return results, err
		}
		results = append(results, b)
	}
	return results, nil
}

// takeMemory returns a buffer of the memory of b if the caller's reference is the only one and b is
// released, and of a copy otherwise. It takes over the reference.
func (e *executable) takeMemory(b *buffer) (*buffer, error) {
	own := b.batch != nil || b.origin != nil && b.origin.pool != nil
	if !own || !b.refs.CompareAndSwap(1, -1) { // the caller's reference
		defer b.drop()
		n := &buffer{}
		if err := n.allocate(e.client, b.t, int64(len(b.data))); err != nil {
			return nil, err
		}
		return n, b.guarded(func(data []byte) error {
			copy(n.data, data)
			return nil
		})
	}
	// From here on hold(b) fails.
	if b.released.Swap(true) {
		return nil, errReleased // released concurrently: that frees the memory
	}
	n := &buffer{batch: b.batch}
	n.setMemory(b.t, b.data)
	if b.origin != nil {
		b.origin.cleanup.Stop()
		n.origin = &origin{pool: b.origin.pool}
		n.origin.cleanup = runtime.AddCleanup(n, n.origin.pool.Put, n.data)
	}
	b.data = nil
	return n, nil
}
