package core

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-nx/nx/backend"
)

// Device is a place where tensors live: see package backend.
type Device = backend.Device

// home is a device with what the package keeps for it.
type home struct {
	client   backend.Client
	device   Device
	ops      opCache                     // programs compiled for it, beside operations
	compiled atomic.Int64                // how many operations and programs have been
	scalars  [256]atomic.Pointer[scalar] // the numbers used last: programs use few, again and again
}

// homes holds the home of each device. There are as many as the program uses.
var homes sync.Map // Device → *home

func homeOf(d Device) *home {
	if h, ok := homes.Load(d); ok {
		return h.(*home)
	}
	h, _ := homes.LoadOrStore(d, &home{client: d.Client(), device: d})
	return h.(*home)
}

// localHome is what [local] returned, nil before.
var localHome atomic.Pointer[home]

// local returns the home of tensors for which no other is named. Where the default client cannot be opened, the next
// call tries again.
func local() *home {
	h := localHome.Load()
	if h == nil {
		h = homeOf(defaultClient().Devices()[0])
		localHome.Store(h)
	}
	return h
}

// of returns the home of a buffer, which is most often h.
func (h *home) of(b backend.Buffer) *home {
	if d := b.Device(); d != h.device {
		return homeOf(d)
	}
	return h
}

// homeFor returns where an op runs: where its operands live; one on constants alone, or on what was computed of them,
// while a function is traced, where that function will run.
func homeFor(op string, ins []Tensor) *home {
	var h *home
	for _, x := range ins {
		switch b := x.p.buf; {
		case b == nil || b.home == h || x.p.rec != nil:
		case h == nil:
			h = b.home
		default:
			failOn(ErrDevice, op, ins, "move one of them (nx.Transfer)", "the operands live on different devices, %s and %s",
				h.device, b.home.device)
		}
	}
	if h != nil {
		return h
	}
	return currentStage().home()
}

// upload returns a buffer with these elements.
func (h *home) upload(op string, spec *Spec, data []byte) backend.Buffer {
	var b backend.Buffer
	err := transferTold(op, int64(len(data)), nil, h.device, func() (err error) {
		b, err = h.client.Put(background, spec.bufferType(), data, h.device)
		return err
	})
	if err != nil {
		failRun(op, nil, err)
	}
	return b
}

// Await implements nx.Await.
func Await[P any](ctx context.Context, p P) (out P, err error) {
	defer Catch(&err)
	eachLeaf("Await", p, func(_ string, t Tensor) {
		if t.p == nil || t.p.buf == nil && t.p.rec != nil {
			return
		}
		if err := materialise("Await", nil, t).Await(ctx); err != nil {
			failRun("Await", []Tensor{t}, err)
		}
	})
	return p, nil
}

// Transfer implements nx.Transfer.
func Transfer[P any](p P, to Device) (out P, err error) {
	defer Catch(&err)
	if to == nil {
		fail(ErrDevice, "Transfer", "take one of a client's: cpu.Default().Devices()[0]", "the device is nil")
	}
	h := homeOf(to)
	return replace("Transfer", p, func(t Tensor) Tensor {
		switch {
		case t.p == nil || t.p.buf == nil && t.p.rec != nil:
			return t
		case t.p.buf != nil && t.p.buf.home == h:
			return wrap(&tensor{spec: t.p.spec, buf: t.p.buf}) // from now on it stays there
		}
		b, ok := h.copyOf("Transfer", t)
		if !ok {
			b = h.copied("Transfer", t)
		}
		return newBuffer(h, t.p.spec, b)
	}), nil
}

// at returns the buffer of an operand of what runs at h.
func (h *home) at(op string, t Tensor) backend.Buffer {
	if t.p.buf != nil && t.p.rec != nil && t.p.buf.home != h {
		return h.copied(op, t)
	}
	return materialise(op, h, t)
}

// copied returns a copy of a tensor at h, by way of the memory of the program.
func (h *home) copied(op string, t Tensor) (b backend.Buffer) {
	lend(op, t, func(data []byte) { b = h.upload(op, t.p.spec, data) })
	return b
}

// copyOf returns a copy of a tensor at h that the client makes without the memory of the
// program; it reports false where there is none.
func (h *home) copyOf(op string, t Tensor) (b backend.Buffer, ok bool) {
	from, ok := materialise(op, h, t).(backend.Copier)
	if !ok || !from.CanCopyTo(h.device) {
		return nil, false
	}
	err := transferTold(op, int64(t.p.spec.sizeBytes()), t.p.buf.home.device, h.device, func() (err error) {
		b, err = from.CopyTo(h.device)
		return err
	})
	if err != nil {
		failRun(op, []Tensor{t}, err)
	}
	return b, true
}

// Device returns where the tensor lives: nil for a constant, which is made where it is
// used, and for a traced tensor, which will live where its function runs.
//
// Errors: [ErrAbsent] for the zero Tensor, [ErrReleased] for one that is gone.
func (t Tensor) Device() Device {
	t.must("Device")
	if t.p.buf == nil {
		return nil
	}
	return t.p.buf.home.device
}

// OnOption is what [On] returns: an option of [Jit], of [Load] and of [Stream].
type OnOption interface {
	JitOption
	LoadOption
	on() backend.Client
}

func (o onOption) on() backend.Client { return o.client }

// onOption is the option made by [On].
type onOption struct{ client backend.Client }

// On implements nx.On.
func On(c backend.Client) OnOption { return onOption{c} }

func (o onOption) jitOption(j *jitOptions) { j.client = o.client }

// client returns what compiles the function.
func (j *jit) client() backend.Client {
	if j.on != nil {
		return j.on
	}
	return local().client
}

// home returns where what the function needs beside its arguments is put.
func (j *jit) home() *home {
	if j.on != nil {
		return homeOf(j.on.Devices()[0])
	}
	return local()
}

// requireHere refuses an argument on a device that is not the function's.
func (j *jit) requireHere(t Tensor) {
	d := t.p.buf.home.device
	if m, ok := j.client().(backend.Mover); ok && m.MovesFrom(d) {
		return
	}
	if !slices.Contains(j.client().Devices(), d) {
		failOn(ErrDevice, "Jit", []Tensor{t}, "move it (nx.Transfer), or compile for its device (nx.On)",
			"an argument lives on %s, the function runs on %s", d, j.home().device)
	}
}
