package command

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

func TestShow(t *testing.T) {
	iota := func(n int) []byte {
		b := make([]byte, 0, 4*n)
		for i := range n {
			b = binary.LittleEndian.AppendUint32(b, uint32(i))
		}
		return b
	}
	floats := func(v ...float32) []byte {
		var b []byte
		for _, f := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
		}
		return b
	}
	tests := []struct {
		name string
		dt   dtype.Type
		dims []int64
		data []byte
		want string
	}{
		{"scalar", dtype.F32, nil, floats(1.5), "out0 f32\n  1.5\n"},
		{"whole floats have a point", dtype.F32, []int64{2}, floats(1, 1e10), "out0 f32[2]\n  [  1.0, 1e+10]\n"},
		{"rows are aligned", dtype.F32, []int64{2, 3}, floats(1, -2, 3, 4, 50.25, 6),
			"out0 f32[2][3]\n  [[  1.0,  -2.0,   3.0],\n   [  4.0, 50.25,   6.0]]\n"},
		{"three dimensions", dtype.S32, []int64{2, 1, 2}, iota(4), "out0 s32[2][1][2]\n  [[[0, 1]],\n   [[2, 3]]]\n"},
		{"not numbers", dtype.F32, []int64{3}, floats(float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))),
			"out0 f32[3]\n  [ NaN, +Inf, -Inf]\n"},
		{"bools", dtype.Bool, []int64{2}, []byte{1, 0}, "out0 bool[2]\n  [ true, false]\n"},
		{"signed sub-byte", dtype.S4, []int64{2}, []byte{0xf8, 7}, "out0 s4[2]\n  [-8,  7]\n"},
		{"unsigned", dtype.U8, []int64{1}, []byte{255}, "out0 u8[1]\n  [255]\n"},
		{"complex", dtype.C64, []int64{2}, floats(1, -2, 0, float32(math.Inf(1))),
			"out0 c64[2]\n  [1.0-2.0i, 0.0+Infi]\n"},
		{"empty", dtype.F32, []int64{2, 0}, nil, "out0 f32[2][0]\n  []\n"},
		{"long vectors are elided", dtype.S32, []int64{2000}, iota(2000),
			"out0 s32[2000]\n  [   0,    1,    2, …, 1997, 1998, 1999]\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := interp.NewTensor(stablehlo.Tensor(tt.dt, tt.dims...), tt.data)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			show(&b, "out0", v)
			if b.String() != tt.want {
				t.Errorf("got\n%swant\n%s", b.String(), tt.want)
			}
		})
	}
}

func TestShowElidesInAllDimensions(t *testing.T) {
	dims := []int64{10, 10, 10, 10}
	v, err := interp.NewTensor(stablehlo.Tensor(dtype.U8, dims...), make([]byte, 10_000))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	show(&b, "x", v)
	if n := strings.Count(b.String(), "0"); n > maxShown {
		t.Errorf("%d elements shown", n)
	}
	many := make([]int64, 16)
	for i := range many {
		many[i] = 2
	}
	if v, err = interp.NewTensor(stablehlo.Tensor(dtype.U8, many...), make([]byte, 1<<16)); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	show(&b, "x", v)
	if !strings.Contains(b.String(), "65536 elements in 16 dimensions") {
		t.Errorf("got %.200s", b.String())
	}
}

func TestShowTuple(t *testing.T) {
	v, err := interp.NewTensor(stablehlo.Tensor(dtype.Bool), []byte{1})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	show(&b, "out0", interp.Tuple{v, interp.Token{}})
	if want := "out0 tuple of 2\nout0.0 bool\n  true\nout0.1 token\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
