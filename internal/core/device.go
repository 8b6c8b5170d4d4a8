package core

import (
	"context"
	"slices"

	"github.com/go-nx/nx/backend"
)

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

// copyOf returns a copy of a tensor at h that the client makes without host memory; it reports
// false if it cannot.
func (h *home) copyOf(op string, t Tensor) (b backend.Buffer, ok bool) {
	from, ok := materialise(op, h, t).(backend.Copier)
	if !ok || !from.CanCopyTo(h.device) {
		return nil, false
	}
	err := transferObserved(op, int64(t.p.spec.sizeBytes()), t.p.buf.home.device, h.device, func() (err error) {
		b, err = from.CopyTo(h.device)
		return err
	})
	if err != nil {
		failRun(op, []Tensor{t}, err)
	}
	return b, true
}

// Device implements nx.Tensor.Device.
func (t Tensor) Device() Device {
	t.must("Device")
	if t.p.buf == nil {
		return nil
	}
	return t.p.buf.home.device
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
