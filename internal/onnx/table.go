package onnx

import (
	"slices"
	"sync"

	"github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/core"
)

// row says how an op is imported.
type row struct {
	domain, op string // domain is "" for the default one
	// since is the first version of the domain in which the op has the form that run imports; 0 for all. Of several
	// rows of an op that with the largest version that the model's is not below is taken.
	since int64
	// run returns the results. Those after the last that is wanted may be missing.
	run func(n *node) []Value
	// sized is set where the shapes of results depend on values: the op runs on data, between parts of the program.
	sized bool
	// traced is set where an op is not computed while importing, though its operands are known: random numbers.
	traced bool
	// frame is set for ops whose graphs or functions are walked as if their nodes were those of the caller.
	frame func(m *machine, n *node) *frame
	// host runs the op between parts of the program if its graphs cannot be imported as a whole.
	host func(d *driver, n *node) ([]Value, error)
	// strings is set where operands may be strings.
	strings bool
}

// opName identifies an op.
type opName struct{ domain, op string }

// table is filled on its first use.
var table struct {
	once sync.Once
	rows map[opName][]row
}

// rows is the table of all ops, by name: rows by version, the newest first.
func rows() map[opName][]row {
	table.once.Do(func() { table.rows = makeRows() })
	return table.rows
}

func makeRows() map[opName][]row {
	table := map[opName][]row{}
	for _, list := range [][]row{
		elementwiseRows(), shapeRows(), controlRows(),
		castRows(), reduceRows(), // basic
		indexRows(), sequenceRows(), imageRows(), sizedRows(),
		convRows(), normRows(), productRows(), recurrentRows(), attentionRows(), lossRows(), signalRows(),
		trainingRows(),
		quantRows(), microsoftRows(), mlRows(),
	} {
		for _, r := range list {
			name := opName{r.domain, r.op}
			table[name] = append(table[name], r)
		}
	}
	addStrings(table)
	for _, list := range table {
		slices.SortFunc(list, func(a, b row) int { return int(b.since - a.since) })
	}
	return table
}

// rowOf returns the row of an op in a version of its domain, nil if it is not imported.
func rowOf(domain, op string, version int64) *row {
	for i, r := range rows()[opName{domain, op}] {
		if version >= r.since {
			return &rows()[opName{domain, op}][i]
		}
	}
	return nil
}

// unary is the row of a function of a tensor.
func unary(op string, f func(x core.Tensor) core.Tensor) row {
	return row{op: op, run: func(n *node) []Value { return one(f(n.in(0))) }}
}

// pairwise is the row of a function of two tensors of one type, which are broadcast.
func pairwise(op string, f func(a, b core.Tensor) core.Tensor) row {
	return row{op: op, run: func(n *node) []Value { return one(f(n.pair())) }}
}

// single is the row of an op with one result.
func single(op string, f func(n *node) core.Tensor) row {
	return row{op: op, run: func(n *node) []Value { return one(f(n)) }}
}

// from is a row from a version of the domain on.
func (r row) from(version int64) row {
	r.since = version
	return r
}

// in is a row of a domain.
func (r row) in(domain string) row {
	r.domain = domain
	return r
}

// isOp reports whether a node is that of an op of the default domain.
func isOp(n *onnx.Node, op string) bool { return domainOf(n.Domain) == "" && n.OpType == op }
