"""Models of PyTorch, through torch_xla: PJRT_DEVICE=CPU python torch_models.py OUT"""

import json
import os
import sys
from importlib.metadata import version

os.environ.setdefault("PJRT_DEVICE", "CPU")

import numpy as np
import torch
from torch import nn
from torch_xla.stablehlo import exported_program_to_stablehlo

from export import Model, timed

out = sys.argv[1]
versions = {p: version(p) for p in ("torch", "torch_xla")}
torch.manual_seed(1)


def export_torch(name, module, *inputs, tolerance=1e-5, gradient=True):
    module = module.eval()
    with torch.no_grad():
        for key, p in module.state_dict().items():
            if p.is_floating_point():
                p.copy_(p.abs() + 0.1 if "running_var" in key else p + 0.1 * torch.randn_like(p))
    model = Model(out, "torch-" + name, "PyTorch", "torch_xla.stablehlo", versions)
    exported = torch.export.export(module, inputs)
    exported_program_to_stablehlo(exported).save(str(model.program("model")))

    results = module(*inputs)
    results = results if isinstance(results, tuple) else (results,)
    model.case([x.numpy() for x in inputs], [r.detach().numpy() for r in results],
               [f"args[{i}]" for i in range(len(inputs))], [f"out{i}" for i in range(len(results))], tolerance)

    if gradient:
        # The program without the bundle leaves its weights free; they have no names there.
        meta = json.loads((model.dir / "model" / "functions" / "forward.meta").read_text())
        state = {**dict(module.named_parameters()), **dict(module.named_buffers()), **getattr(exported, "constants", {})}
        arguments, wanted = {}, {}
        cotangent = torch.randn_like(results[0])
        (results[0] * cotangent).sum().backward()
        for i, where in enumerate(meta["input_locations"]):
            if where["type_"] == "input_arg":
                arguments[f"arg{i}"] = inputs[where["position"]].numpy()
                continue
            if where["type_"] == "constant":
                arguments[f"arg{i}"] = np.load(model.dir / "model" / "constants" / str(where["position"]))
                continue
            value = state[where["name"]]
            arguments[f"arg{i}"] = value.detach().numpy()
            if value.grad is not None:
                wanted[f"arg{i}"] = value.grad.numpy()
        np.savez(model.dir / "arguments.npz", **arguments)
        model.manifest["gradientProgram"] = "model/functions/forward.bytecode"
        model.manifest["gradientArguments"] = "arguments.npz"
        model.gradients(cotangent.numpy(), wanted)

    with torch.no_grad():
        model.times(0, timed(lambda: module(*inputs)))
    model.write()


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 32)
        layer = nn.TransformerEncoderLayer(32, 4, 64, activation="gelu", batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(32, 100)

    def forward(self, tokens):
        return self.out(self.layers(self.embed(tokens)))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTM(5, 8, batch_first=True)
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        return self.out(self.cell(x)[0])


class TopK(nn.Module):
    def forward(self, x):
        values, places = torch.topk(x, 3, dim=-1)
        return values, places


class Smallest(nn.Module):
    def forward(self, x):
        values, places = torch.topk(x, 2, dim=-1, largest=False)
        return values, places


export_torch("mlp", nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 3)), torch.randn(4, 6))
export_torch("cnn", nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.SiLU(), nn.MaxPool2d(2),
                                  nn.ConvTranspose2d(8, 4, 3, stride=2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 5)),
             torch.randn(2, 3, 16, 16))
export_torch("transformer", Attention(), torch.randint(0, 100, (2, 12)))
export_torch("lstm", Recurrent(), torch.randn(2, 7, 5))
export_torch("topk", TopK(), torch.randn(4, 9), gradient=False)
export_torch("smallest", Smallest(), torch.randn(4, 9), gradient=False)
