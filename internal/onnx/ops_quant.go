package onnx

func quantRows() []row { return nil }
