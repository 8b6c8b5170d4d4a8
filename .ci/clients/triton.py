"""Calls a server of nx by Triton's own client: triton.py HOST:PORT, which serves the classifier of docs/models.md with
--repository-control. Prints the number of checks."""
import sys

import numpy as np
import tritonclient.http as triton
from tritonclient.utils import InferenceServerException

client = triton.InferenceServerClient(sys.argv[1], concurrency=4)
passed = 0


def check(name, ok):
    global passed
    if not ok:
        sys.exit(f"failed: {name}")
    passed += 1


def refused(name, status, f):
    try:
        f()
    except InferenceServerException as e:
        check(f"{name}: {e}", str(status) in str(e.status()))
    else:
        check(f"{name}: not refused", False)


check("live", client.is_server_live())
check("ready", client.is_server_ready())
check("model ready", client.is_model_ready("classifier"))
check("version ready", client.is_model_ready("classifier", "1"))
check("another model is not ready", not client.is_model_ready("none"))
check("metadata", "binary_tensor_data" in client.get_server_metadata()["extensions"])
about = client.get_model_metadata("classifier")
check("model metadata", about["inputs"] == [{"name": "x", "datatype": "FP32", "shape": [-1, 4]}])
config = client.get_model_config("classifier")
check("config", config["max_batch_size"] == 32 and config["input"][0] == {"name": "x", "data_type": "TYPE_FP32", "dims": [4]})
check("index", client.get_model_repository_index()[0]["state"] == "READY")
check("log settings", "log_info" in client.get_log_settings())
check("trace settings", client.get_trace_settings()["trace_level"] == ["OFF"])
check("trace settings of a model", "trace_level" in client.get_trace_settings("classifier"))

rng = np.random.default_rng(0)
known = {}
for rows in (1, 2, 7, 32, 100):
    x = rng.standard_normal((rows, 4)).astype(np.float32)
    results = []
    for binary_in in (True, False):
        for binary_out in (True, False):
            for compress in (None, "gzip", "deflate"):
                i = triton.InferInput("x", x.shape, "FP32")
                i.set_data_from_numpy(x, binary_data=binary_in)
                o = triton.InferRequestedOutput("logits", binary_data=binary_out)
                r = client.infer("classifier", [i], outputs=[o], request_id="r7", request_compression_algorithm=compress,
                                 response_compression_algorithm=compress)
                check("id", r.get_response()["id"] == "r7")
                results.append(r.as_numpy("logits"))
    i = triton.InferInput("x", x.shape, "FP32")
    i.set_data_from_numpy(x)
    results.append(client.infer("classifier", [i], model_version="1").as_numpy("logits"))
    later = [client.async_infer("classifier", [i]) for _ in range(8)]
    results += [r.get_result().as_numpy("logits") for r in later]
    for r in results:
        check("results are equal", r.shape == (rows, 3) and np.allclose(r, results[0], atol=1e-6))

bad = triton.InferInput("x", (1, 5), "FP32")
bad.set_data_from_numpy(np.zeros((1, 5), np.float32))
refused("another shape", 400, lambda: client.infer("classifier", [bad]))
refused("no model", 404, lambda: client.infer("none", [bad]))
stats = client.get_inference_statistics("classifier")["model_stats"][0]
check("statistics", stats["inference_stats"]["success"]["count"] > 100 and stats["inference_stats"]["fail"]["count"] == 1)
check("all statistics", len(client.get_inference_statistics()["model_stats"]) == 1)
refused("shared memory", 501, lambda: client.get_system_shared_memory_status())
refused("trace settings", 501, lambda: client.update_trace_settings(settings={"trace_level": ["TIMESTAMPS"]}))
refused("log settings", 501, lambda: client.update_log_settings({"log_verbose_level": 1}))
client.load_model("classifier")
check("loaded again", client.is_model_ready("classifier"))
refused("another configuration", 501, lambda: client.load_model("classifier", config="{}"))
client.unload_model("classifier")
check("unloaded", not client.is_model_ready("classifier"))
client.load_model("classifier")
check("loaded", client.is_model_ready("classifier"))
print(f"tritonclient: {passed} passed, 0 failed")
