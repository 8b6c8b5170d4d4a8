package xla

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// CompileFunc compiles a function of a module. Args are the types of its arguments, for sizes that
// the function leaves open; without them those that it declares are taken.
func (c *Client) CompileFunc(ctx context.Context, m *stablehlo.Module, name string,
	args ...stablehlo.Type) (backend.Executable, error) {
	m, err := asMain(ctx, m, name, args)
	if err != nil {
		return nil, c.fail("translating", err)
	}
	return c.compileVerified(ctx, m)
}

// asMain verifies a module and returns one with a function as @main, for arguments of these types.
func asMain(ctx context.Context, m *stablehlo.Module, name string, args []stablehlo.Type) (*stablehlo.Module, error) {
	f, ok := m.Func(name)
	if !ok || f.IsDeclaration() {
		return nil, fmt.Errorf("the module has no function @%s with a body", name)
	}
	declared := f.Type().Ins
	if len(args) > 0 && len(args) != len(declared) {
		return nil, fmt.Errorf("@%s takes %d arguments, got %d types", name, len(declared), len(args))
	}
	sized := len(args) == 0 || slices.EqualFunc(args, declared, stablehlo.SameType)
	if err := m.VerifyContext(ctx); err != nil {
		return nil, err
	}
	if name == "main" && sized {
		return m, nil
	}
	m = m.Clone()
	f, _ = m.Func(name)
	if err := simplify.Inline(m, f); err != nil {
		return nil, err
	}
	simplify.DropFuncs(m, name)
	f.SetAttr("sym_name", stablehlo.StringAttr("main"))
	f.SetAttr("sym_visibility", nil)
	if sized {
		return m, nil
	}
	return m, simplify.Refine(f, args)
}
