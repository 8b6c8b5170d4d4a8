package transformers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/tree"
)

// Network computes a model of a family.
type Network interface {
	Apply(c *nn.Ctx, in Inputs) Outputs
}

// Model is a network with its weights.
type Model struct {
	// Network is a *[Decoder], or another type of this package for other families.
	Network Network
	// Architecture is the name of the class in config.json, such as LlamaForCausalLM, and Type that of the family,
	// such as llama.
	Architecture, Type string
	// Context is the number of positions that the model was made for, 0 where there is none. Limit is the number of
	// those that it has learned, beyond which it cannot go, 0 where positions are computed.
	Context, Limit int
	// Vocabulary is the number of tokens, 0 where it has none.
	Vocabulary int
	// Labels are the names of classes.
	Labels []string
	// Report says where the weights came from.
	Report nn.Report `nx:"-"`
}

// Option is an option of [Open].
type Option interface{ open(*options) }

type options struct {
	dtype    nx.DType
	ignore   []string
	noHead   bool
	bits     int      // of quantised weights, or 0
	stored   nx.DType // of the weights in the files
	quantize []nn.QuantizeOption
}

type dtypeOption nx.DType
type ignoreOption []string
type noHeadOption bool

// DType opens a model with weights of another type than f32, in which it computes too: [nx.BF16] halves the memory
// that a step reads. Norms, angles of positions and softmax are computed in f32; logits are rounded to that type and
// given as f32.
func DType(d nx.DType) Option { return dtypeOption(d) }

// Quantize opens a model with weights of 8 or 4 bits, see [nn.Quantize]: one weight after the other is read and
// quantised, so that the model is never in memory in floats.
func Quantize(bits int, opts ...nn.QuantizeOption) Option { return quantizeOption{bits, opts} }

type quantizeOption struct {
	bits int
	opts []nn.QuantizeOption
}

func (q quantizeOption) open(o *options) { o.bits, o.quantize = q.bits, q.opts }

// Ignore leaves out options of config.json that are not known, such as "quantizer.bits": the results of the model may
// differ from those that its authors mean.
func Ignore(names ...string) Option { return ignoreOption(names) }

// NoHead opens a model of text without its head and pooler, whatever its architecture says, and whether or not the
// file has their weights. Many encoders of texts are stored with the architecture of a masked language model, but
// without the weights of its head.
const NoHead noHeadOption = true

func (d dtypeOption) open(o *options)  { o.dtype = nx.DType(d) }
func (n noHeadOption) open(o *options) { o.noHead = bool(n) }
func (n ignoreOption) open(o *options) { o.ignore = append(o.ignore, n...) }

// built is what a family makes of a configuration: a network of zeros, and how its tensors are named in files.
type built struct {
	network Network
	rules   []nn.LoadOption
	context int
	limit   int // of learned positions
	vocab   int
}

// Open reads a model from a folder as model hubs lay it: config.json, and the weights in model.safetensors or in the
// parts that model.safetensors.index.json names. Weights become f32 unless [DType] says otherwise; those of that type
// stay mapped.
//
// A path of a file is that of a GGUF file of llama.cpp, whose metadata are the configuration: Llama, Mistral, Qwen 2
// and 3, SmolLM3, Gemma 1 to 3 (text), Phi-3 and GPT-2, with tensors of floats or of blocks as package encoding/gguf
// reads them. Weights of Q8_0 and Q4_0 stay as they are, other blocks become floats.
//
// Errors name the file and what is wrong: an architecture, an option or an activation that is not known, a field of
// another type, weights that are missing, superfluous or of another shape. Options: [DType], [Quantize], [Ignore],
// [NoHead].
func Open(path string, opts ...Option) (m *Model, err error) {
	defer nx.Catch(&err)
	o := options{dtype: nx.F32, stored: nx.F32}
	for _, opt := range opts {
		if opt != nil {
			opt.open(&o)
		}
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return openGGUF(path, o)
	}
	file := filepath.Join(path, "config.json")
	c, err := readConfig(file)
	if err != nil {
		return nil, err
	}
	o.stored = c.storedType()
	m = &Model{}
	b, err := m.build(c, o)
	if err != nil {
		return nil, err
	}
	weights := filepath.Join(path, "model.safetensors")
	if index := weights + ".index.json"; !exists(weights) && exists(index) {
		weights = index
	}
	return m, m.load(weights, file, b.rules, o)
}

// build makes the network of a configuration.
func (m *Model) build(c *config, o options) (b built, err error) {
	m.Type = c.text("", "model_type")
	f, ok := families[m.Type]
	if *c.err == nil && !ok {
		c.fail("the model type %q is not known; known are %s", m.Type, strings.Join(known(), ", "))
	}
	names := c.texts("architectures")
	if len(names) > 0 {
		m.Architecture = names[0]
	}
	h, ok := f.heads[m.Architecture]
	if *c.err == nil && !ok {
		c.fail("the architecture %q of the model type %q is not known", m.Architecture, m.Type)
	}
	if o.noHead && h >= headConditional {
		c.fail("NoHead is for decoders and for encoders of text, %s is neither", m.Architecture)
	}
	if *c.err != nil {
		return b, *c.err
	}
	if o.noHead {
		h = headNone
	}
	b = f.network(c, h)
	if o.noHead {
		if e, ok := b.network.(*Encoder); ok {
			e.Pooler = nil
		}
		b.rules = append(b.rules, nn.Rename("head", ""), nn.Rename("pooler", ""))
	}
	m.Labels = c.labels()
	if *c.err == nil {
		c.unknown(o.ignore)
	}
	if *c.err != nil {
		return b, *c.err
	}
	m.Network, m.Context, m.Limit, m.Vocabulary = b.network, b.context, b.limit, b.vocab
	return b, nil
}

// labels are the names of classes, id2label.
func (c *config) labels() (list []string) {
	o := c.object("id2label")
	if o == nil {
		return nil
	}
	for i := range len(o.fields) {
		list = append(list, o.text("", fmt.Sprint(i)))
	}
	return list
}

// load reads the weights of a file; config is where their sizes come from.
func (m *Model) load(file, config string, rules []nn.LoadOption, o options) error {
	has := map[string]bool{}
	for path := range tree.Leaves(m.Network) {
		has[path] = true
	}
	opened := o.dtype
	if o.bits > 0 { // weights stay mapped until they are quantised
		opened = o.stored
	}
	m.Network = tree.Map(func(t nx.Tensor) nx.Tensor {
		if t.IsZero() || !t.DType().IsFloat() {
			return t
		}
		return nx.Zeros(t.Shape(), opened)
	}, m.Network)
	report, err := nn.LoadWeights(&m.Network, file, append(slices.Clone(rules), nn.Convert, nn.Quantized)...)
	m.Report = report
	if err != nil {
		return err
	}
	quantized := map[string]bool{} // layers whose weights the file has as integers
	for path, t := range tree.Leaves(m.Network) {
		if layer, ok := strings.CutSuffix(path, ".Weight"); ok && !t.DType().IsFloat() {
			quantized[layer] = true
		}
	}
	for _, a := range report.Loaded {
		if layer, isScale := strings.CutSuffix(a.Path, ".Scale"); isScale && quantized[layer] {
			continue
		}
		if !has[a.Path] {
			return fmt.Errorf("%s: the array %.120q is superfluous: by %s the model has no such weight", file, a.Array,
				config)
		}
	}
	if o.bits > 0 {
		return m.quantize(file, o)
	}
	return nil
}

// quantize quantises the weights of a model, and gives the others the type of the options.
func (m *Model) quantize(file string, o options) (err error) {
	if m.Network, err = nn.Quantize(m.Network, o.bits, o.quantize...); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	m.Network = tree.MapLeaves(func(path string, t nx.Tensor) nx.Tensor {
		if t.IsZero() || !t.DType().IsFloat() || strings.HasSuffix(path, ".Scale") {
			return t
		}
		return nx.Cast(t, o.dtype)
	}, m.Network)
	return nil
}

// storedType is the type of the weights in the files, f32 where config.json does not say.
func (c *config) storedType() nx.DType {
	v, _ := c.get("dtype", "torch_dtype")
	switch v {
	case "bfloat16":
		return nx.BF16
	case "float16":
		return nx.F16
	}
	return nx.F32
}

// known are the model types, sorted.
func known() (list []string) {
	for name := range families {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
