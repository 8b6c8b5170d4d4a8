package emulator

import (
	"fmt"
	"math/rand/v2"
	"testing"

	. "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// usesTiles lists the instructions that read or write tiles.
func usesTiles(op Op) bool { return op >= LDTILECFG && op <= TILEZERO || isTileProduct(op) }

func isTileProduct(op Op) bool {
	switch op {
	case TDPBF16PS, TDPBSSD, TDPBSUD, TDPBUSD, TDPBUUD:
		return true
	}
	return false
}

// loadTiles writes code that configures tiles, if the state has any, and loads those with rows. It clobbers RCX and
// RDX.
func loadTiles(a *Assembler) {
	a.Emit(LDTILECFG, Mem(RAX, offConfig))
	eachTile(a, func(i int, rows Arg) { a.Emit(TILELOADD, T(i), rows) })
}

// storeTiles writes code that stores the configuration and the tiles with rows, and releases them. Where a
// configuration has a start row, only the interrupted instruction may be next.
func storeTiles(a *Assembler) {
	a.Emit(STTILECFG, Mem(RAX, offConfig))
	interrupted := a.NewLabel()
	a.Emit(MOVZX, RDX.As(R32), Mem(RAX, offConfig+1).Sized(1))
	a.Emit(TEST, RDX, RDX)
	a.Emit(JNE, interrupted)
	eachTile(a, func(i int, rows Arg) { a.Emit(TILESTORED, rows, T(i)) })
	a.Bind(interrupted)
	a.Emit(TILERELEASE)
}

// eachTile writes code for each tile with rows, which consist of whole 32-bit elements.
func eachTile(a *Assembler, emit func(i int, rows Arg)) {
	a.Emit(MOV, RCX, Imm(64))
	for i := range 8 {
		noTiles := a.NewLabel()
		a.Emit(MOVZX, RDX.As(R32), Mem(RAX, offConfig+48+i).Sized(1))
		a.Emit(TEST, RDX, RDX)
		a.Emit(JE, noTiles)
		a.Emit(MOVZX, RDX.As(R32), Mem(RAX, offConfig+16+2*i).Sized(1))
		a.Emit(AND, RDX, Imm(3))
		a.Emit(JNE, noTiles)
		emit(i, MemIndex(RAX, RCX, 1, offTiles+1024*i))
		a.Bind(noTiles)
	}
}

// releaseTiles returns code that releases the tiles of the thread.
func releaseTiles(t *testing.T, arena *rt.CodeArena) *rt.Function {
	t.Helper()
	var a Assembler
	a.Emit(TILERELEASE)
	a.Emit(RET)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	f, err := arena.Add("release", code, a.Len())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// setShape sets the rows and the bytes per row of a tile.
func (t *Tiles) setShape(i, rows, rowBytes int) {
	t.Config[48+i] = byte(rows)
	memory.Store(t.Config[16+2*i:], 2, uint64(rowBytes))
}

// randomTiles configures and fills tiles for the instruction.
func (c *trial) randomTiles(r *rand.Rand, t *Tiles) {
	needs := false // all its tiles
	for _, a := range c.Args {
		needs = needs || a.Kind == RegArg && a.Reg.Class() == Tile
	}
	if !needs && r.IntN(4) == 0 {
		return // none
	}
	t.Config[0] = 1
	for i := range 8 {
		if needs || r.IntN(3) != 0 {
			t.setShape(i, 1+r.IntN(16), 4+4*r.IntN(16))
		}
	}
	if isTileProduct(c.Op) {
		m, n, k := 1+r.IntN(16), 1+r.IntN(16), 1+r.IntN(16)
		t.setShape(c.Args[0].Reg.Num(), m, 4*n)
		t.setShape(c.Args[1].Reg.Num(), m, 4*k)
		t.setShape(c.Args[2].Reg.Num(), k, 4*n)
	}
	plain := r.IntN(2) == 0 // whose sums are not NaN, and are rounded at each step
	for i := range 8 {
		rows, rowBytes := t.shape(i)
		var row [64]byte
		for j := range rows {
			if fill(r, row[:]); plain {
				for k := 0; k < len(row); k += 2 {
					memory.Store(row[k:], 2, r.Uint64N(1<<9)+0x3e80|uint64(r.IntN(2))<<15) // of bf16, 0.25 to 4
				}
			}
			copy(t.Data[i][j][:rowBytes], row[:])
		}
	}
}

// tileDataBytes is the size of the rows of a tile at the largest stride of the test.
const tileDataBytes = 16 * 600

// aimTiles sets registers so that rows in memory, at any stride, lie in the middle of the data, and stores a random
// configuration there for LDTILECFG.
func (c *trial) aimTiles(r *rand.Rand, s *state, data []byte, base uint64) {
	for _, a := range c.Args {
		if a.Kind != MemArg {
			continue
		}
		at := tileDataBytes + r.IntN(tileDataBytes/2)
		if r.IntN(2) == 0 {
			at &^= 63
		}
		target := base + uint64(at) - uint64(a.Val)
		if c.Op == LDTILECFG {
			var t Tiles
			randomConfig(r, &t)
			copy(data[at:], t.Config[:])
		}
		switch isRows := c.Op != LDTILECFG && c.Op != STTILECFG; {
		case a.Index != 0 && isRows:
			s.gp[a.Index.Num()] = uint64((r.IntN(1100) - 550) / int(a.Scale))
			if r.IntN(2) == 0 {
				s.gp[a.Index.Num()] = 64
			}
		case a.Index != 0 && a.Reg == 0: // times 1
			s.gp[a.Index.Num()] = target
			continue
		case a.Index != 0:
			index := uint64(r.IntN(1 << 20))
			s.gp[a.Index.Num()] = index
			target -= index * uint64(a.Scale)
		}
		if a.Reg != RIP {
			s.gp[a.Reg.Num()] = target
		}
	}
}

// randomConfig returns a valid configuration, and half of the time invalidates it at random.
func randomConfig(r *rand.Rand, t *Tiles) {
	t.Config[0] = 1
	for i := range 8 {
		if r.IntN(4) != 0 {
			t.setShape(i, 1+r.IntN(16), 1+r.IntN(64))
		}
	}
	if r.IntN(2) == 0 {
		t.Config[1] = byte(r.IntN(20)) // the start row
	}
	switch r.IntN(12) {
	case 0:
		t.Config[0] = byte(r.IntN(4))
	case 1:
		t.Config[r.IntN(64)] = byte(r.IntN(80))
	case 2:
		t.setShape(r.IntN(8), r.IntN(20), r.IntN(70))
	case 3:
		fill(r, t.Config[8*r.IntN(8):])
		t.Config[0] = 0
	case 4:
		i := r.IntN(64)
		t.Config[i] ^= 1 << r.IntN(8)
	case 5:
		*t = Tiles{}
	}
}

// compareTiles lists the tiles that differ, as far as they are configured: other tiles cannot be read.
func compareTiles(theirs, ours, before *Tiles) (diff []string) {
	if theirs.Config != ours.Config {
		diff = append(diff, fmt.Sprintf("tiles: processor % x\n       emulator  % x\n       before    % x",
			theirs.Config, ours.Config, before.Config))
	}
	for i := range 8 {
		rows, rowBytes := theirs.shape(i)
		if rowBytes%4 != 0 || theirs.Config[1] != 0 {
			continue // no instruction reads it
		}
		for j := range min(rows, 16) {
			if x, y := theirs.Data[i][j][:rowBytes], ours.Data[i][j][:rowBytes]; string(x) != string(y) {
				diff = append(diff, fmt.Sprintf("tmm%d, row %d: processor %x\n emulator %x\n   before %x", i, j, x, y,
					before.Data[i][j][:rowBytes]))
				break
			}
		}
	}
	return diff
}
