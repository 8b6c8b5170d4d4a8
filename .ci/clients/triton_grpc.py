"""Calls a server of nx by Triton's own client over gRPC: triton_grpc.py HOST:PORT, which serves the classifier of
docs/models.md with --repository-control and --max-body 1000000. Prints the number of checks."""
import queue
import sys
import threading

import grpc
import numpy as np
import tritonclient.grpc as triton
from tritonclient.grpc import service_pb2
from tritonclient.utils import InferenceServerException

client = triton.InferenceServerClient(sys.argv[1])
passed = 0


def check(name, ok):
    global passed
    if not ok:
        sys.exit(f"failed: {name}")
    passed += 1


def refused(name, code, f, text=""):
    try:
        f()
    except InferenceServerException as e:
        check(f"{name}: {e}", str(e.status()) == f"StatusCode.{code}" and text in str(e))
    else:
        check(f"{name}: not refused", False)


def tensor(x):
    i = triton.InferInput("x", x.shape, "FP32")
    i.set_data_from_numpy(x)
    return i


check("live", client.is_server_live())
check("ready", client.is_server_ready())
check("model ready", client.is_model_ready("classifier"))
check("version ready", client.is_model_ready("classifier", "1"))
check("another model is not ready", not client.is_model_ready("none"))
check("metadata", "binary_tensor_data" in client.get_server_metadata().extensions)
about = client.get_model_metadata("classifier")
check("model metadata", [(i.name, i.datatype, list(i.shape)) for i in about.inputs] == [("x", "FP32", [-1, 4])])
config = client.get_model_config("classifier").config
check("config", config.max_batch_size == 32 and config.input[0].data_type == 11 and list(config.input[0].dims) == [4])
check("config of batches", config.dynamic_batching.preferred_batch_size[-1] == 32 and config.backend == "nx")
check("index", client.get_model_repository_index().models[0].state == "READY")
check("index as JSON", client.get_model_repository_index(as_json=True)["models"][0]["name"] == "classifier")

rng = np.random.default_rng(0)
for rows in (1, 2, 7, 32, 100):
    x = rng.standard_normal((rows, 4)).astype(np.float32)
    results = []
    for compress in (None, "gzip", "deflate"):
        r = client.infer("classifier", [tensor(x)], outputs=[triton.InferRequestedOutput("logits")], request_id="r7",
                         compression_algorithm=compress, priority=1, parameters={"mine": "yes", "n": 3})
        check("id", r.get_response().id == "r7")
        results.append(r.as_numpy("logits"))
    results.append(client.infer("classifier", [tensor(x)], model_version="1").as_numpy("logits"))
    answers = queue.Queue()
    for _ in range(8):
        client.async_infer("classifier", [tensor(x)], lambda result, error: answers.put((result, error)))
    for _ in range(8):
        result, error = answers.get(timeout=60)
        check("asynchronous", error is None)
        results.append(result.as_numpy("logits"))
    # Typed contents, as other clients of the protocol send them.
    request = service_pb2.ModelInferRequest(model_name="classifier", id="typed")
    i = request.inputs.add(name="x", datatype="FP32", shape=x.shape)
    i.contents.fp32_contents.extend(x.ravel().tolist())
    typed = client._client_stub.ModelInfer(request)
    results.append(np.frombuffer(typed.raw_output_contents[0], np.float32).reshape(typed.outputs[0].shape))
    for r in results:
        check("results are equal", r.shape == (rows, 3) and np.allclose(r, results[0], atol=1e-6))

# A stream: responses in order, and an error does not end it.
answers = queue.Queue()
client.start_stream(lambda result, error: answers.put((result, error)))
one = np.ones((1, 4), np.float32)
for n in range(50):
    i = tensor(one * n)
    client.async_stream_infer("none" if n % 10 == 3 else "classifier", [i], request_id=str(n),
                              enable_empty_final_response=n == 5)
for n in range(50):
    result, error = answers.get(timeout=60)
    if n % 10 == 3:
        check(f"error {n} of a stream: {error}", error is not None and "none" in str(error))
        continue
    response = result.get_response()
    check(f"response {n} of a stream: {error}", error is None and response.id == str(n))
    check("final response", response.parameters["triton_final_response"].bool_param == (n == 5))
    check("result of a stream", result.as_numpy("logits").shape == (1, 3))
client.stop_stream()

# Cancelled and late requests.
context = client.async_infer("classifier", [tensor(one)], lambda result, error: answers.put((result, error)))
context.cancel()
result, error = answers.get(timeout=60)
check(f"cancelled: {error}", error is None or "CANCELLED" in str(error))
refused("a deadline", "DEADLINE_EXCEEDED", lambda: client.infer("classifier", [tensor(one)], client_timeout=-1))

wrong = triton.InferInput("y", (1, 4), "FP32")
wrong.set_data_from_numpy(one)
double = triton.InferInput("x", (1, 4), "FP64")
double.set_data_from_numpy(one.astype(np.float64))
words = triton.InferInput("x", (1, 4), "BYTES")
words.set_data_from_numpy(np.array([[b"a", b"b", b"c", b"d"]], dtype=object))
shared = triton.InferInput("x", (1, 4), "FP32")
shared.set_shared_memory("region", 16)
bad = "INVALID_ARGUMENT"
refused("another shape", bad, lambda: client.infer("classifier", [tensor(np.zeros((1, 5), np.float32))]), '"x"')
refused("another name", bad, lambda: client.infer("classifier", [wrong]), '"y"')
refused("another type", bad, lambda: client.infer("classifier", [double]), '"x"')
refused("strings", bad, lambda: client.infer("classifier", [words]), '"x"')
refused("twice", bad, lambda: client.infer("classifier", [tensor(one), tensor(one)]), '"x"')
refused("no inputs", bad, lambda: client.infer("classifier", []), "x")
refused("no rows", bad, lambda: client.infer("classifier", [tensor(np.zeros((0, 4), np.float32))]), '"x"')
refused("another output", bad, lambda: client.infer("classifier", [tensor(one)],
                                                    outputs=[triton.InferRequestedOutput("z")]), '"z"')
refused("classes", "UNIMPLEMENTED", lambda: client.infer("classifier", [tensor(one)],
                                                         outputs=[triton.InferRequestedOutput("logits", class_count=1)]))
refused("shared memory of an input", "UNIMPLEMENTED", lambda: client.infer("classifier", [shared]), '"x"')
refused("no model", "NOT_FOUND", lambda: client.infer("none", [tensor(one)]), "none")
refused("no version", "NOT_FOUND", lambda: client.infer("classifier", [tensor(one)], model_version="7"), "7")
refused("a path", "NOT_FOUND", lambda: client.get_model_config("../classifier"), "..")
refused("too large", "RESOURCE_EXHAUSTED",
        lambda: client.infer("classifier", [tensor(np.zeros((100000, 4), np.float32))]), "larger than max")

# Neighbours of bad requests are answered.
x = rng.standard_normal((1, 4)).astype(np.float32)
want = client.infer("classifier", [tensor(x)]).as_numpy("logits")
failures = []


def neighbour(good):
    mine = triton.InferenceServerClient(sys.argv[1])
    for _ in range(50):
        try:
            got = mine.infer("classifier", [tensor(x) if good else wrong]).as_numpy("logits")
            if not good or not np.allclose(got, want, atol=1e-6):
                failures.append(got)
        except InferenceServerException as e:
            if good:
                failures.append(e)
    mine.close()


threads = [threading.Thread(target=neighbour, args=(n % 2 == 0,)) for n in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
check(f"neighbours: {failures[:3]}", not failures)

stats = client.get_inference_statistics("classifier").model_stats[0]
check("statistics", stats.inference_stats.success.count > 100 and stats.inference_stats.fail.count > 8)
check("more statistics", stats.inference_stats.compute_infer.ns > 0 and stats.execution_count > 0)
check("all statistics", len(client.get_inference_statistics().model_stats) == 1)
refused("shared memory", "UNIMPLEMENTED", lambda: client.get_system_shared_memory_status(), "shared memory")
refused("CUDA", "UNIMPLEMENTED", lambda: client.unregister_cuda_shared_memory())
refused("trace settings", "UNIMPLEMENTED", lambda: client.get_trace_settings())
refused("log settings", "UNIMPLEMENTED", lambda: client.update_log_settings({"log_verbose_level": 1}))
client.load_model("classifier")
check("loaded again", client.is_model_ready("classifier"))
refused("another configuration", "UNIMPLEMENTED", lambda: client.load_model("classifier", config="{}"), "config")
refused("loading another", "NOT_FOUND", lambda: client.load_model("../classifier"))
client.unload_model("classifier", unload_dependents=True)
check("unloaded", not client.is_model_ready("classifier"))
client.load_model("classifier")
check("loaded", client.is_model_ready("classifier"))

# grpc.health.v1, its messages by hand: the service is field 1 of a request, the status field 1 of an answer.
channel = grpc.insecure_channel(sys.argv[1])
health = channel.unary_unary("/grpc.health.v1.Health/Check")
check("health", health(b"") == b"\x08\x01")
check("health of the service", health(b"\x0a\x1einference.GRPCInferenceService") == b"\x08\x01")
watch = channel.unary_stream("/grpc.health.v1.Health/Watch")(b"")
check("watching", next(watch) == b"\x08\x01")
watch.cancel()
print(f"tritonclient over gRPC: {passed} passed, 0 failed")
