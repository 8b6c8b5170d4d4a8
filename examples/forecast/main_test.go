package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"
)

// A short run forecasts better than the mean of the series, which is 0.24 off.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: trains a network")
	}
	dir := t.TempDir()
	var out bytes.Buffer
	distance, err := run(dir, 15, &out)
	if err != nil {
		t.Fatal(err)
	}
	if !(distance < 0.15) {
		t.Errorf("the forecast is %.3f off\n%s", distance, out.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "forecast.svg"))
	if err != nil || xml.Unmarshal(text, new(struct{})) != nil {
		t.Errorf("the picture: %v", err)
	}
}
