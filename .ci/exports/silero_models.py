"""The voice detector of the package silero-vad, with its weights: PJRT_DEVICE=CPU python silero_models.py OUT"""

import os
import pathlib
import sys
from importlib.metadata import version
from importlib.util import find_spec

os.environ.setdefault("PJRT_DEVICE", "CPU")

import torch
from torch import nn
from torch_xla.stablehlo import exported_program_to_stablehlo

from export import Model, timed

data = pathlib.Path(find_spec("silero_vad").origin).parent / "data"


class VoiceDetector(nn.Module):
    """The network for 16 kHz: 64 samples of context, 512 new ones, and the state of an LSTM."""

    def __init__(self):
        super().__init__()
        self.stft_conv = nn.Conv1d(1, 258, 256, stride=128, bias=False)
        self.conv1 = nn.Conv1d(129, 128, 3, padding=1)
        self.conv2 = nn.Conv1d(128, 64, 3, stride=2, padding=1)
        self.conv3 = nn.Conv1d(64, 64, 3, stride=2, padding=1)
        self.conv4 = nn.Conv1d(64, 128, 3, padding=1)
        self.lstm_cell = nn.LSTMCell(128, 128)
        self.final_conv = nn.Conv1d(128, 1, 1)

    def forward(self, samples, state):
        x = self.stft_conv(nn.functional.pad(samples, (0, 64), "reflect").unsqueeze(1))
        x = (x[:, :129] ** 2 + x[:, 129:] ** 2).sqrt()
        for conv in (self.conv1, self.conv2, self.conv3, self.conv4):
            x = conv(x).relu()
        h, c = self.lstm_cell(x.squeeze(-1), (state[0], state[1]))
        y = self.final_conv(h.unsqueeze(-1).relu()).sigmoid()
        return y.squeeze(1), torch.stack((h, c))


torch.manual_seed(1)
module = VoiceDetector().eval()
published = torch.jit.load(data / "silero_vad.jit")._model
names = {"stft.forward_basis_buffer": "stft_conv.weight", "decoder.rnn": "lstm_cell", "decoder.decoder.2": "final_conv"}
names |= {f"encoder.{i}.reparam_conv": f"conv{i + 1}" for i in range(4)}
weights = {}
for key, array in published.state_dict().items():
    old = next(name for name in names if key.startswith(name))
    weights[names[old] + key.removeprefix(old)] = array
module.load_state_dict(weights)
inputs = 0.1 * torch.randn(1, 576), 0.1 * torch.randn(2, 1, 128)

versions = {p: version(p) for p in ("silero-vad", "torch", "torch_xla")}
model = Model(sys.argv[1], "silero-vad", "PyTorch", "torch_xla.stablehlo", versions)
exported_program_to_stablehlo(torch.export.export(module, inputs)).save(str(model.program("model")))
with torch.no_grad():
    results = published(*inputs)
    model.case([x.numpy() for x in inputs], [r.numpy() for r in results], ["args[0]", "args[1]"], ["out0", "out1"])
    model.times(0, timed(lambda: published(*inputs)))
model.write()
