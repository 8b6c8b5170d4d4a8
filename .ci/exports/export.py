"""Writes a model, its weights, and what its framework computes, for TestExports.

A folder holds each model:

    manifest.json    what it is: framework, route, names, tolerance, times
    program…         what the framework exported
    weights…         its weights, where they are not in the program
    inputs.npz       the inputs, named in0, in1, … in the order of the program
    results.npz      the results of the framework, named out0, out1, …
    gradients.npz    of the sum of the first result times cotangent.npy, by argument
"""

import json
import pathlib
import platform
import sys
import time

import numpy as np


class Model:
    """One exported model."""

    def __init__(self, out, name, framework, route, versions):
        self.dir = pathlib.Path(out) / name
        self.dir.mkdir(parents=True, exist_ok=True)
        self.manifest = {
            "name": name,
            "framework": framework,
            "route": route,
            "versions": {**versions, "python": platform.python_version()},
            "weights": [],
        }

    def program(self, file, data=None):
        """The file or folder that is loaded; data is written to it."""
        self.manifest["program"] = file
        path = self.dir / file
        if data is not None:
            path.write_bytes(data)
        return path

    def weights(self, file):
        self.manifest["weights"].append(file)
        return self.dir / file

    def case(self, inputs, results, names_in, names_out, tolerance=1e-5):
        """Inputs and results, and the names that loading must give them, weights left out."""
        np.savez(self.dir / "inputs.npz", **{f"in{i}": np.asarray(a) for i, a in enumerate(inputs)})
        np.savez(self.dir / "results.npz", **{f"out{i}": np.asarray(a) for i, a in enumerate(results)})
        self.manifest |= {"inputs": names_in, "results": names_out, "tolerance": tolerance}

    def gradients(self, cotangent, by_argument, tolerance=1e-4):
        """Gradients of sum(first result · cotangent) by names of arguments or weights."""
        np.save(self.dir / "cotangent.npy", np.asarray(cotangent))
        np.savez(self.dir / "gradients.npz", **{k: np.asarray(a) for k, a in by_argument.items()})
        self.manifest["gradients"] = True
        self.manifest["gradientTolerance"] = tolerance

    def times(self, compile_seconds, run_seconds):
        self.manifest["compileSeconds"], self.manifest["runSeconds"] = compile_seconds, run_seconds

    def write(self):
        text = json.dumps(self.manifest, indent=1) + "\n"
        (self.dir / "manifest.json").write_text(text)
        print(f"{self.manifest['name']}: {self.manifest['route']}", file=sys.stderr)


def timed(f, runs=10):
    """Seconds of one call of f, the fastest of some."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        f()
        best = min(best, time.perf_counter() - start)
    return best
