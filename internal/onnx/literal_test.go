package onnx_test

import (
	"slices"
	"testing"

	"github.com/go-nx/nx/internal/core"
)

// TestLiteralsOfDigits: data whose bytes are the text of a number are not that number.
func TestLiteralsOfDigits(t *testing.T) {
	if got := core.Data[uint8](core.Zeros(core.Shape{1}, core.U8)); !slices.Equal(got, []uint8{0}) {
		t.Fatalf("got %v, want 0", got)
	}
	if got := core.Data[uint8](core.Literal(core.FromSlice([]uint8{'0'}, core.Shape{1}))); !slices.Equal(got,
		[]uint8{'0'}) {
		t.Errorf("got %v, want 48", got)
	}
}
