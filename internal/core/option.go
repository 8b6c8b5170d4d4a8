package core

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// Options are small values behind sealed interfaces, one per family of ops, so that an option without a meaning for
// an op does not compile. Two of one kind with different values are an error.
type (
	// NewOption is an option of a constructor.
	NewOption interface{ newOption(*newOptions) }
	// AxisOption is an option of an op along an axis, and of all other ops that take [Axis].
	AxisOption interface {
		axisOption(*axisOptions)
		AssociativeScanOption
		CumulativeOption
		FFTOption
		ReduceOption
		SortOption
		TakeOption
	}
	// DTypeOption is what [As] returns.
	DTypeOption interface {
		CumulativeOption
		NewOption
		ReduceOption
		SearchOption
		SortOption
	}
	// DDOFOption is what [DDOF] returns.
	DDOFOption interface {
		CovOption
		VarOption
	}
	// ReduceOption is an option of a reduction.
	ReduceOption interface {
		reduceOption(*reduceOptions)
		VarOption
	}
	// VarOption is an option of [Var] and [Std].
	VarOption interface{ varianceOption(*reduceOptions) }
)

// AxisRef refers to an axis by position, negative from the end, or by name.
type AxisRef interface{ int | string }

type axisRef struct {
	i     int
	name  string
	named bool // else it is by position: the empty name is that of no axis
}

func axisOf[A AxisRef](a A) axisRef {
	switch a := any(a).(type) {
	case int:
		return axisRef{i: a}
	case string:
		return axisRef{name: a, named: true}
	}
	return axisRef{}
}

func (a axisRef) String() string {
	if a.named {
		return strconv.Quote(a.name)
	}
	return strconv.Itoa(a.i)
}

// axesOption is the option made by [Axis].
type axesOption struct{ axes []axisRef }

// Axis implements nx.Axis.
func Axis[A AxisRef](axes ...A) AxisOption {
	o := axesOption{make([]axisRef, len(axes))}
	for i, a := range axes {
		o.axes[i] = axisOf(a)
	}
	return o
}

func (o axesOption) axisOption(a *axisOptions)     { a.axes, a.set = o.axes, true }
func (o axesOption) reduceOption(r *reduceOptions) { r.axes, r.set = o.axes, true }

// keepOption is the type of [KeepAxes].
type keepOption bool

// KeepAxes keeps reduced axes with size 1.
const KeepAxes keepOption = true

func (o keepOption) reduceOption(r *reduceOptions) { r.keep = bool(o) }

// skipNaNOption is the type of [SkipNaN].
type skipNaNOption bool

// SkipNaN leaves elements out that are NaN, as if they were not there; their gradient is 0. What is
// left of nothing but NaN is nothing: the sum is 0, the product 1, the mean, the largest element and
// the median NaN. It changes nothing for integers and bools, which have no NaN.
const SkipNaN skipNaNOption = true

func (o skipNaNOption) reduceOption(r *reduceOptions)   { r.skip = bool(o) }
func (o skipNaNOption) varianceOption(r *reduceOptions) { r.skip = bool(o) }

// namesOption is the option made by [Names].
type namesOption struct{ names []string }

// Names implements nx.Names.
func Names(names ...string) NewOption { return namesOption{names} }

func (o namesOption) newOption(n *newOptions) { n.names = o.names }

// DTypeOption is the option made by [As].
type dtypeOption struct{ t DType }

// As implements nx.As.
func As(t DType) DTypeOption { return dtypeOption{t} }

func (o dtypeOption) newOption(n *newOptions)       { n.dtype = o.t }
func (o dtypeOption) reduceOption(r *reduceOptions) { r.dtype = o.t }

// ddofOption is the option made by [DDOF].
type ddofOption struct{ n int }

// DDOF implements nx.DDOF.
func DDOF(n int) DDOFOption { return ddofOption{n} }

func (o ddofOption) varianceOption(r *reduceOptions)  { r.ddof = o.n }
func (o axesOption) varianceOption(r *reduceOptions)  { o.reduceOption(r) }
func (o keepOption) varianceOption(r *reduceOptions)  { o.reduceOption(r) }
func (o dtypeOption) varianceOption(r *reduceOptions) { o.reduceOption(r) }

type newOptions struct {
	names    []string
	dtype    DType
	halfOpen bool // of Linspace
}

type axisOptions struct {
	axes []axisRef
	set  bool
}

type reduceOptions struct {
	axes  []axisRef
	set   bool
	keep  bool
	skip  bool
	dtype DType
	ddof  int
}

// GivenIn returns what options of a reduction say of the elements: the type of the result, Invalid where none is
// given, and whether NaN is left out.
func GivenIn(opts []ReduceOption) (as DType, skipNaN bool) {
	var r reduceOptions
	for _, o := range opts {
		if o != nil {
			o.reduceOption(&r)
		}
	}
	return r.dtype, r.skip
}

// distinct refuses options that contradict one another: two of one kind with different values.
func distinct[O any](op string, opts []O) {
	for i, x := range opts {
		for _, y := range opts[:i] {
			if contradict(x, y) {
				fail(ErrArgument, op, "give it once", "%s is given twice, with different values", optionName(x))
			}
		}
	}
}

// optionName returns what a program writes for an option.
func optionName(x any) string {
	switch x.(type) {
	case axesOption:
		return "nx.Axis"
	case dtypeOption:
		return "nx.As"
	case keepOption:
		return "nx.KeepAxes"
	case leftoverOption:
		return "the treatment of a short batch"
	case modeOption:
		return "the mode"
	case outsideOption:
		return "the treatment of indices outside the axis"
	case groupsOption:
		return "the number of groups"
	}
	name := strings.TrimSuffix(reflect.TypeOf(x).Name(), "Option")
	return "nx." + strings.ToUpper(name[:1]) + name[1:]
}

func contradict(x, y any) bool {
	if reflect.TypeOf(x) != reflect.TypeOf(y) {
		return false
	}
	switch x := x.(type) {
	case donateOption, donateInputsOption, weightsOption, weightNamesOption, bindOption: // which add up
		return false
	case groupsOption:
		return x.batch == y.(groupsOption).batch && x != y
	}
	return !reflect.DeepEqual(x, y)
}

// readNewOptions reads the options of a constructor; nil stands for none, as in
// all lists of options.
func readNewOptions(op string, opts []NewOption) (o newOptions) {
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.newOption(&o)
		}
	}
	if o.halfOpen && op != "Linspace" {
		fail(ErrArgument, op, "leave it out", "nx.HalfOpen is an option of nx.Linspace only")
	}
	return o
}

// readNames reads the options of a constructor that has the element type as an argument.
func readNames(op string, d DType, opts []NewOption) []string {
	return readNewOptions(op, opts).namesFor(op, d)
}

// namesFor returns the names of a constructor that has the element type as an argument.
func (o newOptions) namesFor(op string, d DType) []string {
	if o.dtype != dtype.Invalid && o.dtype != d {
		fail(ErrArgument, op, "give the type once, as the argument", "the element type is %s and, by nx.As, %s", d, o.dtype)
	}
	return o.names
}

func readAxisOptions(op string, opts []AxisOption) (o axisOptions) {
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.axisOption(&o)
		}
	}
	return o
}

// axisIndex returns the position of an axis of t.
func axisIndex(op string, t Tensor, a axisRef) int { return axisIndexOf(op, t, "", a) }

// axisIndexOf is [axisIndex] of a tensor with a place that errors name, such as a path in an
// argument.
func axisIndexOf(op string, t Tensor, place string, a axisRef) int {
	if place != "" {
		place = " of " + place
	}
	s := t.p.spec
	rank := len(s.Shape)
	if a.named {
		if i := slices.Index(s.Names, a.name); i >= 0 && a.name != "" {
			return i
		}
		hint := "name the axes when creating the tensor (nx.Names), or give the axis by position"
		if len(s.Names) > 0 {
			hint = "its axes are named " + nameList(s.Names) + nearest(a.name, s.Names)
		}
		failOn(ErrAxis, op, []Tensor{t}, hint, "there is no axis %q%s", a.name, place)
	}
	i := a.i
	if i < 0 {
		i += rank
	}
	if i < 0 || i >= rank {
		hint := "axes count from 0, or from -1 at the end"
		if rank == 0 {
			hint = "a scalar has no axes"
		}
		failOn(ErrAxis, op, []Tensor{t}, hint, "axis %d is out of range for rank %d%s", a.i, rank, place)
	}
	return i
}

// axisIndices returns the positions of axes, in the order given, each once.
func axisIndices(op string, t Tensor, axes []axisRef) []int {
	out := make([]int, 0, len(axes))
	for _, a := range axes {
		i := axisIndex(op, t, a)
		if slices.Contains(out, i) {
			failOn(ErrAxis, op, []Tensor{t}, "", "axis %s is given twice", a)
		}
		out = append(out, i)
	}
	return out
}

// readAxes returns the positions of the axes that the options give, in that
// order, and whether they give any.
func readAxes(op string, t Tensor, opts []AxisOption) ([]int, bool) {
	o := readAxisOptions(op, opts)
	return axisIndices(op, t, o.axes), o.set
}

// oneAxis returns the axis of an op along one axis, def when none is given.
func oneAxis(op string, t Tensor, opts []AxisOption, def int) int {
	return theAxis(op, t, readAxisOptions(op, opts), def)
}

func theAxis(op string, t Tensor, o axisOptions, def int) int {
	if !o.set {
		return axisIndex(op, t, axisRef{i: def})
	}
	if len(o.axes) != 1 {
		failOn(ErrAxis, op, []Tensor{t}, "", "works along one axis, %d are given", len(o.axes))
	}
	return axisIndex(op, t, o.axes[0])
}

// nameList returns names for messages.
func nameList(names []string) string {
	var out []string
	for _, n := range names {
		if n != "" {
			out = append(out, strconv.Quote(n))
		}
	}
	return strings.Join(out, ", ")
}

// nearest asks whether the user meant the name that differs least, if one
// differs little.
func nearest(name string, names []string) string {
	best, least := "", 3
	for _, n := range names {
		if d := distance(name, n); d < least && d < len(n) {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance is the number of letters to insert, delete or change (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal + b2i(a[i] != b[j])
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
