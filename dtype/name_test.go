package dtype

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// all returns the element types for which keep is true.
func all(keep func(Type) bool) []Type {
	var ts []Type
	for t := Invalid + 1; t < numTypes; t++ {
		if keep(t) {
			ts = append(ts, t)
		}
	}
	return ts
}

func TestParseIsTheInverseOfString(t *testing.T) {
	for _, typ := range all(Type.IsValid) {
		got, err := Parse(typ.String())
		if err != nil || got != typ {
			t.Errorf("Parse(%q) = %v, %v", typ, got, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, name := range []string{"", "invalid", "F32", "f32 ", "i32", "s3", strings.Repeat("f", 1<<20)} {
		got, err := Parse(name)
		if err == nil {
			t.Errorf("Parse(%.20q) = %v, want an error", name, got)
		} else if len(err.Error()) > 200 {
			t.Errorf("Parse(%.20q): the error has %d bytes", name, len(err.Error()))
		}
	}
}

func TestText(t *testing.T) {
	type config struct{ DType Type }
	text, err := json.Marshal(config{BF16})
	if err != nil || string(text) != `{"DType":"bf16"}` {
		t.Fatalf("Marshal = %s, %v", text, err)
	}
	var c config
	if err := json.Unmarshal([]byte(`{"DType":"u4"}`), &c); err != nil || c.DType != U4 {
		t.Errorf("Unmarshal = %v, %v", c.DType, err)
	}
	if err := json.Unmarshal([]byte(`{"DType":"int"}`), &c); err == nil || c.DType != U4 {
		t.Errorf("Unmarshal of a wrong name = %v, %v; want an error and no change", c.DType, err)
	}
	if _, err := json.Marshal(config{}); err == nil {
		t.Error("Marshal of Invalid: no error")
	}
}

func TestRealAndComplexParts(t *testing.T) {
	for _, c := range all(Type.IsComplex) {
		if c.Real().Complex() != c || 2*c.Real().Size() != c.Size() {
			t.Errorf("%v: parts are %v", c, c.Real())
		}
	}
	if F16.Complex() != Invalid || S32.Real() != S32 {
		t.Errorf("F16.Complex() = %v, S32.Real() = %v", F16.Complex(), S32.Real())
	}
}

func ExampleParse() {
	t, err := Parse("bf16")
	fmt.Println(t, t.Size(), err)
	_, err = Parse("float")
	fmt.Println(err)
	// Output:
	// bf16 2 <nil>
	// dtype: no element type is named "float"; names are like bool, s32, u8, bf16, f32, f8e4m3fn, c64
}
