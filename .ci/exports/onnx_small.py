"""Exports the small model of docs/models.md by PyTorch, with what that computes: onnx_small.py FOLDER."""
import os
import sys

import numpy as np
import torch
from torch import nn

folder = sys.argv[1]
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 3)).eval()
x = torch.randn(2, 4)
torch.onnx.export(model, (x,), os.path.join(folder, "classifier.onnx"), input_names=["x"], output_names=["logits"],
                  dynamic_shapes=({0: torch.export.Dim("batch")},), external_data=False)
with torch.no_grad():
    y = model(x)
np.savez(os.path.join(folder, "classifier.npz"), x=x.numpy(), logits=y.numpy())
