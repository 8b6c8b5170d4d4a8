package vet

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// Change is a place of a file that [Upgrade] rewrote, or that a programmer must look at.
type Change struct {
	Position token.Position
	Message  string
}

// renamed are the functions and types of package nx by the names that they have now: of package nx, or of a package
// below it.
var renamed = map[string]string{
	"AllGather": "shard.AllGather", "AllReduce": "shard.AllReduce", "AllReduceMax": "shard.AllReduceMax",
	"AllReduceMean": "shard.AllReduceMean", "AllReduceMin": "shard.AllReduceMin", "AllToAll": "shard.AllToAll",
	"FromShards": "shard.Join", "LeafShardings": "shard.LeafShardings", "Mesh": "shard.Mesh", "MeshAxis": "shard.Axis",
	"MeshIndex": "shard.Index", "Permute": "shard.Permute", "ReduceScatter": "shard.ReduceScatter",
	"ShardJit": "shard.Jit",
	"ShardMap": "shard.Map", "Sharding": "shard.Sharding", "ShardingConstraint": "shard.Constrain",
	"Shardings": "shard.Shardings", "Shards": "shard.Split",

	"FFT": "fft.FFT", "FFT2": "fft.FFT2", "FFTFreq": "fft.Freq", "FFTN": "fft.FFTN", "FFTOption": "fft.Option",
	"FFTShift": "fft.Shift", "IFFT": "fft.IFFT", "IFFT2": "fft.IFFT2", "IFFTN": "fft.IFFTN", "IFFTShift": "fft.IShift",
	"IRFFT": "fft.IRFFT", "Lengths": "fft.Length", "RFFT": "fft.RFFT", "RFFTFreq": "fft.RFreq",

	"Leaves": "tree.Leaves", "Map2": "tree.Map2", "MapLeaves": "tree.MapLeaves", "Ravel": "tree.Ravel",

	"Cached": "debug.Cached", "Hook": "debug.Hook", "InspectExpr": "debug.InspectExpr", "LineTime": "debug.LineTime",
	"LiveBytes": "debug.LiveBytes", "Mark": "debug.Mark", "MarkName": "debug.MarkName",
	"PrintValue": "debug.PrintValue", "Profile": "debug.Profile", "ProfileLines": "debug.ProfileLines",
	"StreamCached": "debug.StreamCached", "WithAsyncHook": "debug.WithAsyncHook", "WithHook": "debug.WithHook",

	"CountLeadingZeros": "nx.LeadingZeros", "Covariance": "nx.Cov", "CovarianceOption": "nx.CovOption",
	"IndexedAdd": "nx.AddGather", "IndexedPut": "nx.SetGather", "LoadContext": "nx.Load",
	"LoadModuleContext": "nx.LoadModule", "MapRows": "nx.Map", "PopulationCount": "nx.OnesCount",
	"PutSlice": "nx.SetSlice", "StandardDeviation": "nx.Std", "Variance": "nx.Var", "VarianceOption": "nx.VarOption",
	"Wrap": "nx.FromSliceShared",

	"AxesOption": "nx.AxisOption", "LinspaceOption": "nx.NewOption", "NamesOption": "nx.NewOption",
}

// mapOfTrees is what [nx.Map] of a function and a container was; the name now belongs to what was MapRows.
const mapOfTrees = "tree.Map"

// Upgrade rewrites a Go file for the names and the arguments that package nx has now. The file need not be
// type-correct: imports and syntax decide. It returns the file as it is where nothing changes.
//
// Rewritten are functions with another name or package; [nx.Load] and [nx.LoadModule], which take a context;
// [nx.Compile] and [nx.Lower], which take a list of arguments; and the parameters of function literals given to
// [nx.Reduce] and [nx.WindowReduce], whose first one is the carry.
func Upgrade(name string, source []byte) (out []byte, changes []Change, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, source, parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	u := &upgrade{fset: fset, file: f, imports: map[string]bool{}}
	for _, s := range f.Imports {
		if p, err := strconv.Unquote(s.Path.Value); err == nil && p == module {
			u.nx = "nx"
			if s.Name != nil {
				u.nx = s.Name.Name
			}
		}
	}
	if u.nx == "" || u.nx == "_" || u.nx == "." {
		return source, nil, nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			u.call(c)
		}
		return true
	})
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			u.selector(s)
		}
		return true
	})
	if len(u.changes) == 0 {
		return source, nil, nil
	}
	for p := range u.imports {
		astutil.AddImport(fset, f, p)
	}
	if !astutil.UsesImport(f, module) {
		astutil.DeleteImport(fset, f, module)
	}
	var b strings.Builder
	if err := format.Node(&b, fset, f); err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(u.changes, func(a, b Change) int { return cmp.Compare(a.Position.Offset, b.Position.Offset) })
	return []byte(b.String()), u.changes, nil
}

type upgrade struct {
	fset    *token.FileSet
	file    *ast.File
	nx      string // the name of package nx in the file
	imports map[string]bool
	changes []Change
	done    []*ast.SelectorExpr // rewritten by their call
}

func (u *upgrade) note(n ast.Node, message string, args ...any) {
	u.changes = append(u.changes, Change{u.fset.Position(n.Pos()), fmt.Sprintf(message, args...)})
}

// ofNx returns the name that an expression selects of package nx, "" for any other.
func (u *upgrade) ofNx(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.IndexExpr:
		return u.ofNx(x.X)
	case *ast.IndexListExpr:
		return u.ofNx(x.X)
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok && id.Name == u.nx {
			return x.Sel.Name
		}
	}
	return ""
}

// selector gives a name of package nx that it has now.
func (u *upgrade) selector(s *ast.SelectorExpr) {
	name := u.ofNx(s)
	if name == "" || slices.Contains(u.done, s) {
		return
	}
	if now, ok := renamed[name]; ok {
		u.rename(s, now)
	}
}

// rename changes a name of package nx to one of a package below it, or of package nx itself.
func (u *upgrade) rename(s *ast.SelectorExpr, now string) {
	pkg, name, _ := strings.Cut(now, ".")
	u.note(s, "nx.%s is %s", s.Sel.Name, now)
	u.done = append(u.done, s)
	s.Sel.Name = name
	if pkg != "nx" {
		s.X.(*ast.Ident).Name = pkg
		u.imports[path.Join(module, pkg)] = true
	}
}

// call rewrites the arguments of a call.
func (u *upgrade) call(c *ast.CallExpr) {
	switch u.ofNx(c.Fun) {
	case "Map":
		if s, ok := c.Fun.(*ast.SelectorExpr); ok && len(c.Args) == 2 && isFunc(c.Args[0]) {
			u.rename(s, mapOfTrees)
		}
	case "Load", "LoadModule":
		if len(c.Args) > 0 && !isContext(c.Args[0]) {
			u.note(c, "nx.%s takes a context", u.ofNx(c.Fun))
			u.imports["context"] = true
			background := &ast.CallExpr{Fun: &ast.SelectorExpr{X: ast.NewIdent("context"),
				Sel: ast.NewIdent("Background")}}
			c.Args = slices.Insert(c.Args, 0, ast.Expr(background))
		}
	case "Compile", "Lower":
		u.arguments(c)
	case "Reduce", "WindowReduce":
		for _, a := range c.Args {
			f, ok := a.(*ast.FuncLit)
			if !ok || len(f.Type.Params.List) != 1 || len(f.Type.Params.List[0].Names) != 2 {
				continue
			}
			if names := f.Type.Params.List[0].Names; names[1].Name == "acc" || names[1].Name == "carry" {
				u.note(f, "the carry is the first parameter")
				names[0].Name, names[1].Name = names[1].Name, names[0].Name
			}
		}
	}
}

// arguments puts the arguments of a function to compile into a list, before the options.
func (u *upgrade) arguments(c *ast.CallExpr) {
	if len(c.Args) == 0 || len(c.Args) > 1 && u.ofNx(calledBy(c.Args[1])) == "Args" {
		return
	}
	var args, opts []ast.Expr
	for _, a := range c.Args[1:] {
		switch u.ofNx(calledBy(a)) {
		case "On", "Donate", "Signatures", "Evaluate":
			opts = append(opts, a)
		default:
			args = append(args, a)
		}
	}
	if len(args) == 1 && isName(args[0], "nil") {
		return
	}
	u.note(c, "nx.%s takes its arguments as a list: nx.Args", u.ofNx(c.Fun))
	list := ast.Expr(ast.NewIdent("nil"))
	if len(args) > 0 {
		list = &ast.CallExpr{Fun: &ast.SelectorExpr{X: ast.NewIdent(u.nx), Sel: ast.NewIdent("Args")}, Args: args,
			Ellipsis: c.Ellipsis}
		c.Ellipsis = token.NoPos
	}
	c.Args = append([]ast.Expr{c.Args[0], list}, opts...)
}

// calledBy returns the function of a call, and any other expression as it is.
func calledBy(e ast.Expr) ast.Expr {
	if c, ok := e.(*ast.CallExpr); ok {
		return c.Fun
	}
	return e
}

// isFunc reports whether an expression is a function literal.
func isFunc(e ast.Expr) bool {
	_, ok := e.(*ast.FuncLit)
	return ok
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// isContext reports whether an expression looks like a context: a variable of the usual name, or a call that
// returns one.
func isContext(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return strings.HasSuffix(strings.ToLower(x.Name), "ctx") || x.Name == "background"
	case *ast.SelectorExpr:
		return isContext(x.Sel)
	case *ast.CallExpr:
		if s, ok := x.Fun.(*ast.SelectorExpr); ok {
			return isName(s.X, "context") || s.Sel.Name == "Context"
		}
	}
	return false
}
