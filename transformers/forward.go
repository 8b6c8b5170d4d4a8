package transformers

import (
	"errors"
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// compiled computes networks, compiled for each shape of their inputs.
var compiled = nx.Jit(apply)

func apply(n Network, in Inputs) Outputs { return n.Apply(&nn.Ctx{Model: n}, in) }

// Forward computes the outputs of a model. It is compiled for each shape of the inputs; Network.Apply is the function
// to call in one that is compiled or differentiated.
//
// Errors: inputs that the model needs are absent or have another shape, tokens that it has not, more positions than it
// was made for where it learned them.
func (m *Model) Forward(in Inputs) (out Outputs, err error) {
	defer nx.Catch(&err)
	for _, x := range []struct {
		name string
		ids  nx.Tensor
	}{{"InputIDs", in.InputIDs}, {"DecoderInputIDs", in.DecoderInputIDs}} {
		if x.ids.IsZero() {
			continue
		}
		if x.ids.Rank() != 2 || !x.ids.DType().IsInteger() {
			return out, fmt.Errorf("transformers: %s must be integers [batch, time], got %s %v", x.name, x.ids.DType(),
				x.ids.Shape())
		}
		if n := x.ids.Shape()[1]; m.Limit > 0 && n > m.Limit {
			return out, fmt.Errorf("transformers: %s has %d positions, the model has %d", x.name, n, m.Limit)
		}
		for _, id := range nx.Data[int64](x.ids) {
			if id < 0 || id >= int64(m.Vocabulary) {
				return out, fmt.Errorf("transformers: %s has the token %d, the vocabulary has %d", x.name, id,
					m.Vocabulary)
			}
		}
	}
	if n, ok := m.Network.(interface{ missing(in Inputs) string }); ok {
		if name := n.missing(in); name != "" {
			return out, fmt.Errorf("transformers: the input %s is missing", name)
		}
	} else if in.InputIDs.IsZero() {
		return out, errors.New("transformers: the input InputIDs is missing")
	}
	return compiled(m.Network, in), nil
}
