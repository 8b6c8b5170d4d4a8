package core

import (
	"io/fs"
	"reflect"
	"strings"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
)

// Options are small values behind sealed interfaces, one per family of ops, so that an option without a meaning for
// an op does not compile. Two options of one kind with different values are an error.
type (
	// NewOption is nx.NewOption.
	NewOption interface{ newOption(*newOptions) }
	// AxisOption is nx.AxisOption.
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
	// ReduceOption is nx.ReduceOption.
	ReduceOption interface {
		reduceOption(*reduceOptions)
		VarOption
	}
	// VarOption is nx.VarOption.
	VarOption interface{ varianceOption(*reduceOptions) }
)

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
func (axesOption) label() string                   { return "nx.Axis" }

// keepOption is the type of [KeepAxes].
type keepOption bool

// KeepAxes is nx.KeepAxes.
const KeepAxes keepOption = true

func (o keepOption) reduceOption(r *reduceOptions) { r.keep = bool(o) }
func (keepOption) label() string                   { return "nx.KeepAxes" }

// skipNaNOption is the type of [SkipNaN].
type skipNaNOption bool

// SkipNaN is nx.SkipNaN.
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
func (dtypeOption) label() string                   { return "nx.As" }

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

// GivenIn returns the type of the result that options of a reduction give, Invalid if they give none, and
// whether NaN is skipped.
func GivenIn(opts []ReduceOption) (as DType, skipNaN bool) {
	var r reduceOptions
	for _, o := range opts {
		if o != nil {
			o.reduceOption(&r)
		}
	}
	return r.dtype, r.skip
}

// An option has a label if its name in messages is not that of its function or constant.
type labelled interface{ label() string }

// An option has a rule if two values of its type may stand in one list: they add up, or are of two kinds.
type repeatable interface{ contradicts(other any) bool }

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

// optionName returns the name of an option in a program, or its label.
func optionName(x any) string {
	if l, ok := x.(labelled); ok {
		return l.label()
	}
	name := strings.TrimSuffix(reflect.TypeOf(x).Name(), "Option")
	return "nx." + strings.ToUpper(name[:1]) + name[1:]
}

func contradict(x, y any) bool {
	if reflect.TypeOf(x) != reflect.TypeOf(y) {
		return false
	}
	if r, ok := x.(repeatable); ok {
		return r.contradicts(y)
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
		fail(ErrArgument, op, "give the type once, as the argument", "the element type is %s and, by nx.As, %s", d,
			o.dtype)
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

// readAxes returns the positions of the axes that the options give, in that
// order, and whether they give any.
func readAxes(op string, t Tensor, opts []AxisOption) ([]int, bool) {
	o := readAxisOptions(op, opts)
	return axisIndices(op, t, o.axes), o.set
}

// oneAxis returns the axis of an op along one axis, def when none is given.
func oneAxis(op string, t Tensor, opts []AxisOption, def int) int {
	return axisFrom(op, t, readAxisOptions(op, opts), def)
}

func axisFrom(op string, t Tensor, o axisOptions, def int) int {
	if !o.set {
		return axisIndex(op, t, axisRef{i: def})
	}
	if len(o.axes) != 1 {
		failOn(ErrAxis, op, []Tensor{t}, "", "works along one axis, %d are given", len(o.axes))
	}
	return axisIndex(op, t, o.axes[0])
}

// AssociativeScanOption is nx.AssociativeScanOption.
type AssociativeScanOption interface {
	associativeOption(*associativeOptions)
}

type associativeOptions struct {
	reversed bool
	axis     *axisRef
}

// CumulativeOption is nx.CumulativeOption.
type CumulativeOption interface{ cumulativeOption(*cumulativeOptions) }

type cumulativeOptions struct {
	axisOptions
	reversed, skip bool
	dtype          DType
}

// OnOption is nx.OnOption.
type OnOption interface {
	JitOption
	LoadOption
	on() backend.Client
}

func (o onOption) on() backend.Client { return o.client }

// onOption is the option made by [On].
type onOption struct{ client backend.Client }

// On implements nx.On.
func On(c backend.Client) OnOption { return onOption{c} }

func (o onOption) jitOption(j *jitOptions) { j.client = o.client }

// FFTOption is fft.Option.
type FFTOption interface{ fftOption(*fftOptions) }

type fftOptions struct {
	axisOptions
	lengths []int
}

// JitOption is nx.JitOption.
type JitOption interface{ jitOption(*jitOptions) }

type jitOptions struct {
	donate   []int
	client   backend.Client
	evaluate bool
	checkNaN bool
	keep     int  // how many compiled forms
	distinct bool // the function is another one each time, though its code is the same
}

// LoadOption is nx.LoadOption.
type LoadOption interface{ loadOption(*loadOptions) }

type loadOptions struct {
	weights []string
	names   map[string]string
	bind    map[string]Tensor
	donate  []string
	free    []string // patterns of weights that are arguments
	buckets []bucketsOption
	client  backend.Client
	fsys    fs.FS // of all files, nil for that of the operating system
}

func (o onOption) loadOption(l *loadOptions) { l.client = o.client }

// CastOption is nx.CastOption.
type CastOption interface{ castOption(*castAttrs) }

// LoadTensorsOption is nx.LoadTensorsOption.
type LoadTensorsOption interface{ loadTensorsOption(*loadTensorsOptions) }

type loadTensorsOptions struct {
	rename  func(name string) string
	partial bool
}

// SearchOption is nx.SearchOption.
type SearchOption interface{ searchOption(*searchOptions) }

type searchOptions struct {
	right bool
	dtype DType
}

// SortOption is nx.SortOption.
type SortOption interface{ sortOption(*sortOptions) }

type sortOptions struct {
	axisOptions
	descending bool
	dtype      DType
}

// CovOption is nx.CovOption.
type CovOption interface{ covarianceOption(*covarianceOptions) }

type covarianceOptions struct {
	ddof int
	mean Tensor
}

// TakeOption is nx.TakeOption.
type TakeOption interface{ takeOption(*takeOptions) }

type takeOptions struct {
	axisOptions
	outside outsideOption
}

// outsideOption says what an index beyond the axis means.
type outsideOption uint8
