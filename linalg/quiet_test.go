package linalg_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// TestQuiet: programs with matrices of many sizes are not warned about internal functions.
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
