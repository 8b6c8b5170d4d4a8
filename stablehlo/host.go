package stablehlo

import (
	"context"
	"fmt"
)

// HostTarget is the target of a custom_call that calls a Go function of the program that built the module: its
// attribute of the same name is a [HostAttr].
const HostTarget = "nx.host"

// HostFunc is a Go function, called with the elements of the operands and memory for those of the results, as
// package dtype lays them out. It must neither modify nor retain the operands, nor retain the results.
type HostFunc struct {
	Name string
	Call func(ctx context.Context, ins, outs [][]byte) error
}

// HostAttr is an attribute that carries a Go function with an op through all transformations. Its text
// identifies the function; an attribute read from text is an [OpaqueAttr] and cannot be called.
type HostAttr struct{ *HostFunc }

func (HostAttr) isAttr() {}

// String returns #nx.host<"name 0x…">.
func (a HostAttr) String() string { return string(appendAttr(nil, a)) }

// opaque returns the textual form of the function.
func (a HostAttr) opaque() OpaqueAttr {
	return OpaqueAttr{Text: fmt.Sprintf("%s<%q>", HostTarget, fmt.Sprintf("%s %p", a.Name, a.HostFunc))}
}
