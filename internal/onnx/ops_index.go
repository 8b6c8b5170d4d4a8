package onnx

func indexRows() []row { return nil }
