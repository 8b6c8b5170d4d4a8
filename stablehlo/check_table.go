package stablehlo

import "fmt"

// checkRows are the constraint checks of a family of ops.
type checkRows map[OpCode]checkFunc

// checks holds the constraints and the type inference of each op, gathered from
// the families: a new file check_<family>.go defines its rows and adds one line
// here. An elementwise op of one type for all needs no row. Another op without one
// has no constraints beyond its OpInfo; noChecks says why.
var checks = gatherChecks(
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
)

// noChecks returns the reason for each op without a row in checks.
var noChecks = map[OpCode]string{
	OpSdyReturn:               "sharding is not checked",
	OpSdyMesh:                 "sharding is not checked",
	OpSdyManualComputation:    "sharding is not checked",
	OpCheckExpectSerializedEq: "any value may be written",
	OpInterpPrint:             "any value may be printed",
}

func gatherChecks(families ...checkRows) (t [numOps]checkFunc) {
	for _, rows := range families {
		for code, f := range rows {
			if t[code] != nil {
				panic(fmt.Sprintf("stablehlo: two checks of %s", code))
			}
			t[code] = f
		}
	}
	for code, info := range Ops() {
		if t[code] == nil && info.Traits&(Elementwise|SameTypes) == Elementwise|SameTypes {
			t[code] = checkSameTypes
		}
	}
	return t
}
