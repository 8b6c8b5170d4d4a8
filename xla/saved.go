package xla

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/sharding"
)

// The format of a compiled program is a magic line, a digest of the rest, the length of a JSON header, the
// header, and the plugin's bytes.
const savedMagic = "nx xla program 1\n"

// savedHeader is the header of a saved program.
type savedHeader struct {
	Platform, Topology string
	Devices            []string
	Sizes              [4]int64
	Ins, Outs          []savedType
	Donated            []bool
	Spread             *sharding.Manual
}

type savedType struct {
	DType string
	Dims  []int64
}

// Save returns the program as bytes, for [Client.LoadCompiled].
func (c *Compiled) Save() ([]byte, error) {
	header, err := json.Marshal(savedHeader{c.Platform, c.Topology, c.Devices,
		[4]int64{c.CodeSize, c.ArgumentSize, c.ResultSize, c.TemporarySize}, savedTypes(c.ins),
		savedTypes(c.outs), c.donated,
		c.sharding})
	if err != nil {
		return nil, err
	}
	rest := binary.LittleEndian.AppendUint32(nil, uint32(len(header)))
	rest = append(append(rest, header...), c.code...)
	sum := sha256.Sum256(rest)
	return append(append([]byte(savedMagic), sum[:]...), rest...), nil
}

func savedTypes(types []backend.Type) []savedType {
	all := make([]savedType, len(types))
	for i, t := range types {
		all[i] = savedType{t.DType.String(), t.Dims}
	}
	return all
}

// errDamaged is the error of bytes that Save has not written.
var errDamaged = errors.New("xla: the compiled program is damaged: compile it again (xla.CompileFor)")

// readCompiled reads what Save wrote. The digest keeps damage from the plugin, which trusts what
// it is given; it is not a signature.
func readCompiled(saved []byte) (*Compiled, error) {
	rest, ok := bytes.CutPrefix(saved, []byte(savedMagic))
	if !ok || len(rest) < sha256.Size+4 {
		return nil, errDamaged
	}
	sum, rest := rest[:sha256.Size], rest[sha256.Size:]
	n := binary.LittleEndian.Uint32(rest)
	if sha256.Sum256(rest) != [sha256.Size]byte(sum) || uint64(n) > uint64(len(rest)-4) {
		return nil, errDamaged
	}
	var h savedHeader
	if err := json.Unmarshal(rest[4:4+n], &h); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	c := &Compiled{Platform: h.Platform, Topology: h.Topology, Devices: h.Devices, CodeSize: h.Sizes[0],
		ArgumentSize: h.Sizes[1], ResultSize: h.Sizes[2], TemporarySize: h.Sizes[3], code: rest[4+n:]}
	c.donated, c.sharding = h.Donated, h.Spread
	var err error
	if c.ins, err = readTypes(h.Ins); err != nil {
		return nil, err
	}
	if c.outs, err = readTypes(h.Outs); err != nil {
		return nil, err
	}
	if s := c.sharding; len(c.donated) != len(c.ins) ||
		s != nil && (len(s.Ins) != len(c.ins) || len(s.Outs) != len(c.outs) || !numbers(s)) {
		return nil, errDamaged
	}
	return c, c.checkSharding()
}

// numbers reports whether the devices of a mesh are numbered, each once.
func numbers(s *sharding.Manual) bool {
	n := 1
	for _, a := range s.Mesh {
		if a.Size < 1 || a.Size > len(s.Devices)/n {
			return false
		}
		n *= a.Size
	}
	sorted := slices.Sorted(slices.Values(s.Devices))
	return n == len(sorted) && sorted[0] == 0 && sorted[n-1] == int64(n-1) && len(slices.Compact(sorted)) == n
}

func readTypes(saved []savedType) ([]backend.Type, error) {
	all := make([]backend.Type, len(saved))
	for i, s := range saved {
		t, err := dtype.Parse(s.DType)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errDamaged, err)
		}
		all[i] = backend.Type{DType: t, Dims: s.Dims}
	}
	return all, nil
}
