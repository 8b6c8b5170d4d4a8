package portable_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// TestSharded reads programs with shardings that JAX 0.10.2 wrote, on four devices: the
// same bytes are written, directly and through text.
func TestSharded(t *testing.T) {
	files, err := filepath.Glob("testdata/sharded/*.bc")
	if err != nil || len(files) == 0 {
		t.Fatalf("no artifacts (%v)", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data := readFile(t, file)
			h, err := portable.ReadHeader(file, data)
			if err != nil {
				t.Fatal(err)
			}
			version, err := portable.ParseVersion(strings.TrimPrefix(h.Producer, "StableHLO_v"))
			if err != nil {
				t.Fatal(err)
			}
			m, err := portable.Read(file, data)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Verify(); err != nil {
				t.Error(err)
			}
			if got := written(t, m, portable.WriteOptions{Version: version}); !bytes.Equal(got, data) {
				t.Errorf("other bytes are written, %d instead of %d", len(got), len(data))
			}
			again, err := stablehlo.Parse(file, []byte(located(t, m)))
			if err != nil {
				t.Fatal(err)
			}
			if got := written(t, again, portable.WriteOptions{Version: version}); !bytes.Equal(got, data) {
				t.Errorf("through text other bytes are written, %d instead of %d", len(got), len(data))
			}
		})
	}
}

// TestShardingTexts: an attribute of the sharding dialect is written in its own encoding and read back as the
// same text; another form stays text.
func TestShardingTexts(t *testing.T) {
	for _, c := range []struct{ text, want string }{ // want is "" for the same
		{`#sdy<manual_axes{"x", "y"}>`, ""},
		{`#sdy<manual_axes{}>`, ""},
		{`#sdy.mesh<["x"=2, "y"=4]>`, ""},
		{`#sdy.mesh< [ "x" = 2 ], device_ids = [0, 1] >`, `#sdy.mesh<["x"=2]>`}, // in their order
		{`#sdy.mesh<["x"=2], device_ids=[1, 0]>`, ""},
		{`#sdy.mesh<[], device_ids=[0]>`, ""},
		{`#sdy.mesh<["a \"b"=9223372036854775807, "c"=8]>`, `#sdy.mesh<["a \22b"=9223372036854775807, "c"=8]>`},
		{`#sdy.sharding<@mesh, []>`, ""},
		{`#sdy.sharding<@"a mesh", [{"x", ?}p0, {?}p12, {}], replicated={"y":(1)2}>`, ""},
		{`#sdy.sharding<mesh<["x"=2]>, [{"x"}]>`, ""},
		{`#sdy.sharding<@mesh, [{}], unreduced={"x"}>`, ""},
		{`#sdy.sharding<@mesh, [{}], unreduced=sum{"x"}>`, `#sdy.sharding<@mesh, [{}], unreduced={"x"}>`},
		{`#sdy.sharding<@mesh, [{}], replicated={"y"}, unreduced=max{"x"}>`, ""},
		{`#sdy.sharding<@mesh, [{}], unreduced=min{"x"}>`, ""},
		{`#sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{}], unreduced={"x"}>]>`, ""},
		{`#sdy.op_sharding_rule<([i, jk], [])->([z_12i]) {i=2, j=4, k=3} reduction={k} permutation={i, j}, custom>`, ""},
		{`#sdy<list_of_axis_ref_lists[{"x"}, {}]>`, ""},
		{`#sdy<all_to_all_param_list[{"x"}:0->1, {"y":(2)4}:1->0]>`, ""},
	} {
		m := markedModule(t, c.text)
		data := written(t, m, portable.WriteOptions{})
		if bytes.Contains(data, []byte(c.text)) {
			t.Errorf("%s is written as text", c.text)
		}
		if c.want == "" {
			c.want = c.text
		}
		if got := mark(t, data); got != c.want {
			t.Errorf("%s reads as %s", c.text, got)
		}
	}
	for _, text := range []string{
		`#sdy.mesh<["x"=2]`, `#sdy.mesh<["x"]>`, `#sdy.sharding<@mesh, [{?, "x"}]>`,
		`#sdy.sharding<@mesh, [{"x"}], other={"y"}>`, `#sdy.sharding<@mesh, [{"x"}p-1]>`,
		`#sdy.sharding<@mesh, [{}], unreduced=all{"x"}>`, `#sdy.mesh<["x"=99999999999999999999]>`,
		`#sdy.op_sharding_rule<([a])->([i])>`, `#sdy.new<[1]>`, `#sdy<direction BOTH>`, `#sdy.mesh<"x`,
	} {
		a, err := stablehlo.ParseAttr(text)
		if err != nil {
			continue // nor is it text
		}
		m := markedModule(t, a.String())
		if got := mark(t, written(t, m, portable.WriteOptions{})); got != text {
			t.Errorf("%s reads as %s", text, got)
		}
	}
}

// markedModule is a module with an attribute.
func markedModule(t *testing.T, attr string) *stablehlo.Module {
	t.Helper()
	m, err := stablehlo.Parse("marked", []byte("module attributes {mark = "+attr+"} {}"))
	if err != nil {
		t.Fatalf("%s: %v", attr, err)
	}
	return m
}

func mark(t *testing.T, data []byte) string {
	t.Helper()
	m, err := portable.Read("marked", data)
	if err != nil {
		t.Fatal(err)
	}
	return m.Attr("mark").String()
}
