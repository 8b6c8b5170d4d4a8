// Package onnx has the test that runs ONNX's own tests: a model with inputs and results each.
package onnx
