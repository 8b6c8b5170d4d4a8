package distributed_test

import (
	"fmt"

	"github.com/go-nx/nx/distributed"
)

// A program of a single process; on four hosts each has the same lines with 4 and its own number.
func Example() {
	group, err := distributed.Initialize("localhost:7654", 1, 0,
		distributed.Token("the secret of all processes"), distributed.Listen("localhost:0"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer group.Close()
	// Clients of package xla that are opened now share their devices.
	fmt.Println(group.ID(), "of", group.Size())
	// Output: 0 of 1
}

func ExampleInitialize() {
	_, err := distributed.Initialize("localhost:7654", 4, 4, distributed.Token("secret"))
	fmt.Println(err)
	// Output: distributed: the process must be from 0 to below 4, got 4
}

// All processes get a value that one puts, as soon as it exists.
func ExampleGroup() {
	group, err := distributed.Initialize("localhost:7654", 1, 0, distributed.Token("secret"),
		distributed.Listen("localhost:0"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer group.Close()
	if err := group.Put("shards", []byte("0-15")); err != nil {
		fmt.Println(err)
		return
	}
	shards, err := group.Get("shards", -1)
	fmt.Println(string(shards), err)
	// Output: 0-15 <nil>
}
