package core

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/go-nx/nx/backend"
)

// home is a device with the state that the package keeps for it.
type home struct {
	client   backend.Client
	device   Device
	compiled atomic.Int64                // how many operations and programs have been
	scalars  [256]atomic.Pointer[scalar] // the numbers used last: programs use few numbers repeatedly
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

// localHome is the result of [local], nil before the first call.
var localHome atomic.Pointer[home]

// local returns the home of tensors for which no other is given. Where the default client cannot be opened, the next
// call tries again.
func local() *home {
	h := localHome.Load()
	if h == nil {
		c := defaultClient()
		d := c.Devices()[0]
		// The client may be another than that of the device, as one that shares it and has a cache is.
		made, _ := homes.LoadOrStore(d, &home{client: c, device: d})
		h = made.(*home)
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

// upload returns a buffer with these elements.
func (h *home) upload(op string, spec *Spec, data []byte) backend.Buffer {
	var b backend.Buffer
	err := transferObserved(op, int64(len(data)), nil, h.device, func() (err error) {
		b, err = h.client.Put(background, spec.bufferType(), data, h.device)
		return err
	})
	if err != nil {
		failRun(op, nil, err)
	}
	return b
}

// scalar is a number on a device.
type scalar struct {
	d   DType
	n   number
	buf backend.Buffer
}

// scalar returns a number as an element of type d.
func (h *home) scalar(op string, d DType, n number) backend.Buffer {
	hash := uint64(n.Int) ^ math.Float64bits(n.Re) ^ math.Float64bits(n.Im)<<1 ^ uint64(d)<<56
	slot := &h.scalars[hash*0x9E3779B97F4A7C15>>56]
	if s := slot.Load(); s != nil && s.d == d && s.n.Same(n) {
		return s.buf
	}
	data := make([]byte, d.Size())
	n.Encode(d, data)
	s := &scalar{d: d, n: n}
	if c, ok := h.client.(backend.Wrapper); ok { // not counted as the program's
		s.buf, _ = c.Wrap(scalarSpecs[d].bufferType(), data)
	}
	if s.buf == nil {
		s.buf = h.upload(op, scalarSpecs[d], data)
	}
	slot.Store(s)
	return s.buf
}

// Device is a place where tensors live: see package backend.
type Device = backend.Device
