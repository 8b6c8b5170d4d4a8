package stablehlo

// Format selects the pretty form of an op, the syntax after its name.
type Format uint8

// The pretty forms. FormatGeneric ops have only the generic form.
const (
	FormatGeneric Format = iota
)
