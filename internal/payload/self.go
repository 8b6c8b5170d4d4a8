package payload

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/go-nx/nx/internal/self"
)

// mark says in an executable whether it has a payload: [Write] changes "no " to "yes" there. It is a variable, so that
// it is in the file once.
var mark = [...]byte{'\xff', 'n', 'x', ' ', 'e', 'x', 'e', 'c', 'u', 't', 'a', 'b', 'l', 'e', '\x00', '\xfe', 'w', 'i',
	't', 'h', ' ', 'p', 'a', 'y', 'l', 'o', 'a', 'd', ':', ' ', 'n', 'o', ' ', '\n'}

// The mark is a name and an answer.
const (
	markName = len(mark) - 4
	yes      = "yes"
)

// markIn returns where the mark is in an executable, -1 if it is not there.
func markIn(executable []byte) int { return bytes.Index(executable, mark[:markName]) }

// marked returns a copy of an executable with the mark that there is a payload. Those of macOS stay as they are, since
// their pages are signed.
func marked(executable []byte) ([]byte, error) {
	out := bytes.Clone(executable)
	if isMachO(out) {
		return out, nil
	}
	i := markIn(out)
	if i < 0 || len(out) < i+len(mark) || bytes.Contains(out[i+1:], mark[:markName]) {
		return nil, errors.New("the executable does not have one mark of a payload")
	}
	copy(out[i+markName:], yes)
	return out, nil
}

// isMachO reports whether an executable is one of macOS for 64 bits, or of several processors.
func isMachO(executable []byte) bool {
	return bytes.HasPrefix(executable, []byte("\xcf\xfa\xed\xfe")) ||
		bytes.HasPrefix(executable, []byte("\xca\xfe\xba\xbe"))
}

// OfProcess returns the payload of the running executable, nil if it has none. It reads the last bytes of the file.
func OfProcess() (*Payload, error) {
	must := string(mark[markName:markName+len(yes)]) == yes
	f, err := self.Open()
	if err != nil {
		if must {
			return nil, fmt.Errorf("the payload cannot be read: %w", err)
		}
		return nil, nil
	}
	p, err := Open(f)
	if errors.Is(err, ErrNone) && must {
		err = fmt.Errorf("%s: the payload is gone: the file was truncated, or strip has removed it: make it again",
			os.Args[0])
	} else if errors.Is(err, ErrNone) {
		f.Close()
		return nil, nil
	} else if err != nil {
		err = fmt.Errorf("%s: %w", os.Args[0], err)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}
