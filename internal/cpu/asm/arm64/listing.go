package arm64

import (
	"fmt"
	"strings"
)

// Listing returns code as text, one line per instruction: its offset, its word, and the instruction; branches and
// literals show the offset of their target. Constants after the instructions, and words that cannot be decoded, are
// listed as bytes.
func Listing(code []byte, instructionBytes int) string {
	var s strings.Builder
	at := 0
	for ; at+4 <= instructionBytes; at += 4 {
		in, err := Decode(code[at:])
		if err != nil {
			break
		}
		if i := in.codeOperand(); i >= 0 {
			in.Args[i] = Arg{Kind: labelArg, Val: int64(at) + in.Args[i].Val}
		}
		fmt.Fprintf(&s, "%5x  %02x%02x%02x%02x %s\n", at, code[at+3], code[at+2], code[at+1], code[at], in)
	}
	for ; at < len(code); at += 16 {
		fmt.Fprintf(&s, "%5x  % x\n", at, code[at:min(at+16, len(code))])
	}
	return s.String()
}

// codeOperand returns the number of the operand that is an offset of code, or -1.
func (in *Inst) codeOperand() int {
	_, f, err := in.word()
	if err != nil {
		return -1
	}
	for i := range f.args {
		if f.args[i].kind == codeOffset || f.args[i].kind == codeBytes {
			return i
		}
	}
	return -1
}
