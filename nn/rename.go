package nn

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// LoadOption is an option of [LoadWeights].
type LoadOption interface{ load(*loadOptions) }

type loadOptions struct {
	rules   []rule
	tied    [][2]string
	partial bool
	convert bool

	quantized bool
}

// ArrayOption is an option of [Rename]: what becomes of an array on the way.
type ArrayOption interface{ array(*rule) }

type (
	partialOption bool
	convertOption bool

	quantizedOption bool
	tiedOption      [2]string
	transposed      bool
	permutedOption  []int
	groupedOption   int
	pairsOption     int
)

const (
	// Partial loads what both the file and the model have; without it each tensor needs an array, each array a
	// tensor.
	Partial partialOption = true
	// Convert rounds arrays of floats to the types of the model's tensors; without it another type is an error.
	Convert convertOption = true
	// Quantized keeps weights that a file has in blocks of integers with a scale, Q8_0 and Q4_0 of .gguf, in layers
	// that can be quantised; without it they become floats.
	Quantized quantizedOption = true
	// Transposed swaps the last two axes of arrays that have two at least: weights [in, out] of GPT-2, Flax and Keras.
	Transposed transposed = true
)

// Tied takes the array of a tensor from that of another one where the file has none for it, as files leave out one of
// two tied weights: Tied("lm_head.weight", "wte.weight"). Both are names of the model in a state_dict. A missing
// lm_head.weight needs no such option where the file has one embedding of its shape.
func Tied(name, as string) LoadOption { return tiedOption{name, as} }

// PermuteAxes gives an array the axes in another order: PermuteAxes(3, 2, 0, 1) makes a kernel [h, w, in, out] of Flax
// or Keras one of a [Conv]. Arrays with another number of axes stay as they are.
func PermuteAxes(axes ...int) ArrayOption { return permutedOption(axes) }

// Grouped reorders rows that lie by heads, each with its parts, by parts, each with its heads, so that a list in to
// cuts them: the rows [heads, parts, d] of GPT-NeoX's query_key_value become [parts, heads, d].
//
//	nn.Rename("layers.{n}.qkv", "layers.{n}.{q,k,v}", nn.Grouped(heads))
func Grouped(heads int) ArrayOption { return groupedOption(heads) }

// Paired reorders the rows of each head, which lie in pairs [d/2, 2], by the halves [2, d/2] that a rotation of halves
// takes: the rows of queries and keys in GGUF files of Llama, and in those of Meta.
//
//	nn.Rename("blk.{n}.attn_q", "layers.{n}.self_attn.q_proj", nn.Paired(heads))
func Paired(heads int) ArrayOption { return pairsOption(heads) }

func (o partialOption) load(l *loadOptions)   { l.partial = bool(o) }
func (o convertOption) load(l *loadOptions)   { l.convert = bool(o) }
func (o quantizedOption) load(l *loadOptions) { l.quantized = bool(o) }
func (o tiedOption) load(l *loadOptions)      { l.tied = append(l.tied, o) }
func (o transposed) array(r *rule)            { r.swap = bool(o) }
func (o permutedOption) array(r *rule)        { r.axes = o }
func (o groupedOption) array(r *rule)         { r.heads = int(o) }
func (o pairsOption) array(r *rule)           { r.pairs = int(o) }
func (o rule) load(l *loadOptions)            { l.rules = append(l.rules, o) }

// rule gives arrays other names.
type rule struct {
	from  *regexp.Regexp
	to    []string // templates of package regexp; none leaves arrays out
	joins []string // the parts of a list in from
	swap  bool
	axes  []int
	heads int // of grouped rows
	pairs int // heads whose rows lie in pairs
}

// placeholder is {n}, {n...} or a list {a,b}.
var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// placeholderName is what a placeholder may be called.
var placeholderName = regexp.MustCompile(`^[A-Za-z]\w*$`)

// Rename gives arrays whose names are of the form from the names of the form to, which a model's tensors have in a
// state_dict ([StateNames]). In from {n} stands for one word between dots, and {n...} for several; in to they stand
// for the same. A form also is that of all names below it. An empty to leaves arrays out. A list in to cuts an array
// along its first axis into parts for several tensors: as many rows as each has. A list in from joins several arrays
// along their first axes, in its order, for one tensor.
//
//	nn.Rename("transformer.{rest...}", "{rest...}")
//	nn.Rename("h.{n}.attn.c_attn", "blocks.{n}.attn.{q_proj,k_proj,v_proj}", nn.Transposed)
//	nn.Rename("layers.{n}.self_attn.{q,k,v}_proj.weight", "layers.{n}.self_attn.in_proj_weight")
//	nn.Rename("optimizer", "")
//
// Rules are applied in order, each to the result of those before. Arrays are transposed before they are cut or joined.
// Those that are joined must have one type and, but for the first axis, one shape, and the file must have all of the
// list, or none.
//
// Errors: [nx.ErrArgument] for a placeholder that from does not have, and for a second list.
func Rename(from, to string, how ...ArrayOption) LoadOption {
	bad := func(format string, args ...any) {
		panic(diag.New(nx.ErrArgument, "Rename", `a rule is like nn.Rename("h.{n}", "blocks.{n}")`, format, args...))
	}
	r := rule{}
	known := map[string]bool{}
	var re strings.Builder
	rest := from
	for rest != "" {
		at := placeholder.FindStringIndex(rest)
		if at == nil {
			break
		}
		re.WriteString(regexp.QuoteMeta(rest[:at[0]]))
		name, many := strings.CutSuffix(rest[at[0]+1:at[1]-1], "...")
		if strings.Contains(name, ",") {
			if r.joins != nil || to == "" {
				bad("a form has one list, and a name that it gives, got %q and %q", from, to)
			}
			quoted := []string{}
			for _, part := range strings.Split(name, ",") {
				r.joins = append(r.joins, strings.TrimSpace(part))
				quoted = append(quoted, regexp.QuoteMeta(strings.TrimSpace(part)))
			}
			fmt.Fprintf(&re, `(?P<_part>%s)`, strings.Join(quoted, "|"))
			rest = rest[at[1]:]
			continue
		}
		if !placeholderName.MatchString(name) || known[name] {
			bad("%q in %q must be a name between braces, once", rest[at[0]:at[1]], from)
		}
		known[name] = true
		if many {
			fmt.Fprintf(&re, `(?P<%s>.+)`, name)
		} else {
			fmt.Fprintf(&re, `(?P<%s>[^.]+)`, name)
		}
		rest = rest[at[1]:]
	}
	if from == "" {
		bad("the form of the names is empty")
	}
	r.from = regexp.MustCompile(`^` + re.String() + regexp.QuoteMeta(rest) + `(?P<_below>|\..*)$`)
	for _, o := range how {
		if o != nil {
			o.array(&r)
		}
	}
	if to == "" {
		return r
	}
	// The template, with a hole for the list.
	var parts []string
	template := placeholder.ReplaceAllStringFunc(strings.ReplaceAll(to, "$", "$$"), func(p string) string {
		name := strings.TrimSuffix(p[1:len(p)-1], "...")
		switch {
		case known[name]:
			return "${" + name + "}"
		case strings.Contains(name, ",") && parts == nil && r.joins == nil:
			parts = strings.Split(name, ",")
			return "\x00"
		case strings.Contains(name, ","):
			bad("there is a second list in %q", to)
		default:
			bad("%q is not in %q", p, from)
		}
		return ""
	})
	if parts == nil {
		parts = []string{""}
	}
	for _, p := range parts {
		r.to = append(r.to, strings.ReplaceAll(template, "\x00", strings.TrimSpace(p))+"${_below}")
	}
	return r
}

// names are the names that a rule gives an array, itself where the rule is for others.
func (r *rule) names(name string) (list []string, ok bool) {
	m := r.from.FindStringSubmatchIndex(name)
	if m == nil {
		return []string{name}, false
	}
	for _, t := range r.to {
		list = append(list, string(r.from.ExpandString(nil, t, name, m)))
	}
	return list, true
}
