package onnx

func attentionRows() []row { return nil }
