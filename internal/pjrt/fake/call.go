package fake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/pjrt/abi"
)

// call is a call of a program: its arguments and results by partition, nil for those on devices of
// other processes.
type call struct {
	*loadedExecutable
	args, results [][]*array
	name          string // of a call that other processes have a part in, else ""
}

func newCall(x *loadedExecutable) *call {
	n := 1
	if x.program.cuts != nil {
		n = len(x.program.cuts.ids)
	}
	return &call{loadedExecutable: x, args: make([][]*array, n), results: make([][]*array, n)}
}

// begin names the call, if some of its devices are not of this process: all processes call the same
// programs in the same order.
func (r *call) begin(local int) {
	if local == len(r.args) {
		return
	}
	c, x := r.client, r.program
	program := fmt.Sprintf("%x", sha256.Sum256(append(bytes.Clone(x.options), x.source...)))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs[program]++
	r.name = fmt.Sprintf("%s call %d", program, c.runs[program])
}

// run computes the results. It joins the arguments of a sharded program, computes with the full tensors, and
// splits the results.
func (r *call) run() error {
	x := r.program
	if x.cuts == nil {
		return run(x.code, r.args[0], r.results[0])
	}
	whole := make([]*array, len(x.ins))
	for i, t := range x.ins {
		data, err := r.join(i, t)
		if err != nil {
			return err
		}
		b, err := cpu.Default().Put(context.Background(), t, data, nil)
		if err != nil {
			return err
		}
		whole[i] = &array{work: newWork(), typ: t, data: b}
		whole[i].work.end(nil)
	}
	out := make([]*array, len(x.outs))
	for i, t := range x.outs {
		out[i] = &array{work: newWork(), typ: t}
	}
	if err := run(x.code, whole, out); err != nil {
		return err
	}
	for i, t := range x.outs {
		if err := r.split(out[i], i, t); err != nil {
			return err
		}
	}
	return nil
}

// join returns an argument of all devices as one. Devices that have the same part must have
// the same contents.
func (r *call) join(i int, t backend.Type) ([]byte, error) {
	c := r.program.cuts
	whole := make([]byte, t.SizeBytes())
	local := c.part(c.Ins[i], t)
	parts := make([][]byte, len(c.Devices))
	for d, number := range c.Devices {
		if r.args[number] == nil {
			continue
		}
		a := r.args[number][i]
		<-a.work.done
		if a.work.err != nil {
			return nil, a.work.err
		}
		parts[d] = make([]byte, local.SizeBytes())
		if err := a.data.Read(context.Background(), parts[d]); err != nil {
			return nil, err
		}
		if err := r.publish(i, number, parts[d]); err != nil {
			return nil, err
		}
	}
	for d, number := range c.Devices {
		if parts[d] == nil {
			var err error
			if parts[d], err = r.receive(i, number, local.SizeBytes()); err != nil {
				return nil, err
			}
		}
		if c.Owns(c.Ins[i], d) {
			c.Join(whole, parts[d], c.Ins[i], t.Dims, local.Dims, t.DType.Size(), d)
		}
	}
	for d := range parts {
		resplit := make([]byte, len(parts[d]))
		c.Split(resplit, whole, c.Ins[i], t.Dims, local.Dims, t.DType.Size(), d)
		if !bytes.Equal(resplit, parts[d]) {
			return nil, fail(abi.InvalidArgument, "argument %d differs between devices that should have the same part", i)
		}
	}
	return whole, nil
}

func (r *call) key(argument int, partition int64) string {
	return fmt.Sprintf("%s: argument %d of partition %d", r.name, argument, partition)
}

// publish returns a part to the other processes, if they have a part in the call.
func (r *call) publish(argument int, partition int64, part []byte) error {
	if r.name == "" {
		return nil
	}
	return r.plugin.putKey(r.client.store, r.key(argument, partition), part)
}

// receive takes a part from another process.
func (r *call) receive(argument int, partition, size int64) ([]byte, error) {
	part, err := r.plugin.getKey(r.client.store, r.key(argument, partition))
	if err == nil && int64(len(part)) != size {
		err = fail(abi.Internal, "argument %d of partition %d has %d bytes, want %d", argument, partition,
			len(part), size)
	}
	return part, err
}

// split returns each device of this process its part of a result.
func (r *call) split(out *array, i int, t backend.Type) error {
	c := r.program.cuts
	whole := make([]byte, t.SizeBytes())
	if err := out.data.Read(context.Background(), whole); err != nil {
		return err
	}
	local := c.part(c.Outs[i], t)
	for d, number := range c.Devices {
		if r.results[number] == nil {
			continue
		}
		part := make([]byte, local.SizeBytes())
		c.Split(part, whole, c.Outs[i], t.Dims, local.Dims, t.DType.Size(), d)
		b, err := cpu.Default().Put(context.Background(), local, part, nil)
		if err != nil {
			return err
		}
		r.results[number][i].data = b
	}
	return nil
}
