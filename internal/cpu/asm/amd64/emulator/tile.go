package emulator

import (
	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/asm/memory"
)

// Tiles are the AMX tile registers and their configuration.
type Tiles struct {
	Config [64]byte // as LDTILECFG reads it; 0 if there is none
	Data   [8][16][64]byte
}

// shape returns the rows of a tile and their size.
func (t *Tiles) shape(i int) (rows, rowBytes int) {
	return int(t.Config[48+i]), int(memory.Load(t.Config[16+2*i:], 2))
}

// isValid reports whether processors accept the configuration.
func (t *Tiles) isValid() bool {
	c := &t.Config
	for i := 2; i < 16; i++ {
		if c[i] != 0 {
			return false
		}
	}
	if c[0] > 1 {
		return false
	}
	for i := range 16 {
		rows, rowBytes := int(c[48+i]), int(memory.Load(c[16+2*i:min(16+2*i+2, 48)], 2))
		if i >= 8 && (rows != 0 || rowBytes != 0) || rows > 16 || rowBytes > 64 || (rows == 0) != (rowBytes == 0) {
			return false
		}
	}
	return true
}

func init() {
	def(amd64.LDTILECFG, func(x *exec) error {
		b, err := x.m.Bytes(x.address(&x.in.Args[0]), 64, false)
		if err != nil {
			return err
		}
		var t Tiles
		if b[0] != 0 {
			copy(t.Config[:], b)
			if !t.isValid() {
				return ErrTileConfig
			}
		}
		x.m.Tiles = t
		return nil
	})
	def(amd64.STTILECFG, func(x *exec) error {
		b, err := x.m.Bytes(x.address(&x.in.Args[0]), 64, true)
		copy(b, x.m.Tiles.Config[:])
		return err
	})
	def(amd64.TILERELEASE, func(x *exec) error {
		x.m.Tiles = Tiles{}
		return nil
	})
	def(amd64.TILEZERO, func(x *exec) error {
		i, err := x.tile(0)
		if err == nil {
			x.m.Tiles.Data[i] = [16][64]byte{}
		}
		return err
	})
	def(amd64.TILELOADD, loadTile)
	def(amd64.TILESTORED, func(x *exec) error {
		t, err := x.tile(1)
		if err != nil {
			return err
		}
		return x.eachRow(&x.in.Args[0], t, func(row, bytes int, at uint64) error {
			b, err := x.m.Bytes(at, bytes, true)
			copy(b, x.m.Tiles.Data[t][row][:])
			return err
		})
	})
	def(amd64.TDPBF16PS, multiplyTilesOfFloats)
	def(amd64.TDPBSSD, multiplyTilesOfBytes(true, true))
	def(amd64.TDPBSUD, multiplyTilesOfBytes(true, false))
	def(amd64.TDPBUSD, multiplyTilesOfBytes(false, true))
	def(amd64.TDPBUUD, multiplyTilesOfBytes(false, false))
}

// tile returns the number of operand i, a configured tile with rows of 32-bit elements. A nonzero start row belongs to
// an interrupted instruction.
func (x *exec) tile(i int) (int, error) {
	t := x.in.Args[i].Reg.Num()
	if rows, rowBytes := x.m.Tiles.shape(t); rows == 0 || rowBytes == 0 || rowBytes%4 != 0 || x.m.Tiles.Config[1] != 0 {
		return 0, ErrTileConfig
	}
	return t, nil
}

// eachRow calls visit with the rows of a tile in memory.
func (x *exec) eachRow(a *amd64.Arg, t int, visit func(row, bytes int, at uint64) error) error {
	base := *a
	base.Index, base.Scale = 0, 0
	var stride uint64
	if a.Index != 0 {
		stride = x.m.GP[a.Index.Num()] * uint64(a.Scale)
	}
	rows, rowBytes := x.m.Tiles.shape(t)
	for row := range rows {
		if err := visit(row, rowBytes, x.address(&base)+uint64(row)*stride); err != nil {
			return err
		}
	}
	return nil
}

func loadTile(x *exec) error {
	t, err := x.tile(0)
	if err != nil {
		return err
	}
	var data [16][64]byte
	err = x.eachRow(&x.in.Args[1], t, func(row, bytes int, at uint64) error {
		b, err := x.m.Bytes(at, bytes, false)
		copy(data[row][:], b)
		return err
	})
	if err == nil {
		x.m.Tiles.Data[t] = data
	}
	return err
}

// multiplyTiles calls element for each 4-byte element of the destination with the rows and columns to multiply: k pairs
// of 4 bytes.
func (x *exec) multiplyTiles(element func(d uint64, a, b func(k int) uint64, k int) uint64) error {
	d, err := x.tile(0)
	if err != nil {
		return err
	}
	a, err := x.tile(1)
	if err != nil {
		return err
	}
	b, err := x.tile(2)
	if err != nil {
		return err
	}
	t := &x.m.Tiles
	m, n := t.shape(d)
	aRows, aBytes := t.shape(a)
	bRows, bBytes := t.shape(b)
	if aRows != m || bBytes != n || aBytes != 4*bRows || n%4 != 0 || aBytes%4 != 0 {
		return ErrTileConfig
	}
	var data [16][64]byte
	for i := range m {
		for j := range n / 4 {
			r := element(memory.Load(t.Data[d][i][4*j:], 4),
				func(k int) uint64 { return memory.Load(t.Data[a][i][4*k:], 4) },
				func(k int) uint64 { return memory.Load(t.Data[b][k][4*j:], 4) }, aBytes/4)
			memory.Store(data[i][4*j:], 4, r)
		}
	}
	t.Data[d] = data
	return nil
}

// multiplyTilesOfFloats accumulates even and odd products separately, then adds both, then the destination.
func multiplyTilesOfFloats(x *exec) error {
	return x.multiplyTiles(func(d uint64, a, b func(int) uint64, n int) uint64 {
		var sums [2]uint64
		for k := range n {
			for i := range sums {
				p := flushing.ToFloat(f32, bf16, a(k)>>(16*i)&0xffff)
				q := flushing.ToFloat(f32, bf16, b(k)>>(16*i)&0xffff)
				sums[i] = flushing.FMA(f32, p, q, sums[i], p, q, sums[i])
			}
		}
		return flushing.Add(f32, d, flushing.Add(f32, sums[0], sums[1]))
	})
}

func multiplyTilesOfBytes(aSigned, bSigned bool) execFunc {
	byteOf := func(v uint64, i int, signed bool) int64 {
		v = v >> (8 * i) & 0xff
		if signed {
			return signExtend(v, 1)
		}
		return int64(v)
	}
	return func(x *exec) error {
		return x.multiplyTiles(func(d uint64, a, b func(int) uint64, n int) uint64 {
			sum := int64(d)
			for k := range n {
				for i := range 4 {
					sum += byteOf(a(k), i, aSigned) * byteOf(b(k), i, bSigned)
				}
			}
			return uint64(sum)
		})
	}
}
