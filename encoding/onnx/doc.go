// Package onnx reads .onnx files: the messages of the Open Neural Network Exchange format, which are protocol buffers.
//
//	f, err := onnx.Open("model.onnx")
//	for _, n := range f.Model.Graph.Nodes {
//		fmt.Println(n.OpType, n.Inputs, n.Outputs)
//	}
//
// The data of tensors stay where they are, in the mapped file or in files beside it: [Tensor.Elements] reads them.
// Nothing outside of the folder of the model is opened.
//
// A file is checked while it is read: nesting, sizes and counts are bounded before memory is taken. What a file means
// (the names of nodes, the types of ops) is not checked here.
//
// Source: onnx/onnx.proto of https://github.com/onnx/onnx, IR version 14.
package onnx
