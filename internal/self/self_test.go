package self_test

import (
	"os"
	"testing"

	"github.com/go-nx/nx/internal/self"
)

func TestOpen(t *testing.T) {
	f, err := self.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(got, want) {
		t.Errorf("%s is not %s", f.Name(), os.Args[0])
	}
}
