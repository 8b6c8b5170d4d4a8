package onnx

func reduceRows() []row { return nil }
