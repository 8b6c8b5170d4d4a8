package stablehlo

var elementwiseChecks = checkRows{}
