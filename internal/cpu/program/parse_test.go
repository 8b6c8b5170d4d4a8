package program_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/program/random"
	"github.com/go-nx/nx/internal/testkit"
)

// Programs with all seven kinds of nodes: the text is read, verified, and written unchanged.
func TestPrograms(t *testing.T) {
	kinds := map[string]bool{}
	testkit.Golden(t, "testdata/programs.txt", func(t *testing.T, _, in string) string {
		p, err := program.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Verify(); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"kernel ", "contraction(", "row loop [", "parallel group {", "loop(", "branch(",
			"\n  op\n"} {
			if strings.Contains(in, kind) {
				kinds[kind] = true
			}
		}
		if out := p.Listing(); out != strings.TrimRight(in, "\n")+"\n" {
			t.Errorf("it becomes\n%s", out)
		}
		return p.String()
	})
	if len(kinds) != 7 {
		t.Errorf("only the nodes %v are in the file", kinds)
	}
}

// Texts that the parser or the verifier rejects, with the errors.
func TestRefusedPrograms(t *testing.T) {
	testkit.Golden(t, "testdata/refused.txt", func(t *testing.T, _, in string) string {
		p, err := program.Parse(in)
		if err == nil {
			err = p.Verify()
		}
		if err == nil {
			t.Fatalf("accepted:\n%s", p.Listing())
		}
		return strings.TrimRight(err.Error(), "\n") + "\n"
	})
}

// Random programs are read back as they are written.
func TestRandomListings(t *testing.T) {
	for seed := range uint64(300) {
		p := random.Program(rand.New(rand.NewPCG(seed, 2)), 16)
		text := p.Listing()
		reparsed, err := program.Parse(text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if err := reparsed.Verify(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if got := reparsed.Listing(); got != text {
			t.Fatalf("seed %d:\n%s\nbecomes\n%s", seed, text, got)
		}
	}
}

// The parser and the verifier return for any text; a valid program is written as text that they
// read back.
func FuzzParse(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(random.Program(rand.New(rand.NewPCG(seed, 2)), 5).Listing())
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := program.Parse(text)
		if err != nil {
			return
		}
		if p.Verify() != nil {
			return
		}
		reparsed, err := program.Parse(p.Listing())
		if err != nil {
			t.Fatalf("%v\n%s", err, p.Listing())
		}
		if got := reparsed.Listing(); got != p.Listing() {
			t.Errorf("%s\nbecomes\n%s", p.Listing(), got)
		}
	})
}
