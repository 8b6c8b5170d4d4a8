package linalg_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// TestQuiet: whoever has matrices of many sizes is not told of functions that they did not make.
func TestQuiet(t *testing.T) {
	var said bytes.Buffer
	nx.SetLogger(slog.New(slog.NewTextHandler(&said, nil)))
	defer nx.SetLogger(nil)
	for n := range 12 {
		linalg.Expm(random(uint64(n), nx.F32, n+1, n+1))
	}
	if said.Len() > 0 {
		t.Error(said.String())
	}
}
