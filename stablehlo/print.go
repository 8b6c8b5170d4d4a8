package stablehlo

func (t Scalar) String() string              { return "" }
func (IndexType) String() string             { return "" }
func (t *QuantType) String() string          { return "" }
func (t *TensorType) String() string         { return "" }
func (t *UnrankedTensorType) String() string { return "" }
func (TokenType) String() string             { return "" }
func (t *TupleType) String() string          { return "" }
func (t *BufferType) String() string         { return "" }
func (t *FutureType) String() string         { return "" }
func (t *FuncType) String() string           { return "" }
func (NoneType) String() string              { return "" }
func (t OtherType) String() string           { return "" }

func (a IntAttr) String() string               { return "" }
func (a FloatAttr) String() string             { return "" }
func (a BoolAttr) String() string              { return "" }
func (a StringAttr) String() string            { return "" }
func (a UnitAttr) String() string              { return "" }
func (a TypeAttr) String() string              { return "" }
func (a SymbolAttr) String() string            { return "" }
func (a ArrayAttr) String() string             { return "" }
func (a DictAttr) String() string              { return "" }
func (a IntsAttr) String() string              { return "" }
func (a FloatsAttr) String() string            { return "" }
func (a *ElementsAttr) String() string         { return "" }
func (a EnumAttr) String() string              { return "" }
func (a OpaqueAttr) String() string            { return "" }
func (a LocationAttr) String() string          { return "" }
func (a *DotDims) String() string              { return "" }
func (a *GatherDims) String() string           { return "" }
func (a *ScatterDims) String() string          { return "" }
func (a *ConvDims) String() string             { return "" }
func (a *DotAlgorithm) String() string         { return "" }
func (a *RaggedDotDims) String() string        { return "" }
func (a *ChannelHandle) String() string        { return "" }
func (a *OutputOperandAlias) String() string   { return "" }
func (a *ResultAccuracy) String() string       { return "" }
func (a *AxisRef) String() string              { return "" }
func (a *MeshAxis) String() string             { return "" }
func (a *Mesh) String() string                 { return "" }
func (a *ReplicaGroupMeshAxes) String() string { return "" }
