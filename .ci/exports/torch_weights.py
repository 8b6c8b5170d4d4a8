"""Weights by PyTorch and for PyTorch, for TestWeightsOfPyTorch: python torch_weights.py write|check FOLDER

write makes state dicts with inputs and outputs of their modules: NAME.pt, NAME.safetensors, NAME.npz. check loads
NAME.saved.safetensors, which Go wrote for the same modules, strictly, and compares the outputs with NAME.got.npy.
"""

import pathlib
import sys

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import nn


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.blocks = nn.ModuleList([nn.Conv2d(8, 8, 3, padding=1, groups=2, bias=False) for _ in range(2)])
        self.fc = nn.Linear(8, 5)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        for b in self.blocks:
            x = x + torch.relu(b(x))
        return self.fc(x.mean((2, 3)))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 6, num_layers=2, bidirectional=True, batch_first=True)
        self.out = nn.Linear(12, 3)

    def forward(self, x):
        return self.out(self.lstm(x)[0])


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True) for _ in range(2)])
        self.norm = nn.LayerNorm(8)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)


torch.manual_seed(1)
models = {"cnn": (CNN(), torch.randn(2, 3, 9, 9)), "recurrent": (Recurrent(), torch.randn(2, 7, 5)),
          "encoder": (Encoder(), torch.randn(2, 6, 8))}
folder = pathlib.Path(sys.argv[2])
for name, (model, x) in models.items():
    model.eval()
    if sys.argv[1] == "check":
        model.load_state_dict(load_file(folder / f"{name}.saved.safetensors"))  # strict
        with torch.no_grad():
            np.testing.assert_allclose(np.load(folder / f"{name}.got.npy"), model(x).numpy(), rtol=2e-5, atol=2e-5)
        print(f"{name}: PyTorch {torch.__version__} loads it and computes the same")
        continue
    with torch.no_grad():
        for key, p in model.state_dict().items():
            if p.is_floating_point():
                p.copy_(p.abs() + 0.1 if "running_var" in key else p + 0.1 * torch.randn_like(p))
        y = model(x)
    torch.save(model.state_dict(), folder / f"{name}.pt")
    save_file({k: v.contiguous() for k, v in model.state_dict().items()}, folder / f"{name}.safetensors")
    np.savez(folder / f"{name}.npz", x=x.numpy(), y=y.numpy())
