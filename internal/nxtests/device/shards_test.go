package device_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-nx/nx/shard"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// The parts of all devices make the whole on package cpu, whatever the sharding; they are gone then.
func TestFromShards(t *testing.T) {
	grid := shard.Mesh{{Name: "data", Size: 2}, {Name: "model", Size: 2}}
	part := func(x ...int32) nx.Tensor { return nx.Reshape(nx.New(x), 1, 2) }
	for _, tt := range []struct {
		sharding shard.Sharding
		want     string
	}{
		{shard.Sharding{"data", "model"}, "[2][4] [1 2 3 4 5 6 7 8]"},
		{shard.Sharding{"model", "data"}, "[2][4] [1 2 5 6 3 4 7 8]"},
		{shard.Sharding{"data,model"}, "[4][2] [1 2 3 4 5 6 7 8]"},
		{shard.Sharding{"", "model"}, "[1][4] [1 2 3 4]"}, // devices along data have the same
		{shard.Sharding{}, "[1][2] [1 2]"},
	} {
		parts := []nx.Tensor{part(1, 2), part(3, 4), part(5, 6), part(7, 8)}
		x := shard.Join(parts, grid, tt.sharding)
		if got := fmt.Sprint(x.Shape(), " ", nx.Data[int32](x)); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.sharding, got, tt.want)
		}
		if err := kit.Caught(func() { nx.Data[int32](parts[3]) }); !errors.Is(err, nx.ErrReleased) {
			t.Errorf("%q: a part is still there: %v", tt.sharding, err)
		}
	}
}

// What cannot be put together is an error, and leaves the parts as they were.
func TestFromShardsRefuses(t *testing.T) {
	pair := shard.Mesh{{Name: "data", Size: 2}}
	a, b := nx.New([]float32{1, 2}), nx.New([]float32{3, 4})
	gone := nx.New([]float32{1, 2})
	nx.Release(gone)
	cut := shard.Sharding{"data"}
	var traced error
	nx.Jit(func(x nx.Tensor) nx.Tensor {
		traced = kit.Caught(func() { shard.Join([]nx.Tensor{a, x}, pair, cut) })
		return x
	})(b)
	if !errors.Is(traced, nx.ErrTrace) {
		t.Errorf("a traced part: %v", traced)
	}
	for name, tt := range map[string]struct {
		parts []nx.Tensor
		mesh  shard.Mesh
		cut   shard.Sharding
		want  error
	}{
		"none":        {nil, pair, cut, nx.ErrArgument},
		"too few":     {[]nx.Tensor{a}, pair, cut, nx.ErrArgument},
		"too many":    {[]nx.Tensor{a, b, nx.New([]float32{5, 6})}, pair, cut, nx.ErrArgument},
		"absent":      {[]nx.Tensor{a, {}}, pair, cut, nx.ErrAbsent},
		"unlike":      {[]nx.Tensor{a, nx.New([]float32{3})}, pair, cut, nx.ErrShape},
		"other types": {[]nx.Tensor{a, nx.New([]int32{3, 4})}, pair, cut, nx.ErrShape},
		"no axis":     {[]nx.Tensor{a, b}, pair, shard.Sharding{"model"}, nx.ErrNames},
		"no mesh":     {[]nx.Tensor{a, b}, nil, cut, nx.ErrArgument},
		"twice":       {[]nx.Tensor{a, a}, pair, cut, nx.ErrReleased},
		"gone":        {[]nx.Tensor{a, gone}, pair, cut, nx.ErrReleased},
		"a constant":  {[]nx.Tensor{a, nx.Zeros(nx.Shape{2}, nx.F32)}, pair, cut, nx.ErrDevice},
	} {
		if err := kit.Caught(func() { shard.Join(tt.parts, tt.mesh, tt.cut) }); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
		if got := fmt.Sprint(nx.Data[float32](a), nx.Data[float32](b)); got != "[1 2] [3 4]" {
			t.Fatalf("%s: the parts are %s afterwards", name, got)
		}
	}
}
