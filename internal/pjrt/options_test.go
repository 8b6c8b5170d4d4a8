package pjrt

import (
	"encoding/hex"
	"testing"
)

// The bytes are those that plugins of XLA were seen to take.
func TestCompileOptions(t *testing.T) {
	for name, tt := range map[string]struct {
		options CompileOptions
		want    string
	}{
		"one device": {CompileOptions{}, "1a04200128012001"},
		"four partitions": {CompileOptions{Devices: []int{0, 1, 2, 3}},
			"1a2e08ffffffffffffffffff012001280430014a18080110041a030a01001a030a01011a030a01021a030a0103980101"},
		"a flag of each type": {CompileOptions{Flags: map[string]any{"a": true, "b": int64(3), "c": "x", "d": 0.5}},
			"1a04200128012001" + "3a070a016112021001" + "3a070a016212021803" + "3a080a016312030a0178" +
				"3a0e0a0164120921000000000000e03f"},
	} {
		if got := hex.EncodeToString(tt.options.Encode()); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
