package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"
)

// A short run learns more than the mean image, whose loss is 31 nats.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: trains a network")
	}
	dir := t.TempDir()
	var out bytes.Buffer
	unseen, err := run(dir, 15, &out)
	if err != nil {
		t.Fatal(err)
	}
	if !(unseen < 26.5) {
		t.Errorf("the loss on unseen images is %.2f\n%s", unseen, out.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "vae.svg"))
	if err != nil || xml.Unmarshal(text, new(struct{})) != nil {
		t.Errorf("the picture: %v", err)
	}
}
