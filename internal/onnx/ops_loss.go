package onnx

func lossRows() []row { return nil }
