package fake

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/sharding"
	"github.com/go-nx/nx/stablehlo"
)

// cuts is the sharding of a program, from the attributes of its arguments and results. The plugin joins the
// shards, computes with the full tensors, and splits the results.
type cuts struct {
	*sharding.Manual
	ids []int // of the devices, by partition
}

// cutsOf reads the attributes, nil for a program of one device.
func cutsOf(m *stablehlo.Module, main stablehlo.Func, ids []int) (*cuts, error) {
	if len(ids) < 2 {
		return nil, nil
	}
	c := &cuts{&sharding.Manual{}, ids}
	read := func(a stablehlo.Attr) (sharding.Spec, error) {
		s, mesh, err := sharding.Read(a)
		if c.Name == "" {
			c.Name = mesh
		}
		return s, err
	}
	for i := range main.Args() {
		s, err := read(main.ArgAttr(i, sharding.AttrName))
		if err != nil {
			return nil, fail(abi.InvalidArgument, "argument %d: %v", i, err)
		}
		c.Ins = append(c.Ins, s)
	}
	for i := range main.Type().Outs {
		s, err := read(main.ResultAttr(i, sharding.AttrName))
		if err != nil {
			return nil, fail(abi.InvalidArgument, "result %d: %v", i, err)
		}
		c.Outs = append(c.Outs, s)
	}
	var err error
	if c.Mesh, c.Devices, err = sharding.MeshNamed(m, c.Name); err != nil || c.Mesh.Devices() != len(ids) {
		return nil, fail(abi.InvalidArgument, "a mesh of %d devices for %d partitions (%v)",
			c.Mesh.Devices(), len(ids), err)
	}
	return c, nil
}

// localIn returns the type of an argument on a device.
func (x *compiled) localIn(i int) backend.Type {
	if x.cuts == nil {
		return x.ins[i]
	}
	return x.cuts.part(x.cuts.Ins[i], x.ins[i])
}

// local returns the types of the results on a device.
func (x *compiled) local() []backend.Type {
	if x.cuts == nil {
		return x.outs
	}
	all := make([]backend.Type, len(x.outs))
	for i, t := range x.outs {
		all[i] = x.cuts.part(x.cuts.Outs[i], t)
	}
	return all
}

func (c *cuts) part(s sharding.Spec, t backend.Type) backend.Type {
	dims, err := c.Local(s, t.Dims)
	if err != nil {
		panic(err)
	}
	return backend.Type{DType: t.DType, Dims: dims}
}

// checkCompileOptions reads a CompileOptionsProto: one replica, and partitions with their device assignment,
// which it returns; nil for a program of one partition, which must be portable.
func checkCompileOptions(options []byte) ([]int, error) {
	top, err := fields(options)
	if err != nil {
		return nil, err
	}
	build, err := fields(top.last(3).bytes)
	if err != nil {
		return nil, err
	}
	replicas, partitions := build.last(4).number, build.last(5).number
	flag, err := fields(top.last(7).bytes)
	if err != nil {
		return nil, err
	}
	if name := string(flag.last(1).bytes); name != "" && name != "xla_dump_to" {
		return nil, fail(abi.InvalidArgument, "No such compile option: '%s'", name)
	}
	if partitions == 1 && replicas == 1 && top.last(4).number == 1 {
		return nil, nil
	}
	assignment, err := fields(build.last(9).bytes)
	if err != nil {
		return nil, err
	}
	var ids []int
	for _, device := range assignment[3] {
		d, err := fields(device.bytes)
		if err != nil {
			return nil, err
		}
		id, _ := binary.Uvarint(d.last(1).bytes)
		ids = append(ids, int(id))
	}
	if replicas != 1 || partitions < 2 || len(ids) != int(partitions) || build.last(6).number != 1 ||
		build.last(19).number != 1 || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != len(ids) {
		return nil, fail(abi.InvalidArgument, "options of %d replicas and %d partitions on devices %v, portable %d",
			replicas, partitions, ids, top.last(4).number)
	}
	return ids, nil
}

// protoFields are the fields of a protocol buffer, with repetitions.
type protoFields map[int][]protoField

type protoField struct {
	number uint64
	bytes  []byte
}

// last returns the field as a reader of one takes it.
func (f protoFields) last(field int) protoField {
	if all := f[field]; len(all) > 0 {
		return all[len(all)-1]
	}
	return protoField{}
}

// fields reads a protocol buffer.
func fields(data []byte) (protoFields, error) {
	broken := fail(abi.InvalidArgument, "failed to deserialize CompileOptionsProto")
	all := protoFields{}
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, broken
		}
		data = data[n:]
		v, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, broken
		}
		data = data[n:]
		f := protoField{number: v}
		if tag&7 == 2 {
			if v > uint64(len(data)) {
				return nil, broken
			}
			f.bytes, data = data[:v], data[v:]
		}
		all[int(tag>>3)] = append(all[int(tag>>3)], f)
	}
	return all, nil
}

// serialize returns an executable as bytes: its options and its program.
func (x *compiled) serialize() []byte {
	data := binary.LittleEndian.AppendUint32(bytes.Clone(serialMagic), uint32(len(x.options)))
	return append(append(data, x.options...), x.source...)
}

func (p *Plugin) deserialize(data []byte) (*compiled, error) {
	rest, ok := bytes.CutPrefix(data, serialMagic)
	if !ok || len(rest) < 4 || int(binary.LittleEndian.Uint32(rest)) > len(rest)-4 {
		return nil, fail(abi.InvalidArgument, "Failed to deserialize executable")
	}
	n := 4 + int(binary.LittleEndian.Uint32(rest))
	return p.compileSource(rest[n:], rest[4:n])
}
