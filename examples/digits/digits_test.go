package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A short run learns, and one that stops half way ends with the same bytes as one that does not.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: trains a network")
	}
	var last [2][]byte
	for i, stop := range []bool{false, true} {
		dir := t.TempDir()
		var out bytes.Buffer
		acc, err := run(dir, 6, stop, &out)
		if err != nil {
			t.Fatal(err)
		}
		if acc < 0.9 {
			t.Errorf("accuracy %.3f after 6 epochs\n%s", acc, out.String())
		}
		if stop != strings.Contains(out.String(), "from step 132") {
			t.Errorf("stop %v, and the report is %s", stop, out.String())
		}
		text, err := os.ReadFile(filepath.Join(dir, "digits.svg"))
		if err != nil || xml.Unmarshal(text, new(struct{})) != nil {
			t.Errorf("the picture: %v", err)
		}
		if last[i], err = os.ReadFile(filepath.Join(dir, "checkpoints", "step_000000264.safetensors")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(last[0], last[1]) {
		t.Error("a run that stopped half way has another last checkpoint")
	}
}
