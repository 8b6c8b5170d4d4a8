package stablehlo

import (
	"fmt"

	"github.com/go-nx/nx/internal/lazy"
)

// checkRows are the constraint checks of a family of ops. A list, unlike a map, is initialised statically.
type checkRows []checkRow

type checkRow struct {
	code  OpCode
	check checkFunc
}

// checkOf returns the constraints and the type inference of an op, nil if it has none.
func checkOf(code OpCode) checkFunc { return checkTable.Get(gatherChecks)[code] }

var checkTable lazy.Value[*[numOps]checkFunc]

// checkFamilies holds the constraints and the type inference of each op, gathered from
// the families: a new file check_<family>.go defines its rows and adds one line
// here. An elementwise op of one type for all needs no row. Another op without one
// has no constraints beyond its OpInfo; noChecks says why.
var checkFamilies = [...]checkRows{
	elementwiseChecks,
	chloChecks,
	collectiveChecks,
	convChecks,
	customChecks,
	dynamicChecks,
	indexChecks,
	reduceChecks,
	transferChecks,
	broadcastChecks,
	shapeChecks,
	linalgChecks,
	controlChecks,
	funcChecks,
	testChecks,
}

// noChecks holds the reason for each op without a row in the families.
var noChecks = [numOps]string{
	OpSdyReturn:               "sharding is not checked",
	OpSdyMesh:                 "sharding is not checked",
	OpSdyManualComputation:    "sharding is not checked",
	OpCheckExpectSerializedEq: "any value may be written",
	OpInterpPrint:             "any value may be printed",
}

func gatherChecks() *[numOps]checkFunc {
	t := new([numOps]checkFunc)
	for _, rows := range checkFamilies {
		for _, row := range rows {
			if t[row.code] != nil {
				panic(fmt.Sprintf("stablehlo: two checks of %s", row.code))
			}
			t[row.code] = row.check
		}
	}
	for code, info := range Ops() {
		if t[code] == nil && info.Traits&(Elementwise|SameTypes) == Elementwise|SameTypes {
			t[code] = checkSameTypes
		}
	}
	return t
}
