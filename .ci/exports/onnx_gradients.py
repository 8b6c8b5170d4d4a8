"""Records gradients of exported models by their weights, as PyTorch computes them: onnx_gradients.py FOLDER. The loss is
the sum of the first result times numbers, "cot", of its shape."""
import os
import sys

import numpy as np
import torch

sys.argv, folder = [sys.argv[0], sys.argv[1], "none"], sys.argv[1]
import onnx_exports  # noqa: E402  (its models; it exports none of the name "none")

out = os.path.join(folder, "gradients")
os.makedirs(out, exist_ok=True)
for name in ("mlp", "cnn", "lstm", "bert", "resnet18", "gpt2"):
    make, example, inputs, outputs, axes, _, _ = onnx_exports.MODELS[name]
    torch.manual_seed(1)
    model, args = make().eval(), example()
    with torch.no_grad():  # the exporter makes one weight of equal ones
        for p in model.parameters():
            p.add_(torch.randn_like(p) * 0.02)
    path = os.path.join(out, f"{name}.onnx")
    torch.onnx.export(model, args, path, input_names=inputs, output_names=outputs, dynamic_axes=axes, dynamo=False,
                      opset_version=17, do_constant_folding=False)
    y = model.eval()(*args)
    y = y if isinstance(y, torch.Tensor) else y[0]
    cot = torch.randn_like(y)
    (y * cot).sum().backward()
    arrays = {"in " + k: v.detach().numpy() for k, v in zip(inputs, args)}
    arrays["cot"] = cot.numpy()
    for k, p in model.named_parameters():
        if p.grad is not None:
            arrays["grad " + k] = p.grad.numpy()
    np.savez(os.path.join(out, f"{name}.npz"), **arrays)
    print(name, len(arrays) - len(inputs) - 1, "gradients", flush=True)
