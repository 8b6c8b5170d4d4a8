package command

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/go-nx/nx/internal/model"
)

// calling says how a definition is called: a function on the tensors of package defn in a package of Go, which the
// program defn lowers, so that this one does not link go/packages.
type calling struct {
	files []string // files of arguments
	args  []string // types of tensors
	set   []string // name=value of static parameters and fields
	grad  bool
	wrt   []string
}

// definitionForm is the form of a program that was lowered from a definition.
const definitionForm model.Form = "definition"

// addCallFlags adds the flags of definitions that run and inspect have in common.
func addCallFlags(cmd *cobra.Command, c *calling) {
	f := cmd.Flags()
	f.StringArrayVar(&c.args, "args", nil, "the `types` of the tensors of a definition, \"x=f32[2][3] n=s32\", "+
		"or without names in their order")
	f.StringArrayVar(&c.set, "set", nil, "a static parameter of a definition: `name=value`")
	f.BoolVar(&c.grad, "grad", false, "derivatives with respect to the arguments instead of the results")
	f.StringSliceVar(&c.wrt, "wrt", nil, "derivatives with respect to these `arguments` only")
}

// isDefinition reports whether an argument names a definition: ./folder.Func, ./folder.Type.Method, or the same with
// the path of a package. Files come first.
func isDefinition(arg string) bool {
	if _, err := os.Stat(arg); err == nil || arg == "-" {
		return false
	}
	at, upper := arg, false
	for range 2 {
		i := strings.LastIndexByte(at, '.')
		if i < 0 || strings.ContainsAny(at[i:], `/\`) || !isName(at[i+1:]) {
			break
		}
		upper = upper || ast.IsExported(at[i+1:])
		if at = at[:i]; at == "" {
			at = "."
		}
		if files, _ := filepath.Glob(filepath.Join(at, "*.go")); len(files) > 0 {
			return true
		}
	}
	first, _, _ := strings.Cut(arg, "/")
	return upper && (strings.Contains(first, ".") && first != "." && first != ".." && strings.Contains(arg, "/") ||
		moduleHere() != "" && strings.HasPrefix(arg, moduleHere()+"/"))
}

// missingPackage is an error where an argument has the form of a definition, and neither a file nor a folder is there.
func missingPackage(arg string) error {
	i := strings.LastIndexByte(arg, '.')
	if i <= 0 || !ast.IsExported(arg[i+1:]) || !isName(arg[i+1:]) || strings.ContainsAny(arg[i:], `/\`) {
		return nil
	}
	if _, err := os.Stat(arg); err == nil {
		return nil
	}
	return fmt.Errorf("there is neither a file %s nor a package of Go in a folder %s: check the path", arg, arg[:i])
}

// isName reports whether a text is an identifier of Go.
func isName(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// goMod returns the go.mod of the working folder, "" outside of a module.
func goMod() string {
	dir, err := os.Getwd()
	for err == nil {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			return string(text)
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// moduleHere returns the path of the module of the working folder, or "".
func moduleHere() string {
	for line := range strings.Lines(goMod()) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			return strings.Trim(strings.TrimSpace(path), `"`)
		}
	}
	return ""
}

// lowerDefinition returns the graph of a definition for the arguments of files.
func (s *Streams) lowerDefinition(ctx context.Context, name string, c calling, renamed string) (*model.Program, error) {
	types, err := argumentTypes(ctx, c, renamed)
	if err != nil {
		return nil, err
	}
	args := []string{"lower"}
	for _, t := range types {
		args = append(args, "--args", t)
	}
	for _, v := range c.set {
		args = append(args, "--set", v)
	}
	if c.grad {
		args = append(args, "--grad")
	}
	for _, v := range c.wrt {
		args = append(args, "--wrt", v)
	}
	var text bytes.Buffer
	defn := *s
	defn.out = &text
	if err := defn.runDefn(ctx, append(args, name)); err != nil {
		return nil, err
	}
	p, err := model.Read(ctx, name, text.Bytes())
	if err != nil {
		return nil, err
	}
	p.Form = definitionForm
	return p, verified(ctx, name, p.Module)
}

// gradNames returns gradI for the derivatives of a definition: each is named for its argument.
func gradNames(p *model.Program) []string {
	names := make([]string, len(p.Out))
	for i, out := range p.Out {
		at := slices.IndexFunc(p.In, func(in model.Param) bool { return in.Name == out.Name })
		names[i] = fmt.Sprintf("grad%d", at)
	}
	return names
}

// argumentTypes returns the types of the arrays in the files, and those of the command line, which come first.
func argumentTypes(ctx context.Context, c calling, renamed string) ([]string, error) {
	types, given := c.args, map[string]bool{}
	for _, list := range c.args {
		for word := range strings.FieldsSeq(list) {
			if i := strings.LastIndexByte(word, '='); i >= 0 {
				given[word[:i]] = true
			}
		}
	}
	in, err := openInputs(ctx, c.files, renamed)
	defer in.done()
	if err != nil {
		return nil, err
	}
	for _, a := range in.arrays {
		name := strings.Join(strings.Fields(a.Name), "/")
		if given[name] {
			continue
		}
		if !a.Header.DType.IsValid() {
			return nil, fmt.Errorf("%s: %s has items of %d bytes: say what they are, --args %s=bf16[…]", a.File, a.Name,
				a.Header.Void, name)
		}
		types = append(types, name+"="+headerText(a.Header))
	}
	return types, nil
}

// runDefn runs the program defn.
func (s *Streams) runDefn(ctx context.Context, args []string) error {
	path, err := findDefn(ctx)
	if err != nil {
		return err
	}
	return s.start(ctx, path, args)
}

// findDefn returns the program defn: the tool of the module, if it has that, which is of the version of its package nx;
// else as other programs are found.
func findDefn(ctx context.Context) (string, error) {
	if strings.Contains(goMod(), "github.com/go-nx/nx/cmd/defn") {
		out, err := exec.CommandContext(ctx, "go", "tool", "-n", "defn").Output()
		if path := strings.TrimSpace(string(out)); err == nil && path != "" {
			return path, nil
		}
	}
	return findExternal("defn")
}
