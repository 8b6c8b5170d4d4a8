package onnx

func productRows() []row { return nil }
