"""A model behind FastAPI and ONNX Runtime, as its users write it: fastapi_onnx.py MODEL.onnx PORT. It answers requests of
inference of the Open Inference Protocol with one input and one result; internal/cmd/load measures it beside nx serve."""
import sys

import numpy as np
import onnxruntime
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
output = session.get_outputs()[0].name
app = FastAPI()


class Tensor(BaseModel):
    name: str
    shape: list[int]
    datatype: str
    data: list[float]


class Request(BaseModel):
    inputs: list[Tensor]


@app.post("/v2/models/model/infer")
def infer(r: Request):
    t = r.inputs[0]
    y = session.run([output], {t.name: np.asarray(t.data, np.float32).reshape(t.shape)})[0]
    return {"model_name": "model", "outputs": [{"name": output, "shape": list(y.shape), "datatype": "FP32",
                                                "data": y.ravel().tolist()}]}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
