package onnx

func normRows() []row { return nil }
