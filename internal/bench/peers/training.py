"""Times the models of BenchmarkTraining in PyTorch: python training.py [name …]

Prints a row per model: name, items a second (images, tokens or parameters), milliseconds a step: the median of steps
over five seconds, and the mean of processor time, on the number of threads in THREADS (2).
"""
import os, statistics, sys, time

import torch
from torch import nn

torch.set_num_threads(int(os.environ.get("THREADS", "2")))
torch.manual_seed(0)


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2))
        self.out = nn.Linear(64, 10)

    def forward(self, x):
        return self.out(self.body(x).mean((2, 3)))


class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.out = nn.LSTM(128, 256, batch_first=True), nn.Linear(256, 10)

    def forward(self, x):
        return self.out(self.lstm(x)[1][0][0])


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(512, 8, 2048, dropout=0, activation="gelu", batch_first=True,
                                                               norm_first=True) for _ in range(3))
        self.out = nn.Linear(512, 10)

    def forward(self, x):
        for l in self.layers:
            x = l(x)
        return self.out(x.mean(1))


def mlp():
    return nn.Sequential(nn.Linear(784, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10))


ROWS = {  # name: model, shape of the argument, items of a step
    "mlp": (mlp, (128, 784), 128),
    "cnn_bn": (CNN, (32, 3, 32, 32), 32),
    "lstm": (LSTM, (32, 64, 128), 32 * 64),
    "transformer_10m": (Encoder, (8, 128, 512), 8 * 128),
}


def measure(step):
    for _ in range(3):
        step()
    times, end, cpu = [], time.perf_counter() + 5, time.process_time()
    while time.perf_counter() < end or len(times) < 3:
        t = time.perf_counter()
        step()
        times.append(time.perf_counter() - t)
    return statistics.median(times), (time.process_time() - cpu) / len(times)


def main():
    for name in sys.argv[1:] or [*ROWS, "adamw_100m"]:
        if name == "adamw_100m":
            p = nn.Parameter(torch.ones(100_000_000))
            p.grad = torch.full_like(p, .1)
            opt = torch.optim.AdamW([p], 1e-3, weight_decay=.1, fused=True)
            items, step = p.numel(), opt.step
        else:
            make, shape, items = ROWS[name]
            model = make().train()
            opt = torch.optim.AdamW(model.parameters(), 1e-3, weight_decay=.01, fused=True)
            x, y = torch.rand(shape) * 2 - 1, torch.randint(0, 10, (shape[0],))

            def step():
                opt.zero_grad()
                loss = nn.functional.cross_entropy(model(x), y)
                loss.backward()
                opt.step()

        t, cpu = measure(step)
        print(f"{name:18} {items / t:14,.0f} items/s {t * 1e3:10.2f} ms {cpu * 1e3:10.2f} CPU ms", flush=True)


main()
