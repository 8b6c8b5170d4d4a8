package stablehlo

import (
	"context"
	"fmt"
)

// HostTarget is the target of a custom_call that calls a function of the program
// which built the module: its attribute of the same name is a [HostAttr].
const HostTarget = "nx.host"

// HostFunc is a function of the program, called with the elements of the operands
// and memory for those of the results, as package dtype lays them out. It must not
// change or keep either.
type HostFunc struct {
	Name string
	Call func(ctx context.Context, ins, outs [][]byte) error
}

// HostAttr is an attribute that carries a function along with an op, through all
// transformations. Its text tells functions apart; what is read from text is an
// [OpaqueAttr] and cannot be called.
type HostAttr struct{ *HostFunc }

func (HostAttr) isAttr() {}

// String returns #nx.host<"name 0x…">.
func (a HostAttr) String() string { return string(appendAttr(nil, a)) }

// opaque returns what stands for the function in text.
func (a HostAttr) opaque() OpaqueAttr {
	return OpaqueAttr{Text: fmt.Sprintf("%s<%q>", HostTarget, fmt.Sprintf("%s %p", a.Name, a.HostFunc))}
}
