package shard

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/core"
)

// AllReduce returns the sum of t over the devices along axes of the mesh, all axes when none
// is given; each device has it. It is called inside of [Map].
//
// Shapes: that of t. DTypes: numbers. Gradient: the sum of the cotangents. Accuracy: the parts are
// added in the order of the devices, each sum rounded. Errors: [nx.ErrTrace] outside of [Map],
// [nx.ErrNames] for an axis that the mesh does not have, [nx.ErrDType] for bools. Source: StableHLO
// all_reduce.
func AllReduce(t nx.Tensor, axes ...string) nx.Tensor {
	return nx.Tensor(core.AllReduce(core.Tensor(t), axes...))
}

// AllReduceMean is [AllReduce] of the mean: the sum divided by the number of devices.
//
// Shapes: that of t. DTypes: numbers; integers give f32. Gradient: the mean of the cotangents. Accuracy:
// that of AllReduce, and one rounding. Errors: those of AllReduce. Source: StableHLO all_reduce.
func AllReduceMean(t nx.Tensor, axes ...string) nx.Tensor {
	return nx.Tensor(core.AllReduceMean(core.Tensor(t), axes...))
}

// AllReduceMax is [AllReduce] of the maximum, NaN where one is.
//
// Shapes: that of t. DTypes: real numbers and bools. Gradient: none: it is an error that names the
// op, as in JAX; [nx.StopGradient] of t has none. Accuracy: exact. Errors: those of AllReduce, and
// [nx.ErrDType] for complex numbers, which have no order. Source: StableHLO all_reduce.
func AllReduceMax(t nx.Tensor, axes ...string) nx.Tensor {
	return nx.Tensor(core.AllReduceMax(core.Tensor(t), axes...))
}

// AllReduceMin is [AllReduce] of the minimum, NaN where one is.
//
// Shapes: that of t. DTypes: real numbers and bools. Gradient: none: it is an error that names the
// op, as in JAX; [nx.StopGradient] of t has none. Accuracy: exact. Errors: those of [AllReduceMax].
// Source: StableHLO all_reduce.
func AllReduceMin(t nx.Tensor, axes ...string) nx.Tensor {
	return nx.Tensor(core.AllReduceMin(core.Tensor(t), axes...))
}

// AllGather returns the parts that the devices along an axis of the mesh have, joined along
// axis number dim; each device has it. It is called inside of [Map].
//
// Shapes: axis dim grows by the number of devices. DTypes: any. Gradient: that of each part, summed
// over the devices. Accuracy: exact. Errors: [nx.ErrTrace] outside of [Map], [nx.ErrNames] for an
// axis that the mesh does not have, [nx.ErrAxis] for a dim that t does not have. Source: StableHLO
// all_gather.
func AllGather(t nx.Tensor, dim int, axis string) nx.Tensor {
	return nx.Tensor(core.AllGather(core.Tensor(t), dim, axis))
}

// ReduceScatter returns the device's part, along axis number dim, of the sum of t over the
// devices along an axis of the mesh: [AllReduce] of which each device keeps a part. It is called
// inside of [Map].
//
// Shapes: axis dim is a multiple of the number of devices, by which it is divided. DTypes: numbers.
// Gradient: the parts of the cotangent, gathered. Accuracy: that of [AllReduce]. Errors:
// [nx.ErrTrace] outside of [Map], [nx.ErrNames] for an axis that the mesh does not have,
// [nx.ErrAxis] for a dim that t does not have, [nx.ErrShape] for a tensor that cannot be cut,
// [nx.ErrDType] for bools. Source: StableHLO reduce_scatter.
func ReduceScatter(t nx.Tensor, dim int, axis string) nx.Tensor {
	return nx.Tensor(core.ReduceScatter(core.Tensor(t), dim, axis))
}

// AllToAll cuts t along axis number split into a part for each device along an axis of the mesh,
// sends each its part, and joins the received parts along axis number concat. It is called inside
// of [Map].
//
// Shapes: axis split is a multiple of the number of devices; it is divided by that, and axis concat
// multiplied. DTypes: any. Gradient: the cotangents sent back. Accuracy: exact. Errors:
// [nx.ErrTrace] outside of [Map], [nx.ErrNames] for an axis that the mesh does not have,
// [nx.ErrShape] for a tensor that cannot be cut. Source: StableHLO all_to_all.
func AllToAll(t nx.Tensor, split, concat int, axis string) nx.Tensor {
	return nx.Tensor(core.AllToAll(core.Tensor(t), split, concat, axis))
}

// Permute sends t from device to device along an axis of the mesh: pairs are positions along it,
// from and to. A device without a sender receives zeros. It is called inside of [Map].
//
// Shapes: that of t. DTypes: any. Gradient: the cotangents sent back. Accuracy: exact. Errors:
// [nx.ErrTrace] outside of [Map], [nx.ErrNames] for an axis that the mesh does not have,
// [nx.ErrArgument] for positions beyond the axis, or that send or receive twice. Source: StableHLO
// collective_permute.
func Permute(t nx.Tensor, axis string, pairs ...[2]int) nx.Tensor {
	return nx.Tensor(core.Permute(core.Tensor(t), axis, pairs...))
}

// Index returns the position of the device along an axis of the mesh, a scalar from 0. It is called
// inside of [Map].
//
// Shapes: a scalar. DTypes: s32. Gradient: none. Accuracy: exact. Errors: [nx.ErrTrace] outside of
// [Map], [nx.ErrNames] for an axis that the mesh does not have. Source: StableHLO partition_id.
func Index(axis string) nx.Tensor {
	return nx.Tensor(core.MeshIndex(axis))
}

// Mesh is a grid of devices with named axes, the last one fastest:
//
//	mesh := shard.Mesh{{Name: "data", Size: 2}, {Name: "model", Size: 2}}
//
// is four devices. Where a client has one device, as package cpu, the devices of a mesh are
// processes that share it.
type Mesh = core.Mesh

// Axis is an axis of a [Mesh].
type Axis = core.MeshAxis

// Sharding lists the axis of a mesh along which each axis of a tensor is cut into equal parts:
// Sharding{"data", ""} cuts the rows of a matrix. "" does not cut an axis, nor are axes beyond the
// list cut; of "data,model" the parts along data are cut again along model. Devices along axes that
// are not named have the same part.
type Sharding = core.Sharding

// LeafShardings are the shardings of the tensors of a container, one each, in the order of
// [tree.Leaves], which leaves out absent ones.
type LeafShardings = core.LeafShardings

// Shardings are the types of shardings of an argument or a result: one for all tensors, or one per tensor.
type Shardings = core.Shardings

// Jit is [nx.Jit] with annotations: in and out are the shardings of each argument and each result
// over a mesh, a [Sharding] for all tensors of a container, or [LeafShardings], one for each. F is
// written for full tensors, and computes the same as without a mesh: the compiler decides how the
// devices share the work, and where they exchange parts. Clients with fewer devices, as package
// cpu, run it on one.
//
//	train := shard.Jit(step, mesh, []shard.Sharding{{}, {"data"}, {"data"}}, []shard.Sharding{{}}, nx.On(cuda))
//
// Shapes: an axis that is cut is a multiple of the number of parts. DTypes: any. Gradient: that of
// f. Accuracy: that of f, with sums in another order where devices share them. Errors: [nx.ErrArgument]
// for a mesh or a number of shardings that does not fit, [nx.ErrNames] for an axis that the mesh does
// not have, [nx.ErrShape] for a tensor that cannot be cut, [nx.ErrTrace] inside of [Map]. Source:
// sdy.sharding_constraint.
func Jit[F any, S Shardings](f F, mesh Mesh, in, out []S, opts ...nx.JitOption) F {
	return core.ShardJit[F, S](f, mesh, in, out, opts...)
}

// Constrain returns t and annotates it, inside of a traced function, with its sharding over a mesh,
// by which a compiler decides how devices share the work. It changes no element.
//
// Shapes: an axis that is cut is a multiple of the number of parts. DTypes: any. Gradient: passes
// through, cut alike. Accuracy: exact. Errors: [nx.ErrArgument] for an invalid mesh, [nx.ErrNames] for an axis
// that the mesh does not have, [nx.ErrShape] for a tensor that cannot be cut, [nx.ErrTrace] inside of [Map].
// Source: sdy.sharding_constraint.
func Constrain(t nx.Tensor, mesh Mesh, s Sharding) nx.Tensor {
	return nx.Tensor(core.ShardingConstraint(core.Tensor(t), mesh, s))
}

// Map returns f computed by each device of a mesh on its parts of the arguments; the results are
// joined from the parts. In and out are the shardings of each argument and each result: a
// [Sharding] for all tensors of a container, or [LeafShardings], one for each. In f the devices
// communicate by collectives: [AllReduce], [AllGather], [ReduceScatter], [AllToAll] and [Permute].
// Tensors that f uses from outside are replicated on every device. F is a function of containers.
//
//	train := shard.Map(step, mesh, []shard.Sharding{{}, {"data"}}, []shard.Sharding{{}})
//
// A result that devices have the same part of, by its sharding, is the one of the first of
// them: f must compute it alike on all, as [AllReduce] does.
//
// Shapes: an axis that is cut is a multiple of the number of parts. DTypes: any. Gradient: that
// of f with its collectives, as of a function of the full tensors: the cotangent of an
// replicated argument is the sum of theirs. It is that of JAX's shard_map with
// check_vma=False, in which [AllReduce] is its own transpose. Errors: [nx.ErrArgument]
// for a mesh or a number of shardings that does not fit, [nx.ErrNames] for an axis that the mesh does
// not have, [nx.ErrShape] for a tensor that cannot be cut, [nx.ErrTrace] inside of another. Source:
// sdy.manual_computation.
func Map[F any, S Shardings](f F, mesh Mesh, in, out []S) F {
	return core.ShardMap[F, S](f, mesh, in, out)
}

// Split returns the parts of a tensor that several devices have, each where it is; of any other
// tensor the tensor itself. Of a tensor on devices of several processes these are the parts on this
// process's devices. The [Sharding] of the tensor says which elements a part holds. The parts live
// as long as the tensor.
//
// Shapes: those of the parts. DTypes: any. Gradient: none, it is for data. Accuracy: exact. Errors:
// [nx.ErrAbsent] for the zero Tensor, [nx.ErrReleased] for one that was released or donated,
// [nx.ErrTrace] for a traced one.
func Split(t nx.Tensor) []nx.Tensor {
	return core.Retype[[]nx.Tensor](core.Shards(core.Tensor(t)))
}

// Join returns the tensor that is cut over a mesh into parts, each on its device. So each process
// passes the rows that it has read, and no process holds the full tensor. The parts are in the order
// of the devices of the mesh that belong to this process; on a client with one device, as package
// cpu, they are all parts. The tensor takes them over, and they are invalid afterwards.
//
//	rows, err := nx.Transfer(nx.New(data), cuda.Devices()[0]) // in each of 4 processes with a GPU
//	x := shard.Join([]nx.Tensor{rows}, shard.Mesh{{Name: "data", Size: 4}}, shard.Sharding{"data"})
//
// Shapes: those of the parts are equal; axes that are cut have the sum. DTypes: any. Gradient: none, it is for data.
// Accuracy: exact; parts of devices that have the same must be equal, which is not checked. Errors: [nx.ErrArgument]
// for a
// an invalid mesh or a wrong number of parts, [nx.ErrNames] for an axis that the mesh does not have,
// [nx.ErrShape] for parts that differ, [nx.ErrDevice] for parts that are not on the devices of the mesh or are of
// another tensor ([Split]), [nx.ErrReleased] for a part that is gone or is there twice, [nx.ErrTrace] for a
// traced one. Source: jax.make_array_from_single_device_arrays.
func Join(parts []nx.Tensor, mesh Mesh, s Sharding) nx.Tensor {
	return nx.Tensor(core.FromShards(core.Retype[[]core.Tensor](parts), mesh, s))
}
