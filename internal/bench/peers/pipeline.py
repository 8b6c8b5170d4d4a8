"""Times the pipelines of BenchmarkPipeline in PyTorch's DataLoader: python pipeline.py PICTURE [name …]

PICTURE is the JPEG that go test ./internal/bench -run xxx -bench Pipeline -args -picture PICTURE writes. Prints a row
per pipeline: name, transforms, pictures a second over SECONDS (6), by WORKERS (2) processes. Both kinds of transforms
of torchvision are timed: those of Pillow's images, and version 2 on tensors of bytes.
"""
import io, os, sys, time

import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import v2, InterpolationMode
import torchvision.transforms as v1

torch.set_num_threads(1)  # a worker has one; those of the loader are the processes
workers, seconds = int(os.environ.get("WORKERS", "2")), float(os.environ.get("SECONDS", "6"))
file = open(sys.argv[1], "rb").read()
decoded = Image.open(io.BytesIO(file)).convert("RGB")
tensor = v2.functional.pil_to_tensor(decoded)
mean, deviation = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


class Pictures(Dataset):
    def __init__(self, read, transform):
        self.read, self.transform = read, transform

    def __len__(self):
        return 1024

    def __getitem__(self, i):
        return self.transform(self.read())


def of_pillow():
    return decoded


def of_tensor():
    return tensor


def of_jpeg():
    return Image.open(io.BytesIO(file)).convert("RGB")


def pillow(*more):
    return v1.Compose([v1.RandomResizedCrop(224), v1.RandomHorizontalFlip(), *more, v1.ToTensor(),
                       v1.Normalize(mean, deviation)])


def tensors(*more):
    return v2.Compose([v2.RandomResizedCrop(224, antialias=True), v2.RandomHorizontalFlip(), *more,
                       v2.ToDtype(torch.float32, scale=True), v2.Normalize(mean, deviation)])


jitter = 0.4, 0.4, 0.4
ROWS = {
    "crop_flip": [("pillow", of_pillow, pillow()), ("tensors", of_tensor, tensors())],
    "crop_flip_jitter": [("pillow", of_pillow, pillow(v1.ColorJitter(*jitter))),
                         ("tensors", of_tensor, tensors(v2.ColorJitter(*jitter)))],
    "jpeg_crop_flip": [("pillow", of_jpeg, pillow())],
}


def measure(read, transform):
    loader = DataLoader(Pictures(read, transform), batch_size=32, shuffle=True, num_workers=workers,
                        persistent_workers=True, prefetch_factor=4)
    for batch in loader:  # starts the processes
        pass
    n, start = 0, time.perf_counter()
    while time.perf_counter() < start + seconds:
        for batch in loader:
            n += len(batch)
    return n / (time.perf_counter() - start)


if __name__ == "__main__":
    for name in sys.argv[2:] or ROWS:
        for kind, read, transform in ROWS[name]:
            print(f"{name:18} {kind:8} {measure(read, transform):10,.0f} pictures/s", flush=True)
