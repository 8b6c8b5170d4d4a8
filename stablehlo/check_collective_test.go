package stablehlo

import "testing"

const allGatherProgram = `
func.func @f(%x: tensor<4x6xf32>) {
  %r = "stablehlo.all_gather"(%x) {
    all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids
  } : (tensor<4x6xf32>) -> tensor<4x12xf32>
  func.return
}`

func TestAllGatherConstraints(t *testing.T) {
	result := func(t string) []string { return []string{"-> tensor<4x12xf32>\n", "-> " + t + "\n"} }
	testEdits(t, allGatherProgram, []edit{
		{"all_gather_c1", []string{"all_gather_dim = 1", "all_gather_dim = 2"}},
		{"all_gather_c1", []string{"all_gather_dim = 1", "all_gather_dim = -1"}},
		{"all_gather_c2", []string{"[2, 3]", "[2, 1]"}},
		{"all_gather_c2",
			[]string{"dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>", "dense<0> : tensor<123456789x987654321xi64>"}},
		{"all_gather_c4", []string{"[2, 3]", "[2, 4]"}},
		{"all_gather_c4", []string{"[2, 3]", "[2, -1]"}},
		{"all_gather_c4", []string{"dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>", "dense<[0, 1]> : tensor<2xi64>"}},
		{"all_gather_c4", []string{"dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>", "dense<> : tensor<0x2xi64>"}},
		{"all_gather_c5", []string{"handle = 1", "handle = -1"}},
		{"all_gather_c6", result("tensor<4x13xf32>")},
		{"all_gather_c6", result("tensor<3x12xf32>")},
		{"all_gather_c6", result("tensor<4x12x1xf32>")},
		{"all_gather_c6", result("tensor<4x12xi32>")},
	})
}

const allReduceProgram = `
func.func @f(%x: tensor<4x6xf32>) {
  %r = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) {
    replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids
  } : (tensor<4x6xf32>) -> tensor<4x6xf32>
  func.return
}`

func TestAllReduceConstraints(t *testing.T) {
	testEdits(t, allReduceProgram, []edit{
		{"all_reduce_c1", []string{"[2, -1]", "[2, 0]"}},
		{"all_reduce_c3", []string{"[2, -1]", "[4, -1]"}},
		{"all_reduce_c3", []string{"[2, -1]", "[2, -2]"}},
		{"all_reduce_c4", []string{"handle = 1", "handle = 0"}},
		{"all_reduce_c5", []string{"%b: tensor<f32>", "%b: tensor<2xf32>"}},
		{"all_reduce_c5", []string{", %b: tensor<f32>", ""}},
		{"all_reduce_c6", []string{"-> tensor<4x6xf32>\n", "-> tensor<4x5xf32>\n"}},
	})
}

const reduceScatterProgram = `
func.func @f(%x: tensor<4x6xf32>) {
  %r = "stablehlo.reduce_scatter"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) {
    scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids
  } : (tensor<4x6xf32>) -> tensor<4x3xf32>
  func.return
}`

func TestReduceScatterConstraints(t *testing.T) {
	result := func(t string) []string { return []string{"-> tensor<4x3xf32>\n", "-> " + t + "\n"} }
	testEdits(t, reduceScatterProgram, []edit{
		{"reduce_scatter_c2", []string{"scatter_dimension = 1", "scatter_dimension = 2"}},
		{"reduce_scatter_c3", []string{"[[0, 1]]", "[[1, 1]]"}},
		{"reduce_scatter_c5", []string{"[[0, 1]]", "[[0, 2]]"}},
		{"reduce_scatter_c6", []string{"handle = 1", "handle = 0"}},
		{"reduce_scatter_c7", []string{"return %a : tensor<f32>", "return %a, %b : tensor<f32>, tensor<f32>"}},
		{"reduce_scatter_c8", result("tensor<4x4xf32>")},
		{"reduce_scatter_c8", result("tensor<4x0xf32>")},
		{"reduce_scatter_c8", result("tensor<3x3xf32>")},
		{"reduce_scatter_c8", result("tensor<4xf32>")},
		{"reduce_scatter_c9", result("tensor<4x3xf64>")},
	})
}

const allToAllProgram = `
func.func @f(%x: tensor<4x6xf32>) {
  %r = "stablehlo.all_to_all"(%x) {
    split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
    replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  } : (tensor<4x6xf32>) -> tensor<8x3xf32>
  func.return
}`

func TestAllToAllConstraints(t *testing.T) {
	testEdits(t, allToAllProgram, []edit{
		{"all_to_all_c1", []string{"split_dimension = 1", "split_dimension = 2"}},
		{"all_to_all_c2", []string{"split_count = 2", "split_count = 4", "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>",
			"dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>"}},
		{"all_to_all_c3", []string{"concat_dimension = 0", "concat_dimension = -1"}},
		{"all_to_all_c4", []string{"split_count = 2", "split_count = 0"}},
		{"all_to_all_c5", []string{"[2, 3]", "[2, 2]"}},
		{"all_to_all_c7", []string{"[2, 3]", "[2, 5]"}},
		{"all_to_all_c8", []string{"split_count = 2", "split_count = 3"}},
		{"all_to_all_c8", []string{"dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>", "dense<> : tensor<0x2xi64>"}},
		{"all_to_all_c9", []string{"-> tensor<8x3xf32>\n", "-> tensor<8x6xf32>\n"}},
	})
}

const collectiveBroadcastProgram = `
func.func @f(%x: tensor<4xf32>, %root: tensor<1xi32>) {
  %r = "stablehlo.collective_broadcast"(%x, %root) {replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>, has_dynamic_root}
    : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  func.return
}`

func TestCollectiveBroadcastConstraints(t *testing.T) {
	roots := func(t string) []string {
		return []string{"%root: tensor<1xi32>", "%root: " + t, "tensor<1xi32>) -> tensor<4xf32>\n",
			t + ") -> tensor<4xf32>\n"}
	}
	testEdits(t, collectiveBroadcastProgram, []edit{
		{"collective_broadcast_c1", []string{"[[2, 1]]", "[[1, 1]]"}},
		{"collective_broadcast_c2", []string{"[[2, 1]]", "[[-1, 1]]"}},
		{"collective_broadcast_c3", []string{"(%x, %root)", "()", "(tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>\n",
			"() -> tensor<4xf32>\n", ", has_dynamic_root", ""}},
		{"collective_broadcast_c4", []string{"(%x, %root)", "(%root)",
			"(tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>\n",
			"(tensor<1xi32>) -> tensor<4xf32>\n"}},
		{"collective_broadcast_c4", roots("tensor<2xi32>")},
		{"collective_broadcast_c4", roots("tensor<1xi64>")},
		{"collective_broadcast_c5", []string{", has_dynamic_root", ""}},
	})
}

const collectiveReduceProgram = `
func.func @f(%x: tensor<4xf32>, %root: tensor<1xi32>) {
  %r = "stablehlo.collective_reduce"(%x, %root) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  func.return
}`

func TestCollectiveReduceConstraints(t *testing.T) {
	testEdits(t, collectiveReduceProgram, []edit{
		{"collective_reduce_c1", []string{"[[0, 1]]", "[[0, 0]]"}},
		{"collective_reduce_c2", []string{"[[0, 1]]", "[[0, 3]]"}},
		{"collective_reduce_c3", []string{"-> tensor<4xf32>\n", "-> tensor<5xf32>\n"}},
		{"collective_reduce_c3", []string{"%root: tensor<1xi32>", "%root: tensor<i32>",
			"tensor<1xi32>) -> tensor<4xf32>\n",
			"tensor<i32>) -> tensor<4xf32>\n"}},
		{"collective_reduce_c4", []string{"return %a : tensor<f32>", "return"}},
	})
}

const collectivePermuteProgram = `
func.func @f(%x: tensor<4xf32>) {
  %r = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}`

func TestCollectivePermuteConstraints(t *testing.T) {
	testEdits(t, collectivePermuteProgram, []edit{
		{"collective_permute_c1",
			[]string{"dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>", "dense<[[0, 1, 2]]> : tensor<1x3xi64>"}},
		{"collective_permute_c1", []string{"dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>",
			"dense<[0, 1]> : tensor<2xi64>"}},
		{"collective_permute_c2", []string{"[1, 2]", "[0, 2]"}},
		{"collective_permute_c2",
			[]string{"dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>", "dense<0> : tensor<1234567890123x2xi64>"}},
		{"collective_permute_c3", []string{"[1, 2]", "[2, 1]"}},
		{"collective_permute_c4", []string{"[1, 2]", "[1, -2]"}},
		{"collective_permute_c5", []string{"-> tensor<4xf32>\n", "-> tensor<5xf32>\n"}},
	})
}

const meshGroupsProgram = `
module {
  sdy.mesh @grid = <["x"=2]>
  func.func @f(%x: tensor<4xf32>) {
    %r = "stablehlo.all_gather"(%x) {
      all_gather_dim = 0 : i64,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @grid, axes = [#stablehlo.axis_ref<name = "x">]>
    } : (tensor<4xf32>) -> tensor<8xf32>
    func.return
  }
}`

func TestMeshGroups(t *testing.T) {
	const inPlace = `#stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "y", size = 2>]>`
	testEdits(t, meshGroupsProgram, []edit{
		{"all_gather_c4", []string{"mesh = @grid", "mesh = @missing"}},
		{"all_gather_c4", []string{"mesh = @grid", "mesh = " + inPlace}},
		{"all_gather_c4", []string{"mesh = @grid", `mesh = "grid"`}},
	})
}
