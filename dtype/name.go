package dtype

import (
	"fmt"

	"github.com/go-nx/nx/internal/lazy"
)

// byName holds the element types under the names that String prints.
var byName lazy.Value[map[string]Type]

func indexNames() map[string]Type {
	m := make(map[string]Type, numTypes)
	for t := Invalid + 1; t < numTypes; t++ {
		m[rows[t].name] = t
	}
	return m
}

// Parse returns the element type with the given name, as String prints it:
// "s8", "u4", "bf16", "f8e4m3fn", "c64".
func Parse(name string) (Type, error) {
	if t, ok := byName.Get(indexNames)[name]; ok {
		return t, nil
	}
	const most = 32 // a longer name is not a near miss, and must not flood the message
	if len(name) > most {
		name = name[:most] + "…"
	}
	return Invalid,
		fmt.Errorf("dtype: no element type is named %q; names are like bool, s32, u8, bf16, f32, f8e4m3fn, c64", name)
}

// MarshalText returns the name of t; it is an error for Invalid.
func (t Type) MarshalText() ([]byte, error) {
	if !t.IsValid() {
		return nil, fmt.Errorf("dtype: Type(%d) is not an element type and has no name", uint8(t))
	}
	return []byte(t.String()), nil
}

// UnmarshalText sets *t to the element type named by text.
func (t *Type) UnmarshalText(text []byte) error {
	v, err := Parse(string(text))
	if err != nil {
		return err
	}
	*t = v
	return nil
}
