package stablehlo

import "testing"

const compositeProgram = `
module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %r = stablehlo.composite "my.op" %x {decomposition = @impl} : (tensor<4xf32>) -> tensor<4xf32>
    func.return %r : tensor<4xf32>
  }
  func.func private @impl(%x: tensor<4xf32>) -> tensor<4xf32> {
    func.return %x : tensor<4xf32>
  }
  func.func private @two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    func.return %x : tensor<4xf32>
  }
  func.func private @wide(%x: tensor<8xf32>) -> tensor<4xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<4xf32>
    func.return %0 : tensor<4xf32>
  }
  func.func private @none(%x: tensor<4xf32>) {
    func.return
  }
  func.func private @long(%x: tensor<4xf32>) -> tensor<8xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<8xf32>
    func.return %0 : tensor<8xf32>
  }
}`

func TestCompositeConstraints(t *testing.T) {
	testEdits(t, compositeProgram, []edit{
		{"composite_c1", []string{`"my.op"`, `"op"`}},
		{"composite_c2", []string{"@impl}", "@missing}"}},
		{"composite_c3", []string{"@impl}", "@two}"}},
		{"composite_c3", []string{"@impl}", "@wide}"}},
		{"composite_c4", []string{"@impl}", "@none}"}},
		{"composite_c4", []string{"@impl}", "@long}"}},
	})
}

func TestIsNamespaced(t *testing.T) {
	for name, want := range map[string]bool{
		"a.b": true, "my_ns.op": true, "a1._b": true, "a.b.c$": true, "a.$": true, "A.9": true,
		"": false, "a": false, ".a": false, "a.": false, "a..b": false, "1a.b": false, "_a.b": false, "a$.b": false,
		"a.b-c": false, "a.é": false,
	} {
		if got := isNamespaced(name); got != want {
			t.Errorf("isNamespaced(%q) = %t, want %t", name, got, want)
		}
	}
}

const customCallLayoutsProgram = `
func.func @f(%x: tensor<2x3xf32>, %t: !stablehlo.token) {
  %r = stablehlo.custom_call @g(%x, %t) {
    operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<> : tensor<0xindex>],
    result_layouts = [dense<[0, 1]> : tensor<2xindex>]
  } : (tensor<2x3xf32>, !stablehlo.token) -> tensor<2x3xf32>
  func.return
}`

func TestCustomCallLayouts(t *testing.T) {
	testEdits(t, customCallLayoutsProgram, []edit{
		{"", []string{"result_layouts = [dense<[0, 1]> : tensor<2xindex>]", "has_side_effect = false"}},
		{"", []string{", dense<> : tensor<0xindex>]", "]"}},
		{"", []string{"dense<> : tensor<0xindex>", "dense<0> : tensor<1xindex>"}},
		{"", []string{"[1, 0]", "[1, 1]"}},
		{"", []string{"[1, 0]", "[1, 2]"}},
		{"", []string{"dense<[1, 0]> : tensor<2xindex>", "dense<0> : tensor<999999999999xindex>"}},
		{"", []string{"[dense<[0, 1]> : tensor<2xindex>]", "[]"}},
	})
}

const customCallAliasesProgram = `
func.func @f(%x: memref<2xf32>, %y: tuple<tensor<4xf32>, memref<2xf32>>) {
  %r:2 = stablehlo.custom_call @g(%x, %y) {
    api_version = 4 : i32, backend_config = {},
    output_operand_aliases = [
      #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>,
      #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = [1]>]
  } : (memref<2xf32>, tuple<tensor<4xf32>, memref<2xf32>>) -> (memref<2xf32>, memref<2xf32>)
  func.return
}`

func TestCustomCallAliases(t *testing.T) {
	testEdits(t, customCallAliasesProgram, []edit{
		{"", []string{"operand_index = 0", "operand_index = 2"}},
		{"", []string{"operand_index = 0", "operand_index = -1"}},
		{"", []string{"operand_tuple_indices = [1]", "operand_tuple_indices = [2]"}},
		{"", []string{"operand_tuple_indices = [1]", "operand_tuple_indices = [0]"}},
		{"", []string{"output_tuple_indices = [1]", "output_tuple_indices = [2]"}},
		{"", []string{"output_tuple_indices = [1]", "output_tuple_indices = [0]"}},
		{"", []string{"operand_index = 1, operand_tuple_indices = [1]",
			"operand_index = 0, operand_tuple_indices = []"}},
		{"", []string{"backend_config = {}", `backend_config = ""`}},
		{"", []string{"api_version = 4", "api_version = 2"}},
	})
	const unaliased = `
func.func @f() -> memref<2xf32> {
  %r = stablehlo.custom_call @g() : () -> memref<2xf32>
  func.return %r : memref<2xf32>
}`
	wantConstraint(t, verifyText(t, unaliased), "")
}

const bufferCallsProgram = `
func.func @f(%x: tensor<2xf32>) {
  %b = stablehlo.custom_call @CreateBuffer() : () -> memref<2xf32>
  %p = stablehlo.custom_call @Pin(%x) : (tensor<2xf32>) -> memref<2xf32>
  %u = stablehlo.custom_call @Unpin(%p) : (memref<2xf32>) -> tensor<2xf32>
  func.return
}`

func TestBufferCalls(t *testing.T) {
	testEdits(t, bufferCallsProgram, []edit{
		{"", []string{"@CreateBuffer() : () ->", "@CreateBuffer(%x) : (tensor<2xf32>) ->"}},
		{"", []string{"@CreateBuffer() : () -> memref<2xf32>", "@CreateBuffer() : () -> tensor<2xf32>"}},
		{"", []string{"%b = stablehlo.custom_call @CreateBuffer() : () -> memref<2xf32>",
			"stablehlo.custom_call @CreateBuffer() : () -> ()"}},
		{"", []string{"%x: tensor<2xf32>", "%x: tensor<3xf32>", "(tensor<2xf32>) -> memref",
			"(tensor<3xf32>) -> memref"}},
		{"", []string{"%x: tensor<2xf32>", "%x: tensor<2xi32>", "(tensor<2xf32>) -> memref",
			"(tensor<2xi32>) -> memref"}},
		{"",
			[]string{"%u = stablehlo.custom_call @Unpin(%p) : (memref<2xf32>)",
				"%u = stablehlo.custom_call @Unpin(%x) : (tensor<2xf32>)"}},
		{"", []string{"@Pin(%x) : (tensor<2xf32>)", "@Pin(%x, %x) : (tensor<2xf32>, tensor<2xf32>)"}},
	})
}
