// Package definition has the intermediate form of numerical definitions: functions of statements over expressions
// whose operators are names of functions of package nx. Package translate makes it from Go source, and formulas from
// text (Parse); from it package translate writes Go, and an evaluator builds graphs directly.
package definition

import (
	"go/constant"
	"go/token"
)

// Type is a type of Go: of go/types where a definition is read from Go source, nil where there is none.
type Type interface{ String() string }

// Kind says when a value is known.
type Kind uint8

const (
	Static    Kind = iota // while the graph is built: a Go value without tensors
	Tensor                // when the graph runs
	Predicate             // when the graph runs: a bool in Go, a tensor of bools in the graph
	Container             // a Go value with tensors in it: a struct, a slice, a function
)

// Var is a variable: a parameter, a result, or one that a statement declares.
type Var struct {
	Name    string
	Type    Type
	Kind    Kind // bools start as Static and become Predicate where one is stored
	Pos     token.Pos
	Func    *Func // where it is declared
	Assigns int   // assignments after its declaration
	Pointer bool  // to a struct
	Through bool  // the function, which it is a parameter of, changes what it points to
}

// Func is a function: a declared one or a literal.
type Func struct {
	Name    string // "" for a literal
	Recv    *Var
	Params  []*Var
	Results []*Var // with Name "" where the source names none
	Body    []Stmt
	Pos     token.Pos
	End     token.Pos

	Types    []any // of go/types: those that the body declares
	Variadic bool
	External bool  // of another package, without a body
	Outer    *Func // of a literal
	Object   any   // of go/types
}

// Expr is an expression.
type Expr interface{ At() token.Pos }

// Node is what all expressions have.
type Node struct {
	Pos  token.Pos
	Type Type
	Kind Kind // of expressions whose kind does not follow from their parts
}

// At returns the position in the source.
func (n Node) At() token.Pos { return n.Pos }

type (
	// Lit is a constant without a name, a number, a string or a bool.
	Lit struct {
		Node
		Value constant.Value
		Text  string // as the source has it, if that is a literal
		Float bool   // a float, whatever the value is
	}
	// Ref is a variable.
	Ref struct {
		Node
		Var *Var
	}
	// Name is a declaration of a package: a constant, a variable, a function.
	Name struct {
		Node
		Path, Name string
		Object     any // of go/types
		Func       *Func
		Instance   bool // the instance for tensors of a generic function of another package
		TypeArgs   []Type
	}
	// Op is a function of package nx, or of one below it: an operator, or a call of a function of package defn.
	Op struct {
		Node
		Pkg, Func string // "nx", "Add"
		Args      []Expr
		Roles     string // of the parameters: see Roles of package translate
		Spread    bool   // the last argument is a slice for the variadic parameter
		TypeArgs  []Type // where the source gives them
		Nullary   bool   // not called: the function as a value
	}
	// Lift is a static number where a tensor is: an operand takes it as it is.
	Lift struct {
		Node
		X Expr
	}
	// Call is a call of a function that is not an Op.
	Call struct {
		Node
		Fun    Expr
		Args   []Expr
		Spread bool
	}
	// Builtin is a call of a function of the language: len, append, make.
	Builtin struct {
		Node
		Func   string
		Of     Type // the type argument of make and new
		Args   []Expr
		Spread bool
	}
	// Lambda is a function literal.
	Lambda struct {
		Node
		Func *Func
	}
	// Select is a field or a method.
	Select struct {
		Node
		X     Expr
		Name  string
		Field *Var  // of a struct of the package, whose bools may be predicates
		Func  *Func // of a method of a definition
	}
	// Index is an element.
	Index struct {
		Node
		X, Index Expr
	}
	// Part is a slice of a slice.
	Part struct {
		Node
		X           Expr
		Lo, Hi, Max Expr
	}
	// Composite is a literal of a struct, a slice, an array or a map.
	Composite struct {
		Node
		Keys   []Expr // nil elements where there is none
		Fields []string
		Elems  []Expr
		Addr   bool
		Elided bool // the type is that of the elements of the literal around it, as the source has it
	}
	// Convert is a conversion of a static value, or of a container.
	Convert struct {
		Node
		To Type
		X  Expr
	}
	// Unary and Binary are operators on static values.
	Unary struct {
		Node
		Op token.Token
		X  Expr
	}
	Binary struct {
		Node
		Op   token.Token
		X, Y Expr
	}
	// Source is Go that is written as it stands: parts of static code that the form has no node for.
	Source struct {
		Node
		Syntax any // of go/ast
	}
)

// Stmt is a statement.
type Stmt interface{ Start() token.Pos }

// Mark is what all statements have.
type Mark struct{ Pos token.Pos }

// Start returns the position in the source.
func (m Mark) Start() token.Pos { return m.Pos }

type (
	// Assign assigns to variables, fields and elements; nil stands for the blank identifier.
	Assign struct {
		Mark
		Left   []Expr
		Right  []Expr // one for each of Left, or one call
		Define bool   // declares the variables that are new
		New    []*Var
	}
	// Declare declares a variable without a value.
	Declare struct {
		Mark
		Var  *Var
		Dead bool // its first value is not read
	}
	// Do evaluates an expression.
	Do struct {
		Mark
		X Expr
	}
	// Block is a scope. A jump to it goes on behind it: the break of a switch.
	Block struct {
		Mark
		Copy Stmt // as in For
		Body []Stmt
	}
	// If runs one of two lists; its condition is a predicate or static.
	If struct {
		Mark
		Cond Expr
		Then []Stmt
		Else []Stmt
	}
	// For repeats Body and Post while Cond holds, which is a predicate, static, or absent.
	For struct {
		Mark
		Copy Stmt // the loop that this is a lowered copy of, which jumps refer to
		Cond Expr
		Post []Stmt
		Body []Stmt
		End  token.Pos
	}
	// Range runs Body for each element of a static range: an int, a slice, an array, a string.
	Range struct {
		Mark
		Copy       Stmt // as in For
		Key, Value *Var // nil where there is none
		X          Expr
		Body       []Stmt
		End        token.Pos
	}
	// Return returns from the function.
	Return struct {
		Mark
		Results []Expr
	}
	// Jump leaves a loop or a block, or goes on with the next iteration of a loop.
	Jump struct {
		Mark
		Loop     Stmt // *For, *Range or *Block
		Continue bool
	}
	// Fail is a panic with a static message: it happens while the graph is built.
	Fail struct {
		Mark
		X Expr
	}
)

// LoopOf returns the loop that jumps refer to.
func LoopOf(s Stmt) Stmt {
	switch s := s.(type) {
	case *For:
		if s.Copy != nil {
			return s.Copy
		}
	case *Range:
		if s.Copy != nil {
			return s.Copy
		}
	case *Block:
		if s.Copy != nil {
			return s.Copy
		}
	}
	return s
}

// The statements that remain of control flow by predicates after Lower.
type (
	// Choose assigns, by a predicate, what one of two lists makes of variables, in a graph.
	Choose struct {
		Mark
		Cond Expr
		Vars []*Var
		Then []Stmt
		Else []Stmt
		// Locals are variables that a list changes and that nothing reads later.
		ThenLocals, ElseLocals []*Var
		ThenReads, ElseReads   *Set // the variables whose values before a list the list, or what follows, reads
	}
	// ChooseReturn returns, by a predicate, what one of two lists returns.
	ChooseReturn struct {
		Mark
		Cond                   Expr
		Then                   []Stmt
		Else                   []Stmt
		ThenLocals, ElseLocals []*Var
		ThenReads, ElseReads   *Set
	}
	// Repeat changes variables as long as a predicate holds, in a graph.
	Repeat struct {
		Mark
		Cond   Expr
		Vars   []*Var
		After  []*Var // those of Vars that are read after the loop
		Body   []Stmt
		Locals []*Var
		Reads  *Set // as in Choose
	}
	// Unroll is a loop of static steps that a predicate may leave by a return. Each step decides what follows: another
	// step (a Jump that continues), what is behind the loop (a Jump that breaks), or a return. All paths of Body end in
	// one of these, and all paths of After in a return.
	Unroll struct {
		Mark
		Loop       Stmt // what jumps refer to
		Cond       Expr // of a for, nil for a range
		Key, Value *Var // of a range
		X          Expr
		Body       []Stmt
		After      []Stmt
		Breaks     bool

		Vars                []*Var // what a step takes from the one before it
		AfterVars           []*Var // those of Vars that After needs
		Locals, AfterLocals []*Var
		Reads, AfterReads   *Set // as in Choose
	}
)
