package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit"
)

func parse(t *testing.T, text string) *kernel.Kernel {
	t.Helper()
	k, err := kernel.Parse(text)
	if err == nil {
		err = k.Verify()
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestPlans(t *testing.T) {
	testkit.Golden(t, "testdata/plans.txt", func(t *testing.T, _, in string) string {
		k := parse(t, in)
		p := plan.Of(k)
		if err := p.Check(k); err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		return p.String()
	})
}

const (
	rowsOfSums = `kernel k [64 10 100] reduces [10 100]
  over f32[64000], f32[1], f32[64]
  %0 = load p0[1000, 100, 1] : f32
  reduce add %0 from p1[]
    store p2[1] = %2 : f32`

	padded = `kernel k [100 200]
  over f32[15000], f32[200], f32[20000]
  %0 = load p1[0, 1] : f32
  %1 = load p0[-750; 150, 1] where [-5; 1, 0] < 100 and [0; 0, 1] < 150 else %0 : f32
  store p2[200, 1] = %1 : f32`

	transposed = `kernel k [512 512]
  over f32[262144], f32[262144]
  %0 = load p0[1, 512] : f32
  store p1[512, 1] = %0 : f32`
)

// The checker rejects every change that would make results wrong.
func TestCheckRefuses(t *testing.T) {
	for _, c := range []struct {
		name, kernel string
		change       func(p *plan.Plan)
		want         string
	}{
		{"another form", rowsOfSums, func(p *plan.Plan) { p.Form = plan.Outer }, "must be"},
		{"form without reductions", rowsOfSums, func(p *plan.Plan) { p.Form = plan.Map },
			"form map is not valid for 1 reductions"},
		{"a dimension cut short", rowsOfSums, func(p *plan.Plan) { p.Vec = plan.Space{Dims: []int64{999}, Size: 999} },
			"must be"},
		{"sizes that are not the product", rowsOfSums, func(p *plan.Plan) { p.Vec.Size++ }, "must be"},
		{"another stride", rowsOfSums, func(p *plan.Plan) { p.Accesses[0].Vec[0], p.Accesses[0].Inner = 2, 2 },
			"must visit"},
		{"another stride around", rowsOfSums, func(p *plan.Plan) { p.Accesses[0].Seq[0] = 999 }, "must visit"},
		{"another innermost stride", rowsOfSums, func(p *plan.Plan) { p.Accesses[0].Inner = 2 }, "innermost"},
		{"a result that moves", rowsOfSums, func(p *plan.Plan) { p.Accesses[1].Vec[0], p.Accesses[1].Inner = 1, 1 },
			"must visit"},
		{"an access too few", rowsOfSums, func(p *plan.Plan) { p.Accesses = p.Accesses[:1] }, "missing"},
		{"an access too many", rowsOfSums, func(p *plan.Plan) { p.Accesses = append(p.Accesses, p.Accesses[0]) },
			"not one of the kernel's"},
		{"another first result", rowsOfSums, func(p *plan.Plan) { p.Results = 0 }, "first result"},
		{"an order that changes bits", rowsOfSums, func(p *plan.Plan) { p.Orders[0] = plan.AnyOrder },
			"its order matters"},
		{"grouping of a sum", rowsOfSums, func(p *plan.Plan) { p.Orders[0] = plan.AnyGrouping },
			"its grouping matters"},
		{"no order", rowsOfSums, func(p *plan.Plan) { p.Orders = nil }, "0 orders for 1 reductions"},
		{"chunks of nothing", rowsOfSums, func(p *plan.Plan) { p.Chunk = 0 }, "chunks of 0"},
		{"short chunks larger than chunks", rowsOfSums, func(p *plan.Plan) { p.Tail = p.Chunk + 1 }, "chunks of"},
		{"short chunks only", rowsOfSums, func(p *plan.Plan) { p.Tail = 1 }, "piece 0"},
		{"blocks of nothing", rowsOfSums, func(p *plan.Plan) { p.Block = 0 }, "in blocks of 0"},
		{"contiguous access of one element", rowsOfSums, func(p *plan.Plan) { p.Accesses[1].Kind = plan.Contiguous },
			"is not contiguous"},
		{"broadcast access of an array", padded, func(p *plan.Plan) { p.Accesses[0].Kind = plan.Broadcast },
			"is not broadcast"},
		{"tiles across rows", padded, func(p *plan.Plan) { p.RowTiles = false }, "is not contiguous"},
		{"blocks along the innermost dimension", transposed, func(p *plan.Plan) { p.Transpose.Dim = 1 },
			"blocks along"},
		{"blocks of nothing", transposed, func(p *plan.Plan) { p.Transpose.Blocks = 0 }, "blocks along"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := parse(t, c.kernel)
			p := plan.Of(k)
			if err := p.Check(k); err != nil {
				t.Fatal(err)
			}
			c.change(p)
			if err := p.Check(k); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q\n%s", err, c.want, p)
			}
		})
	}
}

// Chunks of rows cover the same points.
func TestChunkedByRows(t *testing.T) {
	for _, text := range []string{rowsOfSums, `kernel k [64 1000]
  over f32[64000], f32[64000]
  %0 = load p0[1000, 1] : f32
  store p1[1000, 1] = %0 : f32`} {
		k := parse(t, text)
		p := plan.Of(k)
		n, ok := p.RowsPerChunk(64)
		if !ok || n < 1 {
			t.Fatalf("%d rows per chunk, %v", n, ok)
		}
		for _, n := range []int64{1, 7, 64} {
			if err := p.ChunkedByRows(64, n).Check(k); err != nil {
				t.Error(err)
			}
		}
	}
}

// The last chunks are shorter, to reduce the wait at the end to a quarter. Kernels
// that share rows have the same chunks.
func TestShortChunks(t *testing.T) {
	sums, copies := parse(t, rowsOfSums), parse(t, `kernel k [64 1000]
  over f32[64000], f32[64000]
  %0 = load p0[1000, 1] : f32
  store p1[1000, 1] = %0 : f32`)
	for n, want := range map[int64][]int64{1: {1}, 7: {7, 2}, 8: {8, 2}, 9: {9, 3}, 64: {64}} {
		p, q := plan.Of(sums).ChunkedByRows(64, n), plan.Of(copies).ChunkedByRows(64, n)
		if p.NumChunks() != q.NumChunks() {
			t.Fatalf("%d and %d chunks", p.NumChunks(), q.NumChunks())
		}
		var sizes []int64
		for i := range p.NumChunks() {
			lo, hi, _ := p.Piece(i)
			if from, to, _ := plan.ForRows(64, n).Piece(i); from != lo || to != hi {
				t.Errorf("chunk %d has the rows %d to %d, want %d to %d", i, from, to, lo, hi)
			}
			if from, to, _ := q.Piece(i); from != lo*1000 || to != hi*1000 {
				t.Errorf("chunk %d has the rows %d to %d, and the points %d to %d", i, lo, hi, from, to)
			}
			if size := hi - lo; hi < 64 && !slices.Contains(sizes, size) {
				sizes = append(sizes, size)
			}
		}
		if n == 64 {
			sizes = []int64{64}
		}
		if !slices.Equal(sizes, want) {
			t.Errorf("chunks of %d, want %d", sizes, want)
		}
	}
}

// TestMergedRows: strided runs of neighbours are rows, from some length on; merged tiles have
// several of them, in the same pieces.
func TestMergedRows(t *testing.T) {
	for _, c := range []struct {
		run  int64
		rows bool
	}{{16, false}, {32, true}, {64, true}, {128, true}} {
		k := parse(t, fmt.Sprintf(`kernel k [12 128 %[1]d]
  over f32[%[2]d], f32[%[2]d]
  %%0 = load p0[%[1]d, %[3]d, 1] : f32
  store p1[%[4]d, %[1]d, 1] = %%0 : f32`, c.run, 12*128*c.run, 12*c.run, 128*c.run))
		p := plan.Of(k)
		q := p.MergedRows()
		if p.RowTiles != c.rows || q.RowTiles != (c.run >= 128) || q.NumChunks() != p.NumChunks() {
			t.Errorf("runs of %d: rows %v, merged %v, %d and %d chunks", c.run, p.RowTiles, q.RowTiles,
				p.NumChunks(), q.NumChunks())
		}
		for _, p := range []*plan.Plan{p, q} {
			if err := p.Check(k); err != nil {
				t.Errorf("runs of %d: %v\n%s", c.run, err, p)
			}
		}
	}
}
