package interp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/go-nx/nx/internal/checks"
	"github.com/go-nx/nx/internal/userfunc"
	"github.com/go-nx/nx/stablehlo"
)

// session is the state that the processes of one Call share.
type session struct {
	mu     sync.Mutex           // one print at a time; guards all below
	probes map[string][]*Tensor // the values of each probe, in order
}

// WithOutput sets the writer of interpreter.print; without it interpreter.print writes nothing.
func WithOutput(w io.Writer) Option { return func(it *Interpreter) { it.output = w } }

// WithProbe calls f with each value that an interpreter.probe sees: its id,
// how often that probe ran before, and the value. Calls are not concurrent.
func WithProbe(f func(id string, iteration int, t *Tensor) error) Option {
	return func(it *Interpreter) { it.probe = f }
}

// WithInfeed returns stablehlo.infeed outside interpreter.run_parallel its data:
// f returns a value of each type.
func WithInfeed(f func(types []*stablehlo.TensorType) ([]*Tensor, error)) Option {
	return func(it *Interpreter) { it.infeed = f }
}

// WithOutfeed hands the inputs of stablehlo.outfeed to f; without it they are
// dropped. Calls are not concurrent.
func WithOutfeed(f func([]*Tensor) error) Option { return func(it *Interpreter) { it.outfeed = f } }

func evalPrint(f *frame, s *step, args []Value) ([]Value, error) {
	if f.it.output == nil {
		return nil, nil
	}
	name := s.op.Operands[0].Name()
	if name == "" {
		name = "0"
	}
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	w := bufio.NewWriterSize(stoppable{f.ctx, f.it.output}, 1<<16)
	fmt.Fprintf(w, "%%%s = ", name)
	err := checks.Tensor(*args[0].(*Tensor)).Write(w)
	if err == nil {
		w.WriteByte('\n')
		err = w.Flush()
	}
	if _, stopped := err.(*Fault); err != nil && !stopped {
		err = &Fault{Kind: CallFailed, Detail: "cannot print", Err: err}
	}
	return nil, err
}

// stoppable writes until the context ends.
type stoppable struct {
	ctx context.Context
	w   io.Writer
}

func (s stoppable) Write(b []byte) (n int, err error) {
	if s.ctx.Err() != nil {
		return 0, canceled(s.ctx)
	}
	err = userfunc.Call(s.ctx, "the writer of WithOutput", func() (err error) {
		n, err = s.w.Write(b)
		return err
	})
	return n, err
}

func evalProbe(f *frame, s *step, args []Value) ([]Value, error) {
	x, id := args[0].(*Tensor), s.op.Str("probe_id")
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	seen := f.session.probes[id]
	// Regions run over elements reuse their tensors: keep a copy.
	kept := &Tensor{x.Type, slices.Clone(x.Data)}
	f.session.probes[id] = append(seen, kept)
	if f.it.probe != nil {
		probe := func() error { return f.it.probe(id, len(seen), kept) }
		if err := userfunc.Call(f.ctx, "the function of WithProbe", probe); err != nil {
			return nil, &Fault{Kind: CallFailed, Detail: "probe " + id, Err: err}
		}
	}
	return args, nil
}

func evalExpectSerializedEq(f *frame, s *step, args []Value) ([]Value, error) {
	id, i := s.op.Str("probe_id"), s.op.Int("iteration", 0)
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	seen := f.session.probes[id]
	if i < 0 || i >= int64(len(seen)) {
		return nil, faultf(CheckFailed, "probe %q ran %d times; it has no iteration %d", id, len(seen), i)
	}
	return nil, check(f.ctx, s.op, seen[i], args[0].(*Tensor))
}

// evalInfeed reads the results of the next function of run_parallel's infeed,
// or from the reader of WithInfeed.
func evalInfeed(f *frame, s *step, _ []Value) ([]Value, error) {
	types := s.op.Results[:max(len(s.op.Results)-1, 0)]
	var got []Value
	if name, ok := f.proc.infeed.next(); ok {
		var err error
		if got, err = f.callNamed(name, nil); err != nil {
			return nil, err
		}
	} else if f.it.infeed != nil {
		want := make([]*stablehlo.TensorType, len(types))
		for i, t := range types {
			want[i] = t.Tensor()
		}
		var ts []*Tensor
		err := userfunc.Call(f.ctx, "the function of WithInfeed", func() (err error) {
			ts, err = f.it.infeed(want)
			return err
		})
		if err != nil {
			return nil, &Fault{Kind: CallFailed, Detail: "infeed", Err: err}
		}
		got = values(ts)
	} else {
		return nil, faultf(NoParallel, "the infeed is empty")
	}
	return received(s, got)
}

// received checks values from outside against the results of the op and adds
// the token.
func received(s *step, got []Value) ([]Value, error) {
	types := s.op.Results[:max(len(s.op.Results)-1, 0)]
	if len(got) != len(types) {
		return nil, faultf(BadArgument, "received %d values, want %d", len(got), len(types))
	}
	for i, v := range got {
		if why := misfit(v, types[i].Type()); why != "" {
			return nil, faultf(BadArgument, "received as value %d: %s", i, why)
		}
	}
	return append(slices.Clip(got), Token{}), nil
}

func evalOutfeed(f *frame, _ *step, args []Value) ([]Value, error) {
	x, err := tensors(args[:len(args)-1])
	if err != nil {
		return nil, err
	}
	if f.it.outfeed != nil {
		f.session.mu.Lock()
		defer f.session.mu.Unlock()
		outfeed := func() error { return f.it.outfeed(x) }
		if err := userfunc.Call(f.ctx, "the function of WithOutfeed", outfeed); err != nil {
			return nil, &Fault{Kind: CallFailed, Detail: "outfeed", Err: err}
		}
	}
	return []Value{Token{}}, nil
}

func evalSend(f *frame, s *step, args []Value) ([]Value, error) {
	x, err := tensors(args[:len(args)-1])
	if err != nil {
		return nil, err
	}
	key, ok, err := f.proc.Mailbox(s.op, true)
	if ok {
		f.proc.Grid.Send(key, x)
	}
	return []Value{Token{}}, noParallel(err)
}

// evalRecv waits for a message; a process that is the target of no pair gets
// zeros.
func evalRecv(f *frame, s *step, _ []Value) ([]Value, error) {
	key, ok, err := f.proc.Mailbox(s.op, false)
	if err != nil {
		return nil, noParallel(err)
	}
	if ok {
		m, err := f.proc.Grid.Receive(f.ctx, key)
		if err != nil {
			return nil, canceled(f.ctx)
		}
		return received(s, values(m.([]*Tensor)))
	}
	var got []Value
	for _, r := range s.op.Results[:len(s.op.Results)-1] {
		x, err := makeTensor(r.Tensor(), r.Tensor().Dims...)
		if err != nil {
			return nil, err
		}
		z, err := zero(f, r.Tensor(), x)
		if err != nil {
			return nil, err
		}
		got = append(got, z)
	}
	return received(s, got)
}
