package nx_test

import (
	"fmt"

	"github.com/go-nx/nx"
)

// Each of four devices has a part of the numbers and the mean of all.
func ExampleShardMap() {
	mesh := nx.Mesh{{Name: "data", Size: 4}}
	center := nx.ShardMap(func(x nx.Tensor) nx.Tensor {
		mean := nx.Div(nx.AllReduce(nx.Mean(x), "data"), 4)
		return nx.Sub(x, mean)
	}, mesh, []nx.Sharding{{"data"}}, []nx.Sharding{{"data"}})
	fmt.Println(center(nx.New([]float32{1, 2, 3, 4, 5, 6, 7, 8})))
	// Output:
	// f32[8]
	// [-3.5, -2.5, -1.5, -0.5,  0.5,  1.5,  2.5,  3.5]
}

// A product whose inner axis is cut: each device has a part of the sum.
func ExampleAllReduce() {
	mesh := nx.Mesh{{Name: "model", Size: 2}}
	dot := nx.ShardMap(func(a, b nx.Tensor) nx.Tensor { return nx.AllReduce(nx.Dot(a, b), "model") }, mesh,
		[]nx.Sharding{{"", "model"}, {"model"}}, []nx.Sharding{{}})
	fmt.Println(dot(nx.New([][]float32{{1, 2}, {3, 4}}), nx.New([][]float32{{1, 0}, {0, 10}})))
	// Output:
	// f32[2][2]
	// [
	//   [ 1.0, 20.0],
	//   [ 3.0, 40.0]
	// ]
}

func ExampleAllGather() {
	mesh := nx.Mesh{{Name: "x", Size: 2}}
	all := nx.ShardMap(func(x nx.Tensor) nx.Tensor { return nx.AllGather(x, 0, "x") }, mesh,
		[]nx.Sharding{{"x"}}, []nx.Sharding{{}})
	fmt.Println(all(nx.New([]int32{1, 2, 3, 4})))
	// Output:
	// s32[4]
	// [1, 2, 3, 4]
}

func ExampleReduceScatter() {
	mesh := nx.Mesh{{Name: "x", Size: 2}}
	parts := nx.ShardMap(func(x nx.Tensor) nx.Tensor { return nx.ReduceScatter(x, 0, "x") }, mesh,
		[]nx.Sharding{{"x"}}, []nx.Sharding{{"x"}})
	fmt.Println(parts(nx.New([]int32{1, 2, 30, 40})))
	// Output:
	// s32[2]
	// [31, 42]
}

func ExampleAllToAll() {
	mesh := nx.Mesh{{Name: "x", Size: 2}}
	turn := nx.ShardMap(func(x nx.Tensor) nx.Tensor { return nx.AllToAll(x, 1, 0, "x") }, mesh,
		[]nx.Sharding{{"x"}}, []nx.Sharding{{"", "x"}})
	fmt.Println(turn(nx.New([][]int32{{1, 2}, {3, 4}}))) // cut into columns, no longer into rows
	// Output:
	// s32[2][2]
	// [
	//   [1, 2],
	//   [3, 4]
	// ]
}

func ExamplePermute() {
	mesh := nx.Mesh{{Name: "x", Size: 3}}
	right := nx.ShardMap(func(x nx.Tensor) nx.Tensor { return nx.Permute(x, "x", [2]int{0, 1}, [2]int{1, 2}) }, mesh,
		[]nx.Sharding{{"x"}}, []nx.Sharding{{"x"}})
	fmt.Println(right(nx.New([]int32{1, 2, 3})))
	// Output:
	// s32[3]
	// [0, 1, 2]
}

func ExampleMeshIndex() {
	mesh := nx.Mesh{{Name: "x", Size: 3}}
	f := nx.ShardMap(func(x nx.Tensor) nx.Tensor { return nx.Add(x, nx.MeshIndex("x")) }, mesh,
		[]nx.Sharding{{"x"}}, []nx.Sharding{{"x"}})
	fmt.Println(f(nx.New([]int32{10, 10, 10})))
	// Output:
	// s32[3]
	// [10, 11, 12]
}

func ExampleAllReduceMean() {
	mesh := nx.Mesh{{Name: "data", Size: 2}}
	mean := nx.ShardMap(func(x nx.Tensor) nx.Tensor { return nx.AllReduceMean(nx.Mean(x), "data") }, mesh,
		[]nx.Sharding{{"data"}}, []nx.Sharding{{}})
	fmt.Println(mean(nx.New([]float32{1, 2, 3, 6})))
	// Output:
	// f32 3.0
}

func ExampleAllReduceMax() {
	mesh := nx.Mesh{{Name: "x", Size: 2}}
	largest := nx.ShardMap(func(x nx.Tensor) nx.Tensor { return nx.AllReduceMax(x, "x") }, mesh,
		[]nx.Sharding{{"x"}}, []nx.Sharding{{}})
	fmt.Println(largest(nx.New([]float32{1, 7, 3, 6})))
	// Output:
	// f32[2]
	// [3.0, 7.0]
}

func ExampleAllReduceMin() {
	mesh := nx.Mesh{{Name: "x", Size: 2}}
	least := nx.ShardMap(func(x nx.Tensor) nx.Tensor { return nx.AllReduceMin(x, "x") }, mesh,
		[]nx.Sharding{{"x"}}, []nx.Sharding{{}})
	fmt.Println(least(nx.New([]float32{1, 7, 3, 6})))
	// Output:
	// f32[2]
	// [1.0, 6.0]
}

func ExampleShardJit() {
	mesh := nx.Mesh{{Name: "data", Size: 4}}
	center := nx.ShardJit(func(x nx.Tensor) nx.Tensor { return nx.Sub(x, nx.Mean(x)) }, mesh,
		[]nx.Sharding{{"data"}}, []nx.Sharding{{"data"}})
	fmt.Println(center(nx.New([]float32{1, 2, 3, 6})))
	// Output:
	// f32[4]
	// [-2.0, -1.0,  0.0,  3.0]
}

func ExampleShardingConstraint() {
	mesh := nx.Mesh{{Name: "model", Size: 2}}
	f := nx.Jit(func(x, w nx.Tensor) nx.Tensor {
		h := nx.ShardingConstraint(nx.Dot(x, w), mesh, nx.Sharding{"", "model"}) // columns on two devices
		return nx.Sum(h, nx.Axis(1))
	})
	fmt.Println(f(nx.New([][]float32{{1, 2}}), nx.New([][]float32{{1, 2}, {3, 4}})))
	// Output:
	// f32[1]
	// [17.0]
}

// Two processes with a device each would give one part; package cpu has one device for all.
func ExampleFromShards() {
	mesh := nx.Mesh{{Name: "data", Size: 2}}
	x := nx.FromShards([]nx.Tensor{nx.New([]float32{1, 2}), nx.New([]float32{3, 4})}, mesh, nx.Sharding{"data"})
	fmt.Println(x)
	// Output:
	// f32[4]
	// [1.0, 2.0, 3.0, 4.0]
}

func ExampleShards() {
	for _, part := range nx.Shards(nx.New([]float32{1, 2})) { // on package cpu there is one device
		fmt.Println(part.Device(), part)
	}
	// Output:
	// cpu:0 f32[2]
	// [1.0, 2.0]
}
