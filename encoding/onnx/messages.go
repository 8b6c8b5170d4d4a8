package onnx

// Model is a ModelProto.
type Model struct {
	IRVersion       int64
	Opsets          []Opset
	Producer        string
	ProducerVersion string
	Domain          string
	Version         int64
	Doc             string
	Graph           *Graph // nil if the file has none
	Functions       []*Function
	Metadata        map[string]string
	TrainingInfo    int // the number of them, which are not read
}

// Opset is the version of the ops of a domain; "" and "ai.onnx" are the default one.
type Opset struct {
	Domain  string
	Version int64
}

// Graph is a GraphProto: of a model, or of an attribute of a node such as If.
type Graph struct {
	Name         string
	Nodes        []*Node
	Initializers []*Tensor
	Sparse       []*SparseTensor // initializers too
	Inputs       []*Value
	Outputs      []*Value
	Values       []*Value // what the file says of others
	Doc          string
}

// Node is a NodeProto: a call of an op, or of a function.
type Node struct {
	Name, OpType, Domain, Overload string
	Inputs, Outputs                []string // "" is absent
	Attributes                     []*Attribute
	Doc                            string
}

// Attr returns the attribute of a name, or nil.
func (n *Node) Attr(name string) *Attribute {
	for _, a := range n.Attributes {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// AttributeType says which field of an [Attribute] has its value.
type AttributeType int32

// The types of attributes.
const (
	Undefined     AttributeType = 0
	Float         AttributeType = 1
	Int           AttributeType = 2
	String        AttributeType = 3
	TensorType    AttributeType = 4
	GraphType     AttributeType = 5
	Floats        AttributeType = 6
	Ints          AttributeType = 7
	Strings       AttributeType = 8
	Tensors       AttributeType = 9
	Graphs        AttributeType = 10
	SparseType    AttributeType = 11
	SparseTensors AttributeType = 12
	TypeType      AttributeType = 13
	Types         AttributeType = 14
)

// Attribute is an AttributeProto.
type Attribute struct {
	Name string
	// Ref is the name of the attribute of the function whose value it has, or "".
	Ref           string
	Type          AttributeType
	Float         float32
	Int           int64
	String        []byte
	Tensor        *Tensor
	Graph         *Graph
	Sparse        *SparseTensor
	ValueType     *Type
	Floats        []float32
	Ints          []int64
	Strings       [][]byte
	Tensors       []*Tensor
	Graphs        []*Graph
	SparseTensors []*SparseTensor
	ValueTypes    []*Type
}

// Function is a FunctionProto: a graph that nodes call by its name.
type Function struct {
	Name, Domain, Overload string
	Inputs, Outputs        []string
	Required               []string     // attributes without a default
	Defaults               []*Attribute // attributes with one
	Nodes                  []*Node
	Opsets                 []Opset
	Values                 []*Value
	Doc                    string
}

// Value is a ValueInfoProto: the name and type of a value.
type Value struct {
	Name string
	Type *Type // nil if it is not told
	Doc  string
}

// Type is a TypeProto: one of its fields is set, none for an unknown type.
type Type struct {
	Tensor   *TensorShape
	Sparse   *TensorShape
	Sequence *Type
	Optional *Type
	Map      *MapType
	Opaque   string // "domain.name"
}

// MapType is the type of a map.
type MapType struct {
	Key   DataType
	Value *Type
}

// TensorShape is the type of a tensor. Dims are valid if HasShape is set.
type TensorShape struct {
	Elem     DataType
	HasShape bool
	Dims     []Dim
}

// Dim is a size, or the name of one.
type Dim struct {
	Size  int64  // -1 if it is not told
	Param string // "batch", or ""
}

// SparseTensor is a SparseTensorProto: values at indices, all others are 0.
type SparseTensor struct {
	Values, Indices *Tensor
	Dims            []int64
}
