package main

// excluded are the exported names of the sources that have no counterpart, or one that is written by hand, each with
// the reason. A name that its package does not have fails the test of this command.
var excluded = map[string]map[string]string{
	"nx": {
		"Clip":     "is min(max(t, lo), hi), and leaves its name to functions of definitions",
		"Expr":     "evaluates formulas, which definitions are themselves",
		"ExprVars": "evaluates formulas, which definitions are themselves",
		"Vars":     "evaluates formulas, which definitions are themselves",
		"Tensor":   byHand,
		"Cond":     byHand,
		"Case":     byHand,
		"While":    byHand,
		"Fori":     byHand,
		"Count":    "is a constraint of Fori",
		"Slice":    byHand,
		"New":      byHand,
		"Equal":    operator,
		"Operand":  "is a constraint of operands, which are Tensors in definitions",

		"Greater": operator, "GreaterEqual": operator, "Less": operator, "LessEqual": operator, "NotEqual": operator,

		"Jit": compiles, "Compile": compiles, "Lower": compiles, "Executable": compiles, "Lowered": compiles,
		"JitOption": compiles, "Donate": compiles, "Signatures": compiles, "Args": compiles, "Graph": compiles,
		"GraphStage": compiles, "Cut": compiles, "Source": compiles, "NoCut": compiles, "CutBefore": compiles,
		"CutAfter": compiles, "CutAround": compiles, "CheckNaN": compiles, "Evaluate": compiles, "On": compiles,
		"OnOption": compiles, "NaNError": compiles, "NaNLoop": compiles, "NaNMember": compiles,
		"NaNOrigin": compiles, "ValueRange": compiles,

		"Load": loads, "LoadModule": loads, "LoadFunc": loads, "LoadTensors": loads, "SaveTensors": loads,
		"Model": loads, "Parameter": loads, "LoadOption": loads, "LoadTensorsOption": loads, "Partial": loads,
		"Bind": loads, "DonateInputs": loads, "FreeWeights": loads, "WeightNames": loads, "Weights": loads,
		"RenameArrays": loads, "Files": loads,

		"Item": reads, "Data": reads, "View": reads, "Nested": reads, "Bytes": reads, "ArrayEqual": reads,

		"Batches": driver, "BatchOption": driver, "KeepShort": driver, "DropLast": driver, "RepeatFirst": driver,
		"PadBatch": driver, "Rows": driver, "Stream": driver, "Streaming": driver, "Await": driver,
		"Transfer": driver, "Release": driver, "SetDefault": driver, "SetLogger": driver, "Device": driver,
		"RuntimeCall": byHand, "Catch": driver, "Error": driver,

		"ErrAbsent": driver, "ErrReleased": driver, "ErrShape": driver, "ErrDType": driver, "ErrAxis": driver,
		"ErrNames": driver, "ErrValue": driver, "ErrRagged": driver, "ErrArgument": driver, "ErrTrace": driver,
		"ErrDevice": driver, "ErrContainer": driver, "ErrState": driver, "ErrGradient": driver, "ErrBatch": driver,
		"ErrNaN": driver, "ErrRun": driver,
	},
	"linalg": {
		"TryCholesky": reads, "TryEig": reads, "TryEigh": reads, "TryInv": reads, "TryLogm": reads,
		"TrySVD": reads, "TrySolve": reads, "TrySqrtm": reads,
	},
	"tree":   {"Leaves": pushes, "Types": pushes},
	"metric": {"Values": reads},
	"nn": {
		"LoadWeights": loads, "SaveWeights": loads, "LoadOption": loads, "Rename": loads, "Tied": loads,
		"Convert": loads, "Partial": loads, "Report": loads, "Assigned": loads, "ArrayOption": loads,
		"PermuteAxes": loads,
		"StateNames":  driver, "StateNamer": driver, "Summary": driver, "CheckModel": driver,
	},
}

// moved are functions of package nx whose counterparts are in package defn/nn: definitions, which import package defn
// by a dot, give these names to functions of their own.
var moved = []string{
	"CrossEntropy", "Gelu", "GeluTanh", "LayerNorm", "LogSoftmax", "Relu", "Sigmoid", "Silu", "SoftCrossEntropy",
	"Softmax", "Softplus",
}

// renamed are the functions of these that have another name there: that of a layer.
var renamed = map[string]string{"LayerNorm": "Standardize"}

const (
	byHand   = "written by hand"
	operator = "is an operator of Go"
	compiles = "compiles definitions: the program that calls them does that"
	loads    = "reads or writes files"
	reads    = "reads elements, which a graph that is being built does not have"
	pushes   = "is a range over a function: MapLeaves gives the paths"
	driver   = "belongs to the program that calls definitions"
)

// predicates are the functions of package nx whose result is a predicate.
var predicates = map[string]bool{
	"IsNaN": true, "IsInf": true, "IsFinite": true, "IsClose": true, "AllClose": true,
	"All": true, "Any": true, "LogicalAnd": true, "LogicalOr": true, "LogicalXor": true, "LogicalNot": true,
}

// conditions are the parameters that take predicates.
var conditions = map[string]map[string]bool{"Where": {"cond": true}}

// values are the parameters that take tensors and predicates.
var values = map[string]map[string]bool{
	"All": {"t": true}, "Any": {"t": true}, "Sum": {"t": true}, "Mean": {"t": true}, "Cast": {"t": true},
	"ArgMax": {"t": true}, "ArgMin": {"t": true}, "CumSum": {"t": true}, "LogicalNot": {"t": true},
	"LogicalAnd": {"a": true, "b": true}, "LogicalOr": {"a": true, "b": true}, "LogicalXor": {"a": true, "b": true},
}
