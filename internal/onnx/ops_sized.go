package onnx

func sizedRows() []row { return nil }
