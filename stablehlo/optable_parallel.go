package stablehlo

// What collectives exchange.
var (
	collectiveIn  = []ValueSpec{{"operands", TTensor, Variadic}}
	collectiveOut = []ValueSpec{{"results", TTensor, Variadic}}
)

// parallelOps communicate between processes, or name the own one.
var parallelOps = opRows{
	{OpAllGather, OpInfo{
		Name: "stablehlo.all_gather", Since: Version{0, 9, 0},
		Operands: collectiveIn, Results: collectiveOut,
		Attrs: []AttrSpec{
			{Name: "all_gather_dim", Kind: AttrI64},
			{Name: "channel_handle", Kind: AttrStruct, Enum: "channel_handle", Optional: true},
			{Name: "replica_groups", Kind: AttrGroups},
			{Name: "use_global_device_ids", Kind: AttrUnit, Optional: true, Default: BoolAttr(false)},
		},
		Traits: ShapedByResult | SideEffects,
		Doc:    "The operands of all processes of the group, concatenated along all_gather_dim.",
	}},
	{OpAllReduce, OpInfo{
		Name: "stablehlo.all_reduce", Since: Version{0, 9, 0},
		Operands: collectiveIn, Results: collectiveOut,
		Attrs: []AttrSpec{
			{Name: "channel_handle", Kind: AttrStruct, Enum: "channel_handle", Optional: true},
			{Name: "replica_groups", Kind: AttrGroups},
			{Name: "use_global_device_ids", Kind: AttrUnit, Optional: true, Default: BoolAttr(false)},
		},
		Regions: []RegionSpec{{"computation", One}},
		Traits:  SideEffects,
		Doc:     "The operands of all processes of the group, combined element by element with computation.",
	}},
	{OpAllToAll, OpInfo{
		Name: "stablehlo.all_to_all", Since: Version{0, 9, 0},
		Operands: collectiveIn, Results: collectiveOut,
		Attrs: []AttrSpec{
			{Name: "channel_handle", Kind: AttrStruct, Enum: "channel_handle", Optional: true},
			{Name: "concat_dimension", Kind: AttrI64},
			{Name: "replica_groups", Kind: AttrGroups},
			{Name: "split_count", Kind: AttrI64},
			{Name: "split_dimension", Kind: AttrI64},
		},
		Traits: SideEffects,
		Doc: "Process i of the group gets part i of each process's operand, split along split_dimension, concatenated " +
			"along concat_dimension.",
	}},
	{OpCollectiveBroadcast, OpInfo{
		Name: "stablehlo.collective_broadcast", Since: Version{0, 16, 0},
		Operands: collectiveIn, Results: collectiveOut,
		Attrs: []AttrSpec{
			{Name: "channel_handle", Kind: AttrStruct, Enum: "channel_handle", Optional: true},
			{Name: "has_dynamic_root", Kind: AttrUnit, Optional: true, Default: BoolAttr(false),
				Since: Version{1, 20, 0}},
			{Name: "replica_groups", Kind: AttrGroups},
		},
		Traits: SideEffects,
		Doc:    "The operands of the first process of the group, zeros in a process of no group.",
	}},
	{OpCollectivePermute, OpInfo{
		Name: "stablehlo.collective_permute", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}},
		Results:  tensorOut,
		Attrs: []AttrSpec{
			{Name: "channel_handle", Kind: AttrStruct, Enum: "channel_handle", Optional: true},
			{Name: "source_target_pairs", Kind: AttrIntElems},
		},
		Traits: SideEffects,
		Doc:    "The operand of the process that source_target_pairs names as source of this one, zeros when there is none.",
	}},
	{OpCollectiveReduce, OpInfo{
		Name: "stablehlo.collective_reduce", Since: Version{1, 19, 0},
		Operands: collectiveIn, Results: collectiveOut,
		Attrs: []AttrSpec{
			{Name: "channel_handle", Kind: AttrStruct, Enum: "channel_handle", Optional: true},
			{Name: "has_dynamic_root", Kind: AttrUnit, Optional: true, Default: BoolAttr(false)},
			{Name: "replica_groups", Kind: AttrGroups},
			{Name: "use_global_device_ids", Kind: AttrUnit, Optional: true, Default: BoolAttr(false)},
		},
		Regions: []RegionSpec{{"computation", One}},
		Traits:  SideEffects,
		Doc:     "all_reduce whose result only the first process of the group needs.",
	}},
	{OpCrossReplicaSum, OpInfo{
		Name: "stablehlo.cross-replica-sum", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}},
		Results:  tensorOut,
		Attrs:    []AttrSpec{{Name: "replica_groups", Kind: AttrIntElems}},
		Traits:   SideEffects | SameTypes | NotInSpec,
		Doc:      "The sum of the operands of all processes of the group: all_reduce with add, which took its place.",
	}},
	{OpReduceScatter, OpInfo{
		Name: "stablehlo.reduce_scatter", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}},
		Results:  tensorOut,
		Attrs: []AttrSpec{
			{Name: "channel_handle", Kind: AttrStruct, Enum: "channel_handle", Optional: true},
			{Name: "replica_groups", Kind: AttrGroups},
			{Name: "scatter_dimension", Kind: AttrI64},
			{Name: "use_global_device_ids", Kind: AttrUnit, Optional: true, Default: BoolAttr(false)},
		},
		Regions: []RegionSpec{{"computation", One}},
		Traits:  ShapedByResult | SideEffects,
		Doc:     "all_reduce, of which process i of the group gets part i along scatter_dimension.",
	}},
	{OpInfeed, OpInfo{
		Name: "stablehlo.infeed", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"token", TToken, One}},
		Results:  []ValueSpec{{"results", TTensorAll | TToken | TStatic, Variadic}},
		Attrs: []AttrSpec{
			{Name: "infeed_config", Kind: AttrString, Optional: true, Default: StringAttr("")},
			{Name: "layout", Kind: AttrArray, Optional: true},
		},
		Traits: ShapedByResult | SideEffects,
		Doc:    "The next values of the infeed, and a token.",
	}},
	{OpOutfeed, OpInfo{
		Name: "stablehlo.outfeed", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"inputs", TTensorAll, Variadic}, {"token", TToken, One}},
		Results:  []ValueSpec{{"result", TToken, One}},
		Attrs:    []AttrSpec{{Name: "outfeed_config", Kind: AttrString, Optional: true, Default: StringAttr("")}},
		Traits:   SideEffects,
		Doc:      "Writes inputs to the outfeed.",
	}},
	{OpPartitionId, OpInfo{
		Name: "stablehlo.partition_id", Since: Version{0, 9, 0},
		Results: []ValueSpec{{"result", TUnsigned | T32Bit, One}},
		Doc:     "The partition id of the process.",
	}},
	{OpRecv, OpInfo{
		Name: "stablehlo.recv", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"token", TToken, One}},
		Results:  []ValueSpec{{"results", TTensorAll | TToken | TStatic, Variadic}},
		Attrs: []AttrSpec{
			{Name: "channel_handle", Kind: AttrStruct, Enum: "channel_handle"},
			{Name: "is_host_transfer", Kind: AttrBool, Optional: true, Default: BoolAttr(false)},
			{Name: "source_target_pairs", Kind: AttrIntElems, Optional: true, Since: Version{1, 12, 0}},
		},
		Traits: ShapedByResult | SideEffects,
		Doc:    "Receives values from a channel, and a token.",
	}},
	{OpReplicaId, OpInfo{
		Name: "stablehlo.replica_id", Since: Version{0, 9, 0},
		Results: []ValueSpec{{"result", TUnsigned | T32Bit, One}},
		Doc:     "The replica id of the process.",
	}},
	{OpSend, OpInfo{
		Name: "stablehlo.send", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"inputs", TTensorAll, Variadic}, {"token", TToken, One}},
		Results:  []ValueSpec{{"result", TToken, One}},
		Attrs: []AttrSpec{
			{Name: "channel_handle", Kind: AttrStruct, Enum: "channel_handle"},
			{Name: "is_host_transfer", Kind: AttrBool, Optional: true, Default: BoolAttr(false)},
			{Name: "source_target_pairs", Kind: AttrIntElems, Optional: true, Since: Version{1, 12, 0}},
		},
		Traits: SideEffects,
		Doc:    "Sends inputs to a channel.",
	}},
}
