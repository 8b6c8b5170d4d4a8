package portable

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// oldest is the first version whose artifacts are read and written.
var oldest = stablehlo.Version{Minor: 9}

// older reports whether v came before w.
func older(v, w stablehlo.Version) bool {
	if v.Major != w.Major {
		return v.Major < w.Major
	}
	if v.Minor != w.Minor {
		return v.Minor < w.Minor
	}
	return v.Patch < w.Patch
}

// containerOf returns the version of the bytecode format that goes with a version
// of StableHLO.
func containerOf(v stablehlo.Version) int {
	switch {
	case older(v, stablehlo.Version{Minor: 10}):
		return 0
	case older(v, stablehlo.Version{Minor: 12}):
		return 1
	case older(v, stablehlo.Version{Minor: 14}):
		return 3
	case older(v, stablehlo.Version{Minor: 15}):
		return 4
	}
	return 6
}

// vhloOp is a version of an op: vhlo.gather_v2. A change of an op makes a new
// version; the old one stays in the table with its last release.
type vhloOp struct {
	name        string // without "_v2"
	number      int
	first, last stablehlo.Version // last is zero while the op is current
	attrs       []string          // its attributes, by name; all are required
}

// fullName returns "vhlo.gather_v2".
func (o *vhloOp) fullName() string { return fmt.Sprintf("vhlo.%s_v%d", o.name, o.number) }

// in reports whether the version of StableHLO has this version of the op.
func (o *vhloOp) in(v stablehlo.Version) bool {
	return !older(v, o.first) && (o.last == stablehlo.Version{} || !older(o.last, v))
}

// vhloOps lists the versions of all ops, of one op from the oldest to the current one. A row is the op, its
// number, its first and last release ("-" for the current one) and its attributes; an indented line continues
// the row before (VhloOps.td of StableHLO 1.20).
var vhloOps lazy.Value[vhloTable]

// vhloTable has the versions by the full name, and all versions of an op by its name.
type vhloTable struct {
	byName   map[string]*vhloOp
	versions map[string][]*vhloOp
}

// vhloNamed returns the version of a full name, nil if there is none.
func vhloNamed(full string) *vhloOp { return vhloOps.Get(newVhloTable).byName[full] }

// vhloVersions returns all versions of an op.
func vhloVersions(name string) []*vhloOp { return vhloOps.Get(newVhloTable).versions[name] }

func newVhloTable() vhloTable {
	t := vhloTable{map[string]*vhloOp{}, map[string][]*vhloOp{}}
	for _, o := range parseOps(vhloText) {
		t.byName[o.fullName()] = o
		t.versions[o.name] = append(t.versions[o.name], o)
	}
	return t
}

const vhloText = `
abs 1 0.9 -
add 1 0.9 -
after_all 1 0.9 -
all_gather 1 0.9 1.4 all_gather_dim channel_id replica_groups use_global_device_ids
all_gather 2 1.5 - all_gather_dim channel_id replica_groups use_global_device_ids
all_reduce 1 0.9 1.4 channel_id replica_groups use_global_device_ids
all_reduce 2 1.5 - channel_id replica_groups use_global_device_ids
all_to_all 1 0.9 1.4 channel_id concat_dimension replica_groups split_count split_dimension
all_to_all 2 1.5 - channel_id concat_dimension replica_groups split_count split_dimension
and 1 0.9 -
async_done 1 1.15 -
async_start 1 1.15 -
atan2 1 0.9 -
batch_norm_grad 1 0.9 - epsilon feature_index
batch_norm_inference 1 0.9 - epsilon feature_index
batch_norm_training 1 0.9 - epsilon feature_index
bitcast_convert 1 0.9 -
broadcast 1 0.9 - broadcast_sizes
broadcast_in_dim 1 0.9 - broadcast_dimensions
call 1 0.9 - callee
case 1 0.9 -
cbrt 1 0.9 1.9
cbrt 2 1.10 - result_accuracy
ceil 1 0.9 -
cholesky 1 0.9 - lower
clamp 1 0.9 -
collective_broadcast 1 0.16 1.19 channel_id replica_groups
collective_broadcast 2 1.20 - channel_id has_dynamic_root replica_groups
collective_permute 1 0.9 - channel_id source_target_pairs
collective_reduce 1 1.19 - channel_id has_dynamic_root replica_groups use_global_device_ids
compare 1 0.9 - compare_type comparison_direction
complex 1 0.9 -
composite 1 0.19 1.13 composite_attributes decomposition name version
composite 2 1.14 - composite_attributes decomposition name version
concatenate 1 0.9 - dimension
constant 1 0.9 - value
convert 1 0.9 -
convolution 1 0.9 - batch_group_count feature_group_count input_batch_dimension input_feature_dimension
	input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension
	kernel_spatial_dimensions lhs_dilation output_batch_dimension output_feature_dimension
	output_spatial_dimensions padding precision_config rhs_dilation window_reversal window_strides
cosine 1 0.9 1.9
cosine 2 1.10 - result_accuracy
count_leading_zeros 1 0.9 -
create_token 1 0.9 -
cross-replica-sum 1 0.9 - replica_groups
custom_call 1 0.9 1.17 api_version backend_config call_target_name called_computations has_side_effect
	operand_layouts output_operand_aliases result_layouts
custom_call 2 1.18 - api_version backend_config call_target_name called_computations has_side_effect
	operand_layouts output_operand_aliases result_layouts result_tilings
divide 1 0.9 -
dot 1 0.9 - precision_config
dot_general 1 0.9 1.5 lhs_batching_dimensions lhs_contracting_dimensions precision_config
	rhs_batching_dimensions rhs_contracting_dimensions
dot_general 2 1.6 - accumulation_type allow_imprecise_accumulation lhs_batching_dimensions lhs_component_count
	lhs_contracting_dimensions lhs_precision_type num_primitive_operations precision_config rhs_batching_dimensions
	rhs_component_count rhs_contracting_dimensions rhs_precision_type
dynamic_broadcast_in_dim 1 0.9 - broadcast_dimensions known_expanding_dimensions known_nonexpanding_dimensions
dynamic_conv 1 0.9 0.19 batch_group_count feature_group_count input_batch_dimension input_feature_dimension
	input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension
	kernel_spatial_dimensions lhs_dilation output_batch_dimension output_feature_dimension
	output_spatial_dimensions padding precision_config rhs_dilation window_reversal window_strides
dynamic_conv 2 0.20 - batch_group_count feature_group_count input_batch_dimension input_feature_dimension
	input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension
	kernel_spatial_dimensions lhs_dilation output_batch_dimension output_feature_dimension
	output_spatial_dimensions precision_config rhs_dilation window_reversal window_strides
dynamic_gather 1 0.9 1.0 collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims start_index_map
dynamic_gather 2 1.1 - collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims
	operand_batching_dims start_index_map start_indices_batching_dims
dynamic_iota 1 0.9 - iota_dimension
dynamic_pad 1 0.9 -
dynamic_reshape 1 0.9 -
dynamic_slice 1 0.9 - slice_sizes
dynamic_update_slice 1 0.9 -
einsum 1 0.9 - einsum_config
exponential 1 0.9 1.8
exponential 2 1.9 - result_accuracy
exponential_minus_one 1 0.9 1.9
exponential_minus_one 2 1.10 - result_accuracy
fft 1 0.9 - fft_length fft_type
floor 1 0.9 -
func 1 0.9 - arg_attrs function_type res_attrs sym_name sym_visibility
gather 1 0.9 1.0 collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims slice_sizes
	start_index_map
gather 2 1.1 - collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims
	slice_sizes start_index_map start_indices_batching_dims
get_dimension_size 1 0.9 - dimension
get_tuple_element 1 0.9 - index
if 1 0.9 -
imag 1 0.9 -
infeed 1 0.9 - infeed_config layout
iota 1 0.9 - iota_dimension
is_finite 1 0.9 -
log 1 0.9 1.9
log 2 1.10 - result_accuracy
log_plus_one 1 0.9 1.9
log_plus_one 2 1.10 - result_accuracy
logistic 1 0.9 1.9
logistic 2 1.10 - result_accuracy
map 1 0.9 - dimensions
maximum 1 0.9 -
minimum 1 0.9 -
multiply 1 0.9 -
negate 1 0.9 -
not 1 0.9 -
optimization_barrier 1 0.9 -
or 1 0.9 -
outfeed 1 0.9 - outfeed_config
pad 1 0.9 - edge_padding_high edge_padding_low interior_padding
partition_id 1 0.9 -
popcnt 1 0.9 -
power 1 0.9 -
real 1 0.9 -
real_dynamic_slice 1 0.9 -
recv 1 0.9 1.11 channel_id channel_type is_host_transfer
recv 2 1.12 - channel_id channel_type is_host_transfer source_target_pairs
reduce 1 0.9 - dimensions
reduce_precision 1 0.9 - exponent_bits mantissa_bits
reduce_scatter 1 0.9 - channel_id replica_groups scatter_dimension use_global_device_ids
reduce_window 1 0.9 - base_dilations padding window_dilations window_dimensions window_strides
remainder 1 0.9 -
replica_id 1 0.9 -
reshape 1 0.9 -
return 1 0.9 -
reverse 1 0.9 - dimensions
rng 1 0.9 - rng_distribution
rng_bit_generator 1 0.9 - rng_algorithm
round_nearest_afz 1 0.9 -
round_nearest_even 1 0.9 -
rsqrt 1 0.9 1.9
rsqrt 2 1.10 - result_accuracy
scatter 1 0.9 1.0 index_vector_dim indices_are_sorted inserted_window_dims scatter_dims_to_operand_dims
	unique_indices update_window_dims
scatter 2 1.1 - index_vector_dim indices_are_sorted input_batching_dims inserted_window_dims
	scatter_dims_to_operand_dims scatter_indices_batching_dims unique_indices update_window_dims
select 1 0.9 -
select_and_scatter 1 0.9 - padding window_dimensions window_strides
send 1 0.9 1.11 channel_id channel_type is_host_transfer
send 2 1.12 - channel_id channel_type is_host_transfer source_target_pairs
set_dimension_size 1 0.9 - dimension
shift_left 1 0.9 -
shift_right_arithmetic 1 0.9 -
shift_right_logical 1 0.9 -
sign 1 0.9 -
sine 1 0.9 1.9
sine 2 1.10 - result_accuracy
slice 1 0.9 - limit_indices start_indices strides
sort 1 0.9 - dimension is_stable
sqrt 1 0.9 1.9
sqrt 2 1.10 - result_accuracy
subtract 1 0.9 -
tan 1 1.4 1.9
tan 2 1.10 - result_accuracy
tanh 1 0.9 1.9
tanh 2 1.10 - result_accuracy
torch_index_select 1 0.9 - batch_dims dim
transpose 1 0.9 - permutation
triangular_solve 1 0.9 - left_side lower transpose_a unit_diagonal
tuple 1 0.9 -
unary_einsum 1 0.9 - einsum_config
uniform_dequantize 1 0.9 -
uniform_quantize 1 0.9 -
while 1 0.9 -
xor 1 0.9 -
`

func parseOps(table string) (ops []*vhloOp) {
	for row := range strings.Lines(strings.ReplaceAll(strings.TrimSpace(table), "\n\t", " ")) {
		f := strings.Fields(row)
		o := &vhloOp{name: f[0], attrs: f[4:]}
		_, err := fmt.Sscan(f[1], &o.number)
		o.first, _ = ParseVersion(f[2] + ".0")
		if f[3] != "-" {
			o.last, _ = ParseVersion(f[3] + ".0")
		}
		if err != nil || !slices.IsSorted(o.attrs) {
			panic("portable: the table of ops has the row " + row)
		}
		ops = append(ops, o)
	}
	return ops
}
