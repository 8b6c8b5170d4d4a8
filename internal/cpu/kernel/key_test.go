package kernel

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/wire"
)

// TestKeyHasEveryField: kernels that differ in any field but the name have different keys.
func TestKeyHasEveryField(t *testing.T) {
	access := func() Access {
		return Access{Param: 1, Offset: 2, Strides: []int64{3}, Lookups: []Lookup{{Index: 1, Limit: 2, Stride: 3}},
			Guards: []Guard{{Offset: 4, Strides: []int64{5}, Size: 6}}, Fill: 1}
	}
	body := func() Body {
		at := access()
		return Body{Instrs: []Instr{{Op: Load, Type: dtype.F32, From: dtype.F64, Func: "f", At: &at}}}
	}
	k := &Kernel{Name: "k", Dims: []int64{4}, Params: []Param{{dtype.F32, 4}}, Body: body(),
		Stores: []Store{{Value: 1, Type: dtype.F32, At: access()}},
		Reduces: []Reduction{{Values: []Value{1}, Types: []dtype.Type{dtype.F32}, Inits: []Access{access()},
			Combine: body(), Results: []Value{2}, At: []Access{access()}}}}
	plain := string(k.AppendKey(nil))
	fields := 0
	check := func(path string) {
		fields++
		if same := string(k.AppendKey(nil)) == plain; same != (path == ".Name") {
			t.Errorf("another %s: the keys are equal: %v", path, same)
		}
	}
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				walk(path+"."+v.Type().Field(i).Name, v.Field(i))
			}
		case reflect.Pointer:
			walk(path, v.Elem())
		case reflect.Array, reflect.Slice:
			for i := range v.Len() {
				walk(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
			}
			if v.Kind() == reflect.Slice {
				old := v.Slice3(0, v.Len(), v.Len())
				v.Set(reflect.Append(old, reflect.Zero(v.Type().Elem())))
				check(path + " with one more")
				v.Set(old)
			}
		case reflect.Bool:
			v.SetBool(!v.Bool())
			check(path)
			v.SetBool(!v.Bool())
		case reflect.String:
			old := v.String()
			v.SetString(old + "'")
			check(path)
			v.SetString(old)
		default:
			old := reflect.New(v.Type()).Elem()
			old.Set(v)
			if v.CanInt() {
				v.SetInt(v.Int() + 1)
			} else {
				v.SetUint(v.Uint() + 1)
			}
			check(path)
			v.Set(old)
		}
	}
	walk("", reflect.ValueOf(k).Elem())
	r := wire.NewReader([]byte(plain))
	reread := ReadKey(r)
	reread.Name = k.Name
	if err := r.End(); err != nil || !reflect.DeepEqual(reread, k) {
		t.Errorf("read back it is %+v, error %v", reread, err)
	}
	if string(k.AppendKey(nil)) != plain || fields < 60 {
		t.Errorf("%d fields, and the kernel has changed: %v", fields, string(k.AppendKey(nil)) != plain)
	}
}
