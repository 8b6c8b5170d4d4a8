package target

import (
	"errors"
	"fmt"
)

// ErrUnsupported is the reason why a kernel is left to the fallback tier.
var ErrUnsupported = errors.New("not supported by this generator")

// Unsupported returns an ErrUnsupported with a reason.
func Unsupported(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnsupported, fmt.Sprintf(format, args...))
}
