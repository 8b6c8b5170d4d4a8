package model

import (
	"reflect"
	"slices"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/npy"
)

func f32Array(name string, shape ...int) Array {
	return Array{Name: name, Header: npy.Header{DType: dtype.F32, Shape: shape}}
}

func f32Field(name string, shape ...int) Field {
	want := npy.Header{DType: dtype.F32, Shape: shape}
	return Field{Name: name, Type: itemsText(want), Takes: func(h npy.Header) bool {
		return Holds(h, dtype.F32) && slices.Equal(h.Shape, shape)
	}}
}

// TestAssign: each array and each tensor is in the report, once.
func TestAssign(t *testing.T) {
	arrays := []Array{f32Array("b.weight", 2), f32Array("Layers[0].W", 1), f32Array("Layers.0.W", 1),
		f32Array("Layers.1.W", 3), f32Array("skip"), f32Array("x.y.z")}
	fields := []Field{f32Field("Layers[0].W", 1), f32Field("Layers[1].W", 2), f32Field("B.W", 2),
		f32Field("b.weights", 2), {Name: "C", Type: "any", Optional: true}, f32Field("x[y].z"), f32Field("x.y[z]")}
	r := Assign(arrays, fields, func(name string) string {
		switch name {
		case "skip":
			return ""
		case "b.weight":
			return "B.W"
		}
		return name
	})
	got := Report{Loaded: r.Loaded, Missing: r.Missing, Unused: r.Unused, LeftOut: r.LeftOut, Misshapen: r.Misshapen,
		Shared: r.Shared}
	want := Report{
		Loaded: []Pair{{"b.weight", "B.W", 0, 2}},
		Missing: []Gap{{Name: "b.weights", Type: "f32[2]"}, {Name: "C", Type: "any", Optional: true},
			{Name: "x[y].z", Type: "f32", Nearest: []string{"x.y.z"}},
			{Name: "x.y[z]", Type: "f32", Nearest: []string{"x.y.z"}}},
		Unused:    []Gap{{Name: "x.y.z", Nearest: []string{"x[y].z", "x.y[z]"}}},
		LeftOut:   []string{"skip"},
		Misshapen: []Misfit{{Pair{"Layers.1.W", "Layers[1].W", 3, 1}, arrays[3].Header, "f32[2]"}},
		Shared:    []Shared{{"Layers[0].W", []string{"Layers[0].W", "Layers.0.W"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for partial, lines := range map[bool][]string{
		true: {`"Layers[0].W" and "Layers.0.W" are for one tensor, Layers[0].W`,
			`"Layers.1.W" is f32[3], but Layers[1].W takes f32[2]`},
		false: {`"Layers[0].W" and "Layers.0.W" are for one tensor, Layers[0].W`,
			`"Layers.1.W" is f32[3], but Layers[1].W takes f32[2]`, `no array is for b.weights, f32[2]`,
			`no array is for x[y].z, f32; did you mean "x.y.z"?`, `no array is for x.y[z], f32; did you mean "x.y.z"?`,
			`"x.y.z" is for no tensor of the container; did you mean x[y].z, x.y[z]?`},
	} {
		if got := r.Problems(partial); !slices.Equal(got, lines) {
			t.Errorf("partial %v:\n%q\n%q", partial, got, lines)
		}
	}
	if got := Assign(arrays[:1], nil, func(string) string { return "" }).Problems(true); len(got) != 1 {
		t.Errorf("all left out: %q", got)
	}
	if got := Assign(nil, fields, nil).Problems(true); got != nil {
		t.Errorf("no arrays, partial: %q", got)
	}
}
