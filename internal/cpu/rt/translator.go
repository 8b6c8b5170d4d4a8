package rt

// A Translator translates code for AVX2 to the code of another processor.
type Translator struct {
	// Translate translates position-independent code: instructions, of which there are instructionBytes, and constants
	// after them.
	Translate func(text []byte, instructionBytes int) (code []byte, codeInstructionBytes int, err error)
	// Listing returns translated code as text.
	Listing func(code []byte, instructionBytes int) string
}
