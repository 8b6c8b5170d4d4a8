package onnx

func imageRows() []row { return nil }
