package amd64

import (
	"fmt"
	"strings"
)

// Listing returns code as text, one line per instruction: its offset, its bytes, and the instruction; relative jumps
// show the target offset. Constants after the instructions, and code that cannot be decoded, are listed as bytes.
func Listing(code []byte, instructionBytes int) string {
	var s strings.Builder
	at := 0
	for at < instructionBytes {
		in, n, err := Decode(code[at:instructionBytes])
		if err != nil {
			break
		}
		text := in.String()
		if f, _, err := in.find(); err == nil && f.args[0]&roleBits == relative {
			text = fmt.Sprintf("%s %#x", in.Op, at+n+int(in.Args[0].Val))
		}
		fmt.Fprintf(&s, "%5x  %-24x %s\n", at, code[at:at+n], text)
		at += n
	}
	for ; at < len(code); at += 16 {
		fmt.Fprintf(&s, "%5x  % x\n", at, code[at:min(at+16, len(code))])
	}
	return s.String()
}
