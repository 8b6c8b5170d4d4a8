package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The loss on unseen rows is near that of the law that made the table, 0.50, and below that of the frequency, 0.66.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	best, err := run(dir, &out)
	if err != nil {
		t.Fatal(err)
	}
	if !(best < 0.56) || !strings.Contains(out.String(), "smoker   +") {
		t.Errorf("the loss is %.3f\n%s", best, out.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "tabular.svg"))
	if err != nil || xml.Unmarshal(text, new(struct{})) != nil {
		t.Errorf("the picture: %v", err)
	}
}
