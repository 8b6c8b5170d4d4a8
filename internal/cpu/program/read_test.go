package program_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/program/random"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/internal/wire"
	"github.com/go-nx/nx/stablehlo"
)

// readBack reads a program from its bytes, and checks that it is the same.
func readBack(t *testing.T, p *program.Program) *program.Program {
	t.Helper()
	b := p.Append(nil, true)
	r := wire.NewReader(b)
	reread := program.Read(r)
	if err := r.End(); err != nil {
		t.Fatalf("%v\n%s", err, p.Listing())
	}
	if err := reread.Verify(); err != nil {
		t.Fatalf("%v\n%s", err, p.Listing())
	}
	if got, want := reread.Listing(), p.Listing(); got != want {
		t.Fatalf("%s\nbecomes\n%s", want, got)
	}
	if !bytes.Equal(reread.Append(nil, true), b) {
		t.Fatalf("other bytes are written of\n%s", p.Listing())
	}
	return reread
}

// Programs with all kinds of nodes are read back from their bytes.
func TestReadsWhatIsAppended(t *testing.T) {
	programs := 0
	testkit.Golden(t, "testdata/programs.txt", func(t *testing.T, _, in string) string {
		p, err := program.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		programs++
		return readBack(t, p).String()
	})
	if programs < 7 {
		t.Errorf("%d programs", programs)
	}
	for seed := range uint64(300) {
		readBack(t, random.Program(rand.New(rand.NewPCG(seed, 2)), 16))
	}
}

// Source locations are part of the program; the name of a file is written once.
func TestAppendKeepsLocs(t *testing.T) {
	p := random.Program(rand.New(rand.NewPCG(1, 2)), 5)
	place := stablehlo.FileLoc{File: "here.go", Line: 3, Col: 4, EndLine: 5, EndCol: 6}
	for i := range p.Buffers {
		l := place
		p.Buffers[i].Locs = []stablehlo.Location{&stablehlo.NameLoc{Name: "no file"}, &l}
	}
	reread := readBack(t, p)
	for i := range reread.Buffers {
		list := reread.Buffers[i].Locs
		if len(list) != 1 || *list[0].(*stablehlo.FileLoc) != place {
			t.Errorf("b%d has the places %v", i, list)
		}
	}
	if n := strings.Count(string(p.Append(nil, true)), place.File); n != 1 {
		t.Errorf("the name of the file is there %d times", n)
	}
	if strings.Contains(string(p.Append(nil, false)), place.File) {
		t.Error("source locations are saved, want none")
	}
}

// Equal kernels are written once, and shared when read.
func TestAppendWritesKernelsOnce(t *testing.T) {
	p := random.Program(rand.New(rand.NewPCG(3, 2)), 16)
	kernels := func(p *program.Program) map[*kernel.Kernel]bool {
		found := map[*kernel.Kernel]bool{}
		for _, n := range p.Main.Nodes {
			if k, ok := n.(*program.Kernel); ok {
				found[k.Kernel] = true
			}
		}
		return found
	}
	before := len(p.Append(nil, false))
	for _, n := range p.Main.Nodes {
		if k, ok := n.(*program.Kernel); ok { // as many as in the program, each with a twin
			twin := *k
			twin.Kernel = k.Kernel.Clone()
			p.Main.Nodes = append(p.Main.Nodes, &twin)
		}
	}
	had := len(kernels(p))
	reread := readBack(t, p)
	if n := len(kernels(reread)); n == 0 || n > had/2 {
		t.Errorf("%d kernels are read of %d, half of them twins", n, had)
	}
	if after := len(p.Append(nil, false)); after > 2*before {
		t.Errorf("%d bytes with twins, %d without", after, before)
	}
}

// Damaged bytes are an error of the reader or of the verifier, or another program.
func TestReadsDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	passed := 0
	for i := range 4000 {
		b := random.Program(rand.New(rand.NewPCG(uint64(i%50), 2)), 5).Append(nil, true)
		for range 1 + r.IntN(3) {
			switch j := r.IntN(len(b)); r.IntN(3) {
			case 0:
				b[j] = byte(r.Uint32())
			case 1:
				b[j] ^= 1 << r.IntN(8)
			case 2:
				b = append(b[:j], b[min(len(b), j+1+r.IntN(3)):]...)
				b = append(b, 0)
			}
		}
		in := wire.NewReader(b)
		if p := program.Read(in); in.End() == nil && p.Verify() == nil {
			passed++
		}
	}
	if passed == 0 || passed > 1000 {
		t.Errorf("%d of 4000 pass", passed)
	}
}

// A node that writes a missing buffer is rejected before anything else of it is verified.
func TestVerifyRefusesUnknownResults(t *testing.T) {
	kinds := map[string]bool{}
	for seed := range uint64(60) {
		p := random.Program(rand.New(rand.NewPCG(seed, 2)), 16)
		for _, n := range p.Main.Nodes {
			for _, part := range append(program.Parts(n), n) {
				if outs := part.Writes(); len(outs) > 0 && program.Parts(part) == nil {
					old := outs[0]
					outs[0] = len(p.Buffers) + 2
					if p.Verify() == nil {
						t.Fatalf("seed %d: accepted:\n%s", seed, part.Name())
					}
					outs[0] = old
					kinds[strings.Fields(part.Name())[0]] = true
				}
			}
		}
	}
	if len(kinds) < 4 {
		t.Errorf("only nodes of the kinds %v", kinds)
	}
}

// Reading and verifying return for any bytes; a valid program is written and read unchanged.
func FuzzRead(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(random.Program(rand.New(rand.NewPCG(seed, 2)), 5).Append(nil, true))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := wire.NewReader(b)
		p := program.Read(r)
		if r.End() != nil || p.Verify() != nil {
			return
		}
		reread := program.Read(wire.NewReader(p.Append(nil, true)))
		if got, want := reread.Listing(), p.Listing(); got != want {
			t.Errorf("%s\nbecomes\n%s", want, got)
		}
	})
}
