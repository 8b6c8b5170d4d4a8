package sharding

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// ManualOf reads the attributes of an op sdy.manual_computation; meshes are those of the
// module.
func ManualOf(op *stablehlo.Op, module *stablehlo.Module) (m *Manual, err error) {
	defer catch(&err)
	m = &Manual{}
	m.Ins = perValue(op, "in_shardings", &m.Name)
	m.Outs = perValue(op, "out_shardings", &m.Name)
	t := textOf(op, "manual_axes")
	t.expect("sdy", "<", "manual_axes")
	t.list("{", "}", func() { m.Axes = append(m.Axes, t.str()) })
	m.Mesh, m.Devices = meshNamed(module, m.Name)
	if m.Mesh == nil && m.Name != "" {
		return nil, fmt.Errorf("the module has no mesh @%s", m.Name)
	}
	for _, s := range slices.Concat(m.Ins, m.Outs) {
		for _, a := range slices.Concat(s...) {
			if m.Mesh.Size(a) < 1 {
				return nil, fmt.Errorf("the mesh @%s has no axis %q", m.Name, a)
			}
		}
	}
	if len(m.Ins) != len(op.Operands) || len(m.Outs) != len(op.Results) {
		return nil, fmt.Errorf("got %d shardings for %d operands and %d for %d results", len(m.Ins), len(op.Operands),
			len(m.Outs), len(op.Results))
	}
	return m, nil
}

// meshNamed returns the mesh of a name in a module, or nil.
func meshNamed(module *stablehlo.Module, name string) (m Mesh, devices []int64) {
	for _, x := range module.Body().Ops {
		if x.Code == stablehlo.OpSdyMesh && x.Str("sym_name") == name {
			m, devices = meshOf(x)
		}
	}
	return m, devices
}

// MeshNamed returns the mesh of a name in a module, and the number of the process that each of
// its devices is.
func MeshNamed(module *stablehlo.Module, name string) (m Mesh, devices []int64, err error) {
	defer catch(&err)
	if m, devices = meshNamed(module, name); m == nil {
		err = fmt.Errorf("the module has no mesh @%s", name)
	}
	return m, devices, err
}

// Read reads the attribute sdy.sharding of an argument or a result, and the name of its mesh.
func Read(a stablehlo.Attr) (s Spec, mesh string, err error) {
	defer catch(&err)
	t := textOfAttr(AttrName, a)
	t.expect(AttrName)
	s = t.spec(&mesh)
	return s, mesh, nil
}

// catch makes an error of the panic of a text that cannot be read.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case syntaxError:
		*err = r
	default:
		panic(r)
	}
}

// perValue reads shardings, all of one mesh.
func perValue(op *stablehlo.Op, attr string, mesh *string) (specs []Spec) {
	t := textOf(op, attr)
	t.expect("sdy.sharding_per_value", "<")
	t.list("[", "]", func() { specs = append(specs, t.spec(mesh)) })
	return specs
}

// spec reads <@mesh, [{"x"}, {}], replicated={"y"}>.
func (t *text) spec(mesh *string) Spec {
	t.expect("<", "@")
	name := t.word()
	if *mesh != "" && name != *mesh {
		t.fail("all shardings must use one mesh, got @%s and @%s", *mesh, name)
	}
	*mesh = name
	s := Spec{}
	t.expect(",")
	t.list("[", "]", func() {
		axes := []string{}
		t.list("{", "}", func() {
			if t.accept("?") { // others may be added
				return
			}
			axes = append(axes, t.str())
			if t.accept(":") {
				t.fail("parts of axes are not supported")
			}
		})
		s = append(s, axes)
		if t.accept("p") {
			t.word()
		}
	})
	for t.accept(",") {
		what := t.word()
		t.expect("=")
		t.list("{", "}", func() { t.str() })
		if what != "replicated" {
			t.fail("the sharding %s is not supported", what)
		}
	}
	t.expect(">")
	return s
}

// meshOf reads the attribute of an op sdy.mesh.
func meshOf(op *stablehlo.Op) (m Mesh, devices []int64) {
	t := textOf(op, "mesh")
	t.expect("sdy.mesh", "<")
	m = Mesh{}
	t.list("[", "]", func() {
		name := t.str()
		t.expect("=")
		m = append(m, Axis{name, int(t.integer())})
	})
	n := 1
	for _, a := range m {
		if a.Size < 1 || a.Size > maxDevices/n {
			t.fail("a mesh must have axes of positive sizes and at most %d devices", maxDevices)
		}
		n *= a.Size
	}
	if t.accept(",") {
		t.expect("device_ids", "=")
		t.list("[", "]", func() { devices = append(devices, t.integer()) })
		if sorted := slices.Sorted(slices.Values(devices)); len(sorted) != n || sorted[0] != 0 ||
			sorted[n-1] != int64(n-1) {
			t.fail("device_ids must be a permutation of the %d devices", n)
		}
	}
	if devices == nil {
		for i := range n {
			devices = append(devices, int64(i))
		}
	}
	return m, devices
}

// maxDevices bounds the devices of a mesh.
const maxDevices = 10_000

// text is the unparsed rest of an attribute.
type text struct {
	attr string
	rest string
}

type syntaxError string

func (e syntaxError) Error() string { return string(e) }

func (t *text) fail(format string, args ...any) {
	panic(syntaxError(t.attr + ": " + fmt.Sprintf(format, args...)))
}

func textOf(op *stablehlo.Op, attr string) *text { return textOfAttr(attr, op.Attr(attr)) }

func textOfAttr(name string, a stablehlo.Attr) *text {
	t := &text{attr: name}
	o, ok := a.(stablehlo.OpaqueAttr)
	if !ok {
		t.fail("the attribute must be a sharding of the dialect sdy")
	}
	t.rest = o.Text
	return t
}

func (t *text) accept(token string) bool {
	t.rest = strings.TrimLeft(t.rest, " \t\r\n")
	rest, ok := strings.CutPrefix(t.rest, token)
	if ok {
		t.rest = rest
	}
	return ok
}

func (t *text) expect(tokens ...string) {
	for _, token := range tokens {
		if !t.accept(token) {
			t.fail("want %q at %.20q", token, t.rest)
		}
	}
}

// list reads a list separated by commas.
func (t *text) list(open, end string, item func()) {
	t.expect(open)
	for first := true; !t.accept(end); first = false {
		if !first {
			t.expect(",")
		}
		item()
	}
}

func (t *text) str() string {
	t.accept("") // spaces
	q, err := strconv.QuotedPrefix(t.rest)
	if err != nil {
		t.fail("want a name in quotes at %.20q", t.rest)
	}
	t.rest = t.rest[len(q):]
	s, _ := strconv.Unquote(q) // it is quoted
	return s
}

func (t *text) word() string {
	t.accept("")
	n := strings.IndexFunc(t.rest, func(r rune) bool {
		return !(r == '_' || r == '.' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' ||
			r >= 'A' && r <= 'Z')
	})
	if n < 0 {
		n = len(t.rest)
	}
	w := t.rest[:n]
	t.rest = t.rest[n:]
	return w
}

func (t *text) integer() int64 {
	w := t.word()
	n, err := strconv.ParseInt(w, 10, 64)
	if err != nil {
		t.fail("want a number, got %q", w)
	}
	return n
}
