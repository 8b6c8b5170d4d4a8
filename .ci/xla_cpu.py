"""Runs programs as plugins are given them on XLA:CPU, and compares with what was recorded.

    python xla_cpu.py TRANSLATED CASES...

TRANSLATED holds NAME.mlir, NAME.options, the bytes of the compile options, and NAME.json, how
the program is spread over devices; CASES are folders of folders NAME with in.npz, out.npz and
meta.json (../shared/conformance/jax). The interface of jaxlib used here is private:
xla-python.txt pins its version.
"""
import json
import pathlib
import sys

import jax
import ml_dtypes
import numpy as np
from jax._src.lib import _jax, xla_client

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_num_cpu_devices", 4)

BITS = {"bf16": ml_dtypes.bfloat16, "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2,
        "i4": ml_dtypes.int4, "ui4": ml_dtypes.uint4}


def typed(arrays, meta, name):
    """Returns an array with the type that numpy cannot store."""
    a, bits = arrays[name], meta.get("bits", {}).get(name)
    if bits is None:
        return a
    if bits in ("i4", "ui4"):
        return a.view(np.int8 if bits == "i4" else np.uint8).astype(BITS[bits])
    return a.view(BITS[bits])


def wide(a):
    """Returns numbers that can be subtracted."""
    if a.dtype.kind == "c":
        return a.astype(np.complex128)
    return a.astype(np.float64)


def same(got, want, rtol, atol):
    if got.shape != want.shape:
        return f"shape {got.shape}, want {want.shape}"
    if got.dtype != want.dtype:
        return f"type {got.dtype}, want {want.dtype}"
    if want.dtype.kind in "biu":
        return None if np.array_equal(got, want) else "integers differ"
    got, want = wide(got), wide(want)
    parts = [(got.real, want.real), (got.imag, want.imag)] if got.dtype.kind == "c" else [(got, want)]
    for g, w in parts:
        finite = np.isfinite(w)
        if not np.array_equal(g[~finite], w[~finite], equal_nan=True):
            return "infinities or NaN differ"
        with np.errstate(invalid="ignore"):
            off = np.abs(g - w) > atol + rtol * np.abs(want)
        if np.any(off & finite):
            return f"off by {np.max(np.abs(g - w)[finite])}"
    return None


def shardings(spread, side, devices, n):
    """Returns how each of n tensors is placed: whole on the first device, or cut over a mesh."""
    if spread is None:
        return [jax.sharding.SingleDeviceSharding(devices[0])] * n
    sizes = [axis["Size"] for axis in spread["Mesh"]]
    grid = np.array([devices[i] for i in spread["Devices"]]).reshape(sizes)
    mesh = jax.sharding.Mesh(grid, [axis["Name"] for axis in spread["Mesh"]])
    specs = [jax.P(*(tuple(axes) if axes else None for axes in spec or [])) for spec in spread[side]]
    return [jax.sharding.NamedSharding(mesh, spec) for spec in specs]


def check(client, devices, path, case):
    meta = json.loads((case / "meta.json").read_text())
    spread = json.loads(path.with_suffix(".json").read_text())
    with np.load(case / "in.npz") as f:
        places = shardings(spread, "Ins", devices, len(f.files))
        args = [jax.device_put(typed(f, meta, f"arg{i}"), place) for i, place in enumerate(places)]
    options = xla_client.CompileOptions.ParseFromString(path.with_suffix(".options").read_bytes())
    options.compile_portable_executable = False  # Python names the device when it compiles
    used = devices[:len(spread["Devices"]) if spread else 1]
    executable = client.compile_and_load(path.read_bytes(), _jax.DeviceList(tuple(used)), options)
    out = executable.execute_sharded(args).disassemble_into_single_device_arrays()
    with np.load(case / "out.npz") as f:
        if len(out) != len(f.files):
            return f"{len(out)} results, want {len(f.files)}"
        places = shardings(spread, "Outs", devices, len(out))
        for i, parts in enumerate(out):
            want = typed(f, meta, f"out{i}")
            got = jax.make_array_from_single_device_arrays(want.shape, places[i], parts)
            rtol, atol = meta.get("tol", {}).get(f"out{i}", [0, 0])
            if problem := same(np.asarray(got), want, rtol, atol):
                return f"result {i}: {problem}"
    return None


def main():
    folder, cases = pathlib.Path(sys.argv[1]), [pathlib.Path(c) for c in sys.argv[2:]]
    devices = jax.devices()
    passed = failed = spread = 0
    for path in sorted(folder.glob("*.mlir")):
        case = next(c / path.stem for c in cases if (c / path.stem).exists())
        try:
            problem = check(devices[0].client, devices, path, case)
        except Exception as e:  # of XLA: the program is to blame
            problem = str(e).splitlines()[0]
        if problem:
            failed += 1
            print(f"{path.stem}: {problem}")
            continue
        passed += 1
        spread += path.with_suffix(".json").read_text() != "null"
    print(f"XLA:CPU: {passed} passed, {spread} of them on four devices, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


main()
