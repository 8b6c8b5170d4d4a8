package nn_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
)

type gates struct{ Rows []nx.Tensor }

func (g *gates) StateName(path string) string {
	return "row_l" + strings.TrimSuffix(strings.TrimPrefix(path, "Rows["), "]")
}

func TestStateNames(t *testing.T) {
	type block struct {
		QProj *nn.Linear
		Gates gates
	}
	type base struct{ WeightIH, LayerNorm1 nx.Tensor }
	type model struct {
		base
		Blocks []block
		Seq    nn.Seq
		Mean   nn.Buffer             `nn:"running_mean"`
		Inner  struct{ W nx.Tensor } `nn:",inline"`
		Out    map[string]nn.Linear
		Skip   nx.Tensor `nx:"-"`
		BN1    nx.Tensor
	}
	key := random.Key(1)
	m := &model{
		Blocks: []block{{QProj: nn.NewLinear(key, 2, 3), Gates: gates{make([]nx.Tensor, 2)}}},
		Seq:    nn.Seq{nn.Func(nx.Relu), nn.NewLinear(key, 2, 3)},
		Out:    map[string]nn.Linear{"a": {}},
	}
	want := map[string]string{
		"base.WeightIH": "weight_ih", "base.LayerNorm1": "layer_norm1",
		"Blocks[0].QProj.Weight": "blocks.0.q_proj.weight", "Blocks[0].QProj.Bias": "blocks.0.q_proj.bias",
		"Blocks[0].Gates.Rows[0]": "blocks.0.gates.row_l0", "Blocks[0].Gates.Rows[1]": "blocks.0.gates.row_l1",
		"Blocks[0].QProj.Scale": "blocks.0.q_proj.scale", "Seq[1].Scale": "seq.1.scale", "Out[a].Scale": "out.a.scale",
		"Seq[1].Weight": "seq.1.weight", "Seq[1].Bias": "seq.1.bias", "Mean": "running_mean", "Inner.W": "w",
		"Out[a].Weight": "out.a.weight", "Out[a].Bias": "out.a.bias", "BN1": "bn1",
	}
	if got := nn.StateNames(m); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", fmt.Sprint(got))
	}
}
