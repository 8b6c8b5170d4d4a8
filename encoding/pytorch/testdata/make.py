"""Makes the files of this folder with PyTorch (1.13.1): python make.py"""

import collections

import torch
from torch import nn

torch.manual_seed(1)


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = nn.BatchNorm2d(2)
        self.fc = nn.Linear(4, 3)
        self.head = nn.Linear(4, 3)
        self.head.weight = self.fc.weight  # tied: one storage


def counted(shape, dtype):
    n = torch.Size(shape).numel()
    return torch.arange(n).reshape(shape).to(dtype)


# A state_dict, with the _metadata of its OrderedDict; numbers that a test can check.
model = Small()
with torch.no_grad():
    for i, t in enumerate(model.state_dict().values()):
        t.copy_(counted(t.shape, torch.float32) + 100 * i)
torch.save(model.state_dict(), "state.pt")

# All types, views of one storage, an expanded tensor, parameters, nested containers, other values.
base = counted((4, 6), torch.float32)
types = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "s64": torch.int64,
    "s32": torch.int32, "s16": torch.int16, "s8": torch.int8, "u8": torch.uint8, "bool": torch.bool,
    "c64": torch.complex64, "c128": torch.complex128,
}
values = {
    "types": collections.OrderedDict((k, counted((2, 2), t)) for k, t in types.items()),
    "views": {"base": base, "transposed": base.t(), "part": base[1:3, ::2], "row": base[2], "expanded": base[:1, :1].expand(2, 3),
              "scalar": torch.tensor(7.0), "empty": torch.zeros(0, 3)},
    "parameter": nn.Parameter(counted((3,), torch.float32)),
    "list": [torch.tensor([1]), (torch.tensor([2]), None)],
    "optimizer": {"state": {0: {"step": torch.tensor(5.0)}}, "lr": 0.1, "betas": (0.9, 0.999), "amsgrad": False, "name": "Adam",
                  "count": 1 << 40, "size": torch.Size([2, 3]), "none": None},
}
torch.save(values, "values.pt")
torch.save(values, "values4.pt", pickle_protocol=4)
torch.save(base.t(), "tensor.pt")
torch.save(values, "old.pt", _use_new_zipfile_serialization=False)
torch.save(torch.quantize_per_tensor(base, 0.1, 0, torch.qint8), "quantized.pt")
torch.save(model, "module.pt")
torch.jit.script(nn.Linear(2, 2)).save("script.pt")
