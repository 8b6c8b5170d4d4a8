package core

import (
	"unsafe"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/telemetry"
)

// directForm returns a form as a direct one, nil if it cannot be one.
func (j *jit) directForm(c *compiled) *directForm {
	run := directOf(c.exe)
	if run == nil || j.checksNaN || j.donate != nil || len(c.captured) > 0 || len(c.outs) != 1 ||
		len(c.key) != len(c.pins)*int(unsafe.Sizeof(uintptr(0))) {
		return nil
	}
	return &directForm{run: run, home: j.home(), ins: c.pins, out: c.outs[0], free: j.on == nil}
}

// callDirect calls the form used last, where it is direct and the arguments have its types and
// data at its home. It reports false, having done nothing, when there is more to do.
func (j *jit) callDirect(args []Tensor) (Tensor, bool) {
	e := j.forms.last.Load()
	if e == nil || e.value.direct == nil || len(args) != len(e.value.direct.ins) ||
		staging.newest.Load() != 0 || profiling.Load() != nil || tracking.Load() != nil || telemetry.Enabled() {
		return Tensor{}, false
	}
	f := e.value.direct
	var bufs [3]backend.Buffer
	constants := f.free
	for i, t := range args {
		p := t.p
		if p == nil || unsafe.Pointer(p.spec) != f.ins[i] || p.buf == nil || p.buf.home != f.home ||
			p.buf.valid.ended.Load() != nil {
			return Tensor{}, false
		}
		bufs[i], constants = p.buf.buf, constants && p.rec != nil
	}
	out, front, err := f.run(bufs[0], bufs[1], bufs[2])
	if err != nil { // the slow path reports it
		return Tensor{}, false
	}
	return newBufferIn(front, f.home, f.out, out).mark(constants), true
}
