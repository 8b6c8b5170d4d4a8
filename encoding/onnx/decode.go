package onnx

import "fmt"

// Decode reads a model. Its tensors refer to b, which must not change.
func Decode(b []byte) (*Model, error) {
	d := &decoder{all: b}
	m, err := d.model(b)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	return m, nil
}

// DecodeTensor reads a file with one TensorProto, as those of the tests of ONNX. The tensor refers to b.
func DecodeTensor(b []byte) (*Tensor, error) {
	d := &decoder{all: b}
	t, err := d.tensor(b)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	return t, nil
}

// list appends a message to a list of them.
func list[T any](to *[]*T, f field, read func(b []byte) (*T, error)) error {
	b, err := f.data()
	if err != nil {
		return err
	}
	v, err := read(b)
	if err == nil {
		*to = append(*to, v)
	}
	return err
}

// one reads a message; of several the last one counts.
func one[T any](to **T, f field, read func(b []byte) (*T, error)) error {
	b, err := f.data()
	if err != nil {
		return err
	}
	v, err := read(b)
	if err == nil {
		*to = v
	}
	return err
}

// text sets a string.
func text(to *string, f field) error {
	v, err := f.text()
	return set(to, v, err)
}

// texts appends a string.
func texts(to *[]string, f field) error {
	v, err := f.text()
	if err == nil {
		*to = append(*to, v)
	}
	return err
}

// number sets an integer.
func number[T ~int32 | ~int64](to *T, f field) error {
	v, err := f.int()
	return set(to, T(v), err)
}

func (d *decoder) model(b []byte) (*Model, error) {
	m := &Model{}
	err := d.message("ModelProto", b, func(f field) error {
		switch f.number {
		case 1:
			return number(&m.IRVersion, f)
		case 2:
			return text(&m.Producer, f)
		case 3:
			return text(&m.ProducerVersion, f)
		case 4:
			return text(&m.Domain, f)
		case 5:
			return number(&m.Version, f)
		case 6:
			return text(&m.Doc, f)
		case 7:
			return one(&m.Graph, f, d.graph)
		case 8:
			return d.opset(&m.Opsets, f)
		case 14:
			return d.pair(&m.Metadata, f)
		case 20:
			m.TrainingInfo++
		case 25:
			return list(&m.Functions, f, d.function)
		}
		return nil
	})
	return m, err
}

func (d *decoder) opset(to *[]Opset, f field) error {
	b, err := f.data()
	if err != nil {
		return err
	}
	var o Opset
	err = d.message("OperatorSetIdProto", b, func(f field) error {
		switch f.number {
		case 1:
			return text(&o.Domain, f)
		case 2:
			return number(&o.Version, f)
		}
		return nil
	})
	*to = append(*to, o)
	return err
}

// pair adds a StringStringEntryProto to a map.
func (d *decoder) pair(to *map[string]string, f field) error {
	b, err := f.data()
	if err != nil {
		return err
	}
	var k, v string
	err = d.message("StringStringEntryProto", b, func(f field) error {
		switch f.number {
		case 1:
			return text(&k, f)
		case 2:
			return text(&v, f)
		}
		return nil
	})
	if *to == nil {
		*to = map[string]string{}
	}
	(*to)[k] = v
	return err
}

func (d *decoder) graph(b []byte) (*Graph, error) {
	g := &Graph{}
	err := d.message("GraphProto", b, func(f field) error {
		switch f.number {
		case 1:
			return list(&g.Nodes, f, d.node)
		case 2:
			return text(&g.Name, f)
		case 5:
			return list(&g.Initializers, f, d.tensor)
		case 10:
			return text(&g.Doc, f)
		case 11:
			return list(&g.Inputs, f, d.value)
		case 12:
			return list(&g.Outputs, f, d.value)
		case 13:
			return list(&g.Values, f, d.value)
		case 15:
			return list(&g.Sparse, f, d.sparse)
		}
		return nil
	})
	return g, err
}

func (d *decoder) node(b []byte) (*Node, error) {
	n := &Node{}
	err := d.message("NodeProto", b, func(f field) error {
		switch f.number {
		case 1:
			return texts(&n.Inputs, f)
		case 2:
			return texts(&n.Outputs, f)
		case 3:
			return text(&n.Name, f)
		case 4:
			return text(&n.OpType, f)
		case 5:
			return list(&n.Attributes, f, d.attribute)
		case 6:
			return text(&n.Doc, f)
		case 7:
			return text(&n.Domain, f)
		case 8:
			return text(&n.Overload, f)
		}
		return nil
	})
	return n, err
}

func (d *decoder) attribute(b []byte) (*Attribute, error) {
	a := &Attribute{}
	var floats []byte
	err := d.message("AttributeProto", b, func(f field) (err error) {
		switch f.number {
		case 1:
			return text(&a.Name, f)
		case 2:
			v, err := f.float()
			return set(&a.Float, v, err)
		case 3:
			return number(&a.Int, f)
		case 4:
			v, err := f.data()
			return set(&a.String, v, err)
		case 5:
			return one(&a.Tensor, f, d.tensor)
		case 6:
			return one(&a.Graph, f, d.graph)
		case 7:
			floats, err = f.fixed(floats, 4)
			return err
		case 8:
			a.Ints, err = f.ints(a.Ints)
			return err
		case 9:
			v, err := f.data()
			a.Strings = append(a.Strings, v)
			return err
		case 10:
			return list(&a.Tensors, f, d.tensor)
		case 11:
			return list(&a.Graphs, f, d.graph)
		case 14:
			return one(&a.ValueType, f, d.typ)
		case 15:
			return list(&a.ValueTypes, f, d.typ)
		case 20:
			return number(&a.Type, f)
		case 21:
			return text(&a.Ref, f)
		case 22:
			return one(&a.Sparse, f, d.sparse)
		case 23:
			return list(&a.SparseTensors, f, d.sparse)
		}
		return nil
	})
	a.Floats = float32s(floats)
	return a, err
}

func (d *decoder) function(b []byte) (*Function, error) {
	fn := &Function{}
	err := d.message("FunctionProto", b, func(f field) error {
		switch f.number {
		case 1:
			return text(&fn.Name, f)
		case 4:
			return texts(&fn.Inputs, f)
		case 5:
			return texts(&fn.Outputs, f)
		case 6:
			return texts(&fn.Required, f)
		case 7:
			return list(&fn.Nodes, f, d.node)
		case 8:
			return text(&fn.Doc, f)
		case 9:
			return d.opset(&fn.Opsets, f)
		case 10:
			return text(&fn.Domain, f)
		case 11:
			return list(&fn.Defaults, f, d.attribute)
		case 12:
			return list(&fn.Values, f, d.value)
		case 13:
			return text(&fn.Overload, f)
		}
		return nil
	})
	return fn, err
}

func (d *decoder) value(b []byte) (*Value, error) {
	v := &Value{}
	err := d.message("ValueInfoProto", b, func(f field) error {
		switch f.number {
		case 1:
			return text(&v.Name, f)
		case 2:
			return one(&v.Type, f, d.typ)
		case 3:
			return text(&v.Doc, f)
		}
		return nil
	})
	return v, err
}

func (d *decoder) typ(b []byte) (*Type, error) {
	t := &Type{}
	err := d.message("TypeProto", b, func(f field) error {
		switch f.number {
		case 1:
			return one(&t.Tensor, f, d.tensorShape)
		case 4:
			return one(&t.Sequence, f, d.elemType)
		case 5:
			return one(&t.Map, f, d.mapType)
		case 7:
			return d.opaque(&t.Opaque, f)
		case 8:
			return one(&t.Sparse, f, d.tensorShape)
		case 9:
			return one(&t.Optional, f, d.elemType)
		}
		return nil
	})
	return t, err
}

// elemType reads the type of the elements of a sequence, or of an optional value.
func (d *decoder) elemType(b []byte) (t *Type, err error) {
	t = &Type{}
	err = d.message("TypeProto.Sequence", b, func(f field) error {
		if f.number == 1 {
			return one(&t, f, d.typ)
		}
		return nil
	})
	return t, err
}

func (d *decoder) mapType(b []byte) (*MapType, error) {
	m := &MapType{}
	err := d.message("TypeProto.Map", b, func(f field) error {
		switch f.number {
		case 1:
			return number(&m.Key, f)
		case 2:
			return one(&m.Value, f, d.typ)
		}
		return nil
	})
	return m, err
}

func (d *decoder) opaque(to *string, f field) error {
	b, err := f.data()
	if err != nil {
		return err
	}
	var domain, name string
	err = d.message("TypeProto.Opaque", b, func(f field) error {
		switch f.number {
		case 1:
			return text(&domain, f)
		case 2:
			return text(&name, f)
		}
		return nil
	})
	*to = domain + "." + name
	return err
}

func (d *decoder) tensorShape(b []byte) (*TensorShape, error) {
	t := &TensorShape{}
	err := d.message("TypeProto.Tensor", b, func(f field) error {
		switch f.number {
		case 1:
			return number(&t.Elem, f)
		case 2:
			b, err := f.data()
			if err != nil {
				return err
			}
			t.HasShape, t.Dims = true, nil
			return d.message("TensorShapeProto", b, func(f field) error {
				if f.number != 1 {
					return nil
				}
				b, err := f.data()
				if err != nil {
					return err
				}
				dim := Dim{Size: -1}
				err = d.message("TensorShapeProto.Dimension", b, func(f field) error {
					switch f.number {
					case 1:
						return number(&dim.Size, f)
					case 2:
						return text(&dim.Param, f)
					}
					return nil
				})
				if dim.Size < 0 { // some exporters write -1
					dim.Size = -1
				}
				t.Dims = append(t.Dims, dim)
				return err
			})
		}
		return nil
	})
	return t, err
}

func (d *decoder) sparse(b []byte) (*SparseTensor, error) {
	t := &SparseTensor{}
	err := d.message("SparseTensorProto", b, func(f field) (err error) {
		switch f.number {
		case 1:
			return one(&t.Values, f, d.tensor)
		case 2:
			return one(&t.Indices, f, d.tensor)
		case 3:
			t.Dims, err = f.ints(t.Dims)
		}
		return err
	})
	return t, err
}

func (d *decoder) tensor(b []byte) (*Tensor, error) {
	t := &Tensor{}
	err := d.message("TensorProto", b, func(f field) (err error) {
		switch f.number {
		case 1:
			t.Dims, err = f.ints(t.Dims)
			return err
		case 2:
			return number(&t.Type, f)
		case 3:
			return fmt.Errorf("tensor %q is divided into segments, which ONNX does not define", t.Name)
		case 4:
			t.floats, err = f.fixed(t.floats, 4)
			return err
		case 5, 7:
			t.ints, err = f.ints(t.ints)
			return err
		case 6:
			s, err := f.data()
			t.Strings = append(t.Strings, s)
			return err
		case 8:
			return text(&t.Name, f)
		case 9:
			v, err := f.data()
			t.hasRaw = true
			return set(&t.raw, v, err)
		case 10:
			t.doubles, err = f.fixed(t.doubles, 8)
			return err
		case 11:
			t.ints, err = f.ints(t.ints)
			return err
		case 13:
			return d.pair(&t.external, f)
		case 14:
			return number(&t.location, f)
		}
		return nil
	})
	return t, err
}
