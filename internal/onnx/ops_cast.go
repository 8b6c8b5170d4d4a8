package onnx

func castRows() []row { return nil }
