package stablehlo

// table holds the row of each op.
var table = [numOps]OpInfo{
	OpAdd: {Name: "stablehlo.add"},
}
