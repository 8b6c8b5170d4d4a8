package stablehlo

import (
	"fmt"
	"iter"
	"strings"

	"github.com/go-nx/nx/internal/lazy"
)

// Ops yields the rows of the table in the order of their codes.
func Ops() iter.Seq2[OpCode, *OpInfo] {
	return func(yield func(OpCode, *OpInfo) bool) {
		for c := OpCode(1); c < numOps; c++ {
			if !yield(c, c.Info()) {
				return
			}
		}
	}
}

// opRows holds the rows of a family of ops. A list, unlike a map, is initialised statically.
type opRows []opRow

type opRow struct {
	code OpCode
	OpInfo
}

// families hold the rows of all ops. The families are data without functions:
// meaning, constraints and syntax of an op are in separate tables, since a row with a function that reads the
// table does not compile (an initialisation cycle).
var families = [...]opRows{
	funcOps, unaryOps, binaryOps, selectOps, shapeOps, dynamicOps, linalgOps,
	regionOps, indexOps, parallelOps, tokenOps,
	chloOps, chloBroadcastOps, nxOps, checkOps, sdyOps,
}

// table holds the row of each op.
var table lazy.Value[*[numOps]*OpInfo]

func gatherRows() *[numOps]*OpInfo {
	t := &[numOps]*OpInfo{Unregistered: {}}
	for _, rows := range families {
		for i := range rows {
			row := &rows[i]
			if t[row.code] != nil {
				panic(fmt.Sprintf("stablehlo: op code %d is %s and %s", row.code, t[row.code].Name, row.Name))
			}
			t[row.code] = &row.OpInfo
		}
	}
	return t
}

// Dialect returns the part of the name before the dot: "stablehlo".
func (i *OpInfo) Dialect() string {
	dialect, _, _ := strings.Cut(i.Name, ".")
	return dialect
}

// Mnemonic returns the part of the name after the dot: "add".
func (i *OpInfo) Mnemonic() string {
	_, mnemonic, _ := strings.Cut(i.Name, ".")
	return mnemonic
}

// SpecAnchor returns the address of the op in the specification, or "" when
// the specification does not have it.
func (i *OpInfo) SpecAnchor() string {
	if i.Dialect() != "stablehlo" || i.Traits&NotInSpec != 0 {
		return ""
	}
	return "https://openxla.org/stablehlo/spec#" + i.Mnemonic()
}

// Attr returns the spec of the inherent attribute of that name, or nil.
func (i *OpInfo) Attr(name string) *AttrSpec {
	for k := range i.Attrs {
		if i.Attrs[k].Name == name {
			return &i.Attrs[k]
		}
	}
	return nil
}
