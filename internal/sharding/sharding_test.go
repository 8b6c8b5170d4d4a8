package sharding

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// The joined parts of a tensor are the tensor; each element of a part is at its index.
func TestSplitAndJoin(t *testing.T) {
	m := &Manual{Mesh: Mesh{{"x", 2}, {"y", 3}}}
	for _, tt := range []struct {
		dims []int64
		spec Spec
	}{
		{[]int64{}, Spec{}},
		{[]int64{4}, Spec{{"x"}}},
		{[]int64{6}, Spec{{"y", "x"}}},
		{[]int64{4, 3}, Spec{{"x"}, {"y"}}},
		{[]int64{2, 6}, Spec{{}, {"x", "y"}}},
		{[]int64{3, 4, 2}, Spec{{"y"}, {}, {"x"}}},
		{[]int64{3, 4, 5}, Spec{{}, {"x"}}},
		{[]int64{0, 4}, Spec{{}, {"x"}}},
	} {
		local, err := m.Local(tt.spec, tt.dims)
		if err != nil {
			t.Fatal(err)
		}
		const size = 2
		whole := make([]byte, size*count(tt.dims))
		for i := range whole {
			whole[i] = byte(i)
		}
		joined, owners := make([]byte, len(whole)), 0
		for d := range m.Mesh.Devices() {
			part := make([]byte, size*count(local))
			m.Split(part, whole, tt.spec, tt.dims, local, size, d)
			for i := range count(local) {
				if at := m.global(tt.spec, tt.dims, local, i, d); part[size*i] != whole[size*at] {
					t.Errorf("%v as %v: element %d of device %d is %d, want %d", tt.dims, tt.spec, i, d,
						part[size*i], whole[size*at])
				}
			}
			if m.Owns(tt.spec, d) {
				owners++
				m.Join(joined, part, tt.spec, tt.dims, local, size, d)
			}
		}
		if !slices.Equal(joined, whole) || owners*count(local) != count(tt.dims) {
			t.Errorf("%v as %v: joined %v by %d devices, want %v", tt.dims, tt.spec, joined, owners, whole)
		}
	}
}

func count(dims []int64) int {
	n := 1
	for _, d := range dims {
		n *= int(d)
	}
	return n
}

// global returns where element i of a part is in the tensor.
func (m *Manual) global(s Spec, dims, local []int64, i, device int) int {
	at, step := 0, 1
	for d := len(dims) - 1; d >= 0; d-- {
		k := i % int(local[d])
		i /= int(local[d])
		if d < len(s) {
			part := 0
			for _, a := range s[d] {
				part = part*m.Mesh.Size(a) + m.Mesh.At(device, a)
			}
			k += part * int(local[d])
		}
		at += k * step
		step *= int(dims[d])
	}
	return at
}

// What is written is read.
func TestText(t *testing.T) {
	m := Mesh{{"x", 2}, {"a \"b\"", 4}}
	module := stablehlo.NewModule("m")
	mesh := stablehlo.NewOp(stablehlo.OpSdyMesh, nil, nil, stablehlo.Named("sym_name", stablehlo.StringAttr("mesh")),
		stablehlo.Named("mesh", MeshAttr(m)))
	module.Body().Append(mesh)
	specs := []Spec{{{"x"}, {}}, {{"a \"b\"", "x"}}, {}}
	op := stablehlo.NewOp(stablehlo.OpSdyManualComputation, make([]*stablehlo.Value, 3), nil,
		stablehlo.Named("in_shardings", PerValueAttr("mesh", specs)),
		stablehlo.Named("out_shardings", PerValueAttr("mesh", nil)),
		stablehlo.Named("manual_axes", ManualAxesAttr([]string{"x"})))
	got, err := ManualOf(op, module)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got.Mesh, got.Ins, got.Outs, got.Axes, got.Devices) != fmt.Sprint(m, specs, []Spec{}, []string{"x"},
		[]int64{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("%+v", got)
	}
}

// Groups are the devices that differ along axes, in the order of these.
func TestGroups(t *testing.T) {
	m := Mesh{{"x", 2}, {"y", 3}}
	for want, axes := range map[string][]string{
		"[[0 3] [1 4] [2 5]]": {"x"},
		"[[0 1 2] [3 4 5]]":   {"y"},
		"[[0 3 1 4 2 5]]":     {"y", "x"},
	} {
		if got := fmt.Sprint(m.Groups(axes)); got != want {
			t.Errorf("along %v: %s, want %s", axes, got, want)
		}
	}
}
