package shard_test

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/shard"
)

// Each of four devices has a part of the numbers and the mean of all.
func ExampleMap() {
	mesh := shard.Mesh{{Name: "data", Size: 4}}
	center := shard.Map(func(x nx.Tensor) nx.Tensor {
		mean := nx.Div(shard.AllReduce(nx.Mean(x), "data"), 4)
		return nx.Sub(x, mean)
	}, mesh, []shard.Sharding{{"data"}}, []shard.Sharding{{"data"}})
	fmt.Println(center(nx.New([]float32{1, 2, 3, 4, 5, 6, 7, 8})))
	// Output:
	// f32[8]
	// [-3.5, -2.5, -1.5, -0.5,  0.5,  1.5,  2.5,  3.5]
}

// A product whose inner axis is cut: each device has a part of the sum.
func ExampleAllReduce() {
	mesh := shard.Mesh{{Name: "model", Size: 2}}
	dot := shard.Map(func(a, b nx.Tensor) nx.Tensor { return shard.AllReduce(nx.Dot(a, b), "model") }, mesh,
		[]shard.Sharding{{"", "model"}, {"model"}}, []shard.Sharding{{}})
	fmt.Println(dot(nx.New([][]float32{{1, 2}, {3, 4}}), nx.New([][]float32{{1, 0}, {0, 10}})))
	// Output:
	// f32[2][2]
	// [
	//   [ 1.0, 20.0],
	//   [ 3.0, 40.0]
	// ]
}

func ExampleAllGather() {
	mesh := shard.Mesh{{Name: "x", Size: 2}}
	all := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.AllGather(x, 0, "x") }, mesh,
		[]shard.Sharding{{"x"}}, []shard.Sharding{{}})
	fmt.Println(all(nx.New([]int32{1, 2, 3, 4})))
	// Output:
	// s32[4]
	// [1, 2, 3, 4]
}

func ExampleReduceScatter() {
	mesh := shard.Mesh{{Name: "x", Size: 2}}
	parts := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.ReduceScatter(x, 0, "x") }, mesh,
		[]shard.Sharding{{"x"}}, []shard.Sharding{{"x"}})
	fmt.Println(parts(nx.New([]int32{1, 2, 30, 40})))
	// Output:
	// s32[2]
	// [31, 42]
}

func ExampleAllToAll() {
	mesh := shard.Mesh{{Name: "x", Size: 2}}
	turn := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.AllToAll(x, 1, 0, "x") }, mesh,
		[]shard.Sharding{{"x"}}, []shard.Sharding{{"", "x"}})
	fmt.Println(turn(nx.New([][]int32{{1, 2}, {3, 4}}))) // cut into columns, no longer into rows
	// Output:
	// s32[2][2]
	// [
	//   [1, 2],
	//   [3, 4]
	// ]
}

func ExamplePermute() {
	mesh := shard.Mesh{{Name: "x", Size: 3}}
	right := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.Permute(x, "x", [2]int{0, 1}, [2]int{1, 2}) }, mesh,
		[]shard.Sharding{{"x"}}, []shard.Sharding{{"x"}})
	fmt.Println(right(nx.New([]int32{1, 2, 3})))
	// Output:
	// s32[3]
	// [0, 1, 2]
}

func ExampleIndex() {
	mesh := shard.Mesh{{Name: "x", Size: 3}}
	f := shard.Map(func(x nx.Tensor) nx.Tensor { return nx.Add(x, shard.Index("x")) }, mesh,
		[]shard.Sharding{{"x"}}, []shard.Sharding{{"x"}})
	fmt.Println(f(nx.New([]int32{10, 10, 10})))
	// Output:
	// s32[3]
	// [10, 11, 12]
}

func ExampleAllReduceMean() {
	mesh := shard.Mesh{{Name: "data", Size: 2}}
	mean := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.AllReduceMean(nx.Mean(x), "data") }, mesh,
		[]shard.Sharding{{"data"}}, []shard.Sharding{{}})
	fmt.Println(mean(nx.New([]float32{1, 2, 3, 6})))
	// Output:
	// f32 3.0
}

func ExampleAllReduceMax() {
	mesh := shard.Mesh{{Name: "x", Size: 2}}
	largest := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.AllReduceMax(x, "x") }, mesh,
		[]shard.Sharding{{"x"}}, []shard.Sharding{{}})
	fmt.Println(largest(nx.New([]float32{1, 7, 3, 6})))
	// Output:
	// f32[2]
	// [3.0, 7.0]
}

func ExampleAllReduceMin() {
	mesh := shard.Mesh{{Name: "x", Size: 2}}
	least := shard.Map(func(x nx.Tensor) nx.Tensor { return shard.AllReduceMin(x, "x") }, mesh,
		[]shard.Sharding{{"x"}}, []shard.Sharding{{}})
	fmt.Println(least(nx.New([]float32{1, 7, 3, 6})))
	// Output:
	// f32[2]
	// [1.0, 6.0]
}

func ExampleJit() {
	mesh := shard.Mesh{{Name: "data", Size: 4}}
	center := shard.Jit(func(x nx.Tensor) nx.Tensor { return nx.Sub(x, nx.Mean(x)) }, mesh,
		[]shard.Sharding{{"data"}}, []shard.Sharding{{"data"}})
	fmt.Println(center(nx.New([]float32{1, 2, 3, 6})))
	// Output:
	// f32[4]
	// [-2.0, -1.0,  0.0,  3.0]
}

func ExampleConstrain() {
	mesh := shard.Mesh{{Name: "model", Size: 2}}
	f := nx.Jit(func(x, w nx.Tensor) nx.Tensor {
		h := shard.Constrain(nx.Dot(x, w), mesh, shard.Sharding{"", "model"}) // columns on two devices
		return nx.Sum(h, nx.Axis(1))
	})
	fmt.Println(f(nx.New([][]float32{{1, 2}}), nx.New([][]float32{{1, 2}, {3, 4}})))
	// Output:
	// f32[1]
	// [17.0]
}

// Two processes with a device each would give one part; package cpu has one device for all.
func ExampleJoin() {
	mesh := shard.Mesh{{Name: "data", Size: 2}}
	x := shard.Join([]nx.Tensor{nx.New([]float32{1, 2}), nx.New([]float32{3, 4})}, mesh, shard.Sharding{"data"})
	fmt.Println(x)
	// Output:
	// f32[4]
	// [1.0, 2.0, 3.0, 4.0]
}

func ExampleSplit() {
	for _, part := range shard.Split(nx.New([]float32{1, 2})) { // on package cpu there is one device
		fmt.Println(part.Device(), part)
	}
	// Output:
	// cpu:0 f32[2]
	// [1.0, 2.0]
}
