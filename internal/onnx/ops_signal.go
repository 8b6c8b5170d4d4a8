package onnx

func signalRows() []row { return nil }
