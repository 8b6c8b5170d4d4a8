"""Exports models with random weights to ONNX by both exporters of PyTorch, quantises and optimises them by the tools of
ONNX Runtime, and records what that computes: onnx_exports.py FOLDER [NAME…]"""
import os
import sys
import traceback
import warnings

import numpy as np
import torch
from torch import nn

from onnx_record import record

warnings.filterwarnings("ignore")
folder = sys.argv[1]
only = sys.argv[2:]
exports = os.path.join(folder, "exports")
os.makedirs(exports, exist_ok=True)
torch.manual_seed(0)


class Positional(nn.Module):
    """A model of transformers with positional arguments and results."""

    def __init__(self, model, arguments, results):
        super().__init__()
        self.model, self.arguments, self.results = model, arguments, results

    def forward(self, *args):
        out = self.model(**dict(zip(self.arguments, args)), return_dict=True)
        return tuple(out[r] for r in self.results)


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
                                  nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU())
        self.out = nn.Linear(32, 10)

    def forward(self, x):
        return self.out(self.body(x).mean((2, 3)))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()

        def block(a, b):
            return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(),
                                 nn.Conv2d(b, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU())
        self.down1, self.down2, self.mid = block(3, 16), block(16, 32), block(32, 64)
        self.up2, self.up1 = nn.ConvTranspose2d(64, 32, 2, 2), nn.Upsample(scale_factor=2, mode="bilinear")
        self.dec2, self.dec1, self.out = block(64, 32), block(48, 16), nn.Conv2d(16, 2, 1)
        self.pool = nn.MaxPool2d(2)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(self.pool(a))
        c = self.mid(self.pool(b))
        d = self.dec2(torch.cat([self.up2(c), b], 1))
        return self.out(self.dec1(torch.cat([self.up1(d), a], 1)))


class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Embedding(100, 32), nn.Linear(128, 5)
        self.lstm = nn.LSTM(32, 64, num_layers=2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(128, 128, batch_first=True)

    def forward(self, ids):
        y, _ = self.lstm(self.embed(ids))
        y, _ = self.gru(y)
        return self.out(y)


def transformer(make, arguments, results):
    return lambda: Positional(make().eval(), arguments, results)


def bert():
    from transformers import BertConfig, BertModel
    return BertModel(BertConfig(vocab_size=500, hidden_size=128, num_hidden_layers=3, num_attention_heads=4,
                                intermediate_size=256, attn_implementation="eager"))


def distilbert():
    from transformers import DistilBertConfig, DistilBertModel
    return DistilBertModel(DistilBertConfig(vocab_size=500, dim=128, n_layers=3, n_heads=4, hidden_dim=256,
                                            attn_implementation="eager"))


def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel
    return GPT2LMHeadModel(GPT2Config(vocab_size=500, n_embd=128, n_layer=3, n_head=4, n_positions=128,
                                      attn_implementation="eager", use_cache=False))


class GPT2Past(nn.Module):
    """A step with the keys and values of the tokens before, as files for generation have them."""

    def __init__(self):
        super().__init__()
        self.model = gpt2().eval()

    def forward(self, ids, mask, *past):
        from transformers.cache_utils import DynamicCache
        cache = DynamicCache()
        for i in range(0, len(past), 2):
            cache.update(past[i], past[i + 1], i // 2)
        out = self.model(input_ids=ids, attention_mask=mask, past_key_values=cache, use_cache=True)
        present = []
        for layer in out.past_key_values.layers:
            present += [layer.keys, layer.values]
        return (out.logits, *present)


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM
    return LlamaForCausalLM(LlamaConfig(vocab_size=500, hidden_size=128, num_hidden_layers=3, num_attention_heads=8,
                                        num_key_value_heads=2, intermediate_size=256, max_position_embeddings=128,
                                        attn_implementation="eager", use_cache=False))


def t5():
    from transformers import T5Config, T5ForConditionalGeneration
    return T5ForConditionalGeneration(T5Config(vocab_size=500, d_model=128, d_kv=32, d_ff=256, num_layers=3, num_heads=4,
                                               use_cache=False, decoder_start_token_id=0))


def whisper():
    from transformers import WhisperConfig, WhisperForConditionalGeneration
    return WhisperForConditionalGeneration(WhisperConfig(
        vocab_size=500, d_model=128, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=256, decoder_ffn_dim=256, num_mel_bins=80, max_source_positions=100,
        max_target_positions=64, use_cache=False, attn_implementation="eager", pad_token_id=0, bos_token_id=1,
        eos_token_id=2, decoder_start_token_id=1))


def vit():
    from transformers import ViTConfig, ViTModel
    return ViTModel(ViTConfig(hidden_size=128, num_hidden_layers=3, num_attention_heads=4, intermediate_size=256,
                              image_size=64, patch_size=16, attn_implementation="eager"))


def clip():
    from transformers import CLIPConfig, CLIPModel
    text = dict(vocab_size=500, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
                max_position_embeddings=32, eos_token_id=2, bos_token_id=1, pad_token_id=0)
    vision = dict(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, image_size=64,
                  patch_size=16)
    return CLIPModel(CLIPConfig(text_config=text, vision_config=vision, projection_dim=32,
                                attn_implementation="eager"))


def vision(name, **rest):
    def make():
        import torchvision
        return getattr(torchvision.models, name)(weights=None, **rest).eval()
    return make


def deeplab():
    import torchvision

    class Out(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = torchvision.models.segmentation.deeplabv3_mobilenet_v3_large(
                weights=None, weights_backbone=None, num_classes=5)

        def forward(self, x):
            return self.model(x)["out"]
    return Out().eval()


def mask_rcnn():
    import torchvision

    class Out(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = torchvision.models.detection.maskrcnn_resnet50_fpn(
                weights=None, weights_backbone=None, num_classes=5, min_size=128, max_size=160, box_score_thresh=0.1,
                rpn_post_nms_top_n_test=50, box_detections_per_img=20)

        def forward(self, x):
            out = self.model([x])[0]
            return out["boxes"], out["labels"], out["scores"], out["masks"]
    return Out().eval()


ids = lambda b, s: torch.randint(0, 500, (b, s))
mask = lambda rng, shape: np.ones(shape)
IMAGES = [{"x": [1, 3, 64, 64]}, {"x": [2, 3, 64, 96]}, {"x": [3, 3, 96, 64]}]
TOKENS = [{"batch": b, "sequence": s} for b, s in ((1, 7), (2, 16), (3, 33))]
TEXT = {"ids": (0, 500), "mask": mask}
image = lambda: (torch.randn(1, 3, 64, 64),)
image_axes = {"x": {0: "batch", 2: "height", 3: "width"}}
token_axes = {"ids": {0: "batch", 1: "sequence"}, "mask": {0: "batch", 1: "sequence"}}

# name: model, example arguments, their names, results, open axes, sizes, ranges
MODELS = {
    "mlp": (lambda: nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 10)).eval(),
            lambda: (torch.randn(2, 32),), ["x"], ["y"], {"x": {0: "batch"}}, [{"batch": n} for n in (1, 4, 9)], {}),
    "cnn": (lambda: CNN().eval(), image, ["x"], ["y"], image_axes, IMAGES, {}),
    "lstm": (lambda: LSTM().eval(), lambda: (torch.randint(0, 100, (2, 9)),), ["ids"], ["y"],
             {"ids": {0: "batch", 1: "sequence"}}, TOKENS, {"ids": (0, 100)}),
    "unet": (lambda: UNet().eval(), image, ["x"], ["y"], image_axes, IMAGES, {}),
    "resnet18": (vision("resnet18"), image, ["x"], ["y"], image_axes, IMAGES, {}),
    "mobilenet_v3": (vision("mobilenet_v3_small"), image, ["x"], ["y"], image_axes, IMAGES, {}),
    "efficientnet_b0": (vision("efficientnet_b0"), image, ["x"], ["y"], image_axes, IMAGES, {}),
    "convnext_tiny": (vision("convnext_tiny"), image, ["x"], ["y"], image_axes, IMAGES, {}),
    "deeplab": (deeplab, image, ["x"], ["y"], image_axes, IMAGES, {}),
    "mask_rcnn": (mask_rcnn, lambda: (torch.rand(3, 120, 140),), ["x"], ["boxes", "labels", "scores", "masks"],
                  {"x": {1: "height", 2: "width"}}, [{"x": s} for s in ([3, 120, 140], [3, 128, 160], [3, 150, 100])],
                  {"x": (0, 1)}),
    "bert": (transformer(bert, ["input_ids", "attention_mask"], ["last_hidden_state", "pooler_output"]),
             lambda: (ids(2, 9), torch.ones(2, 9, dtype=torch.int64)), ["ids", "mask"], ["hidden", "pooled"], token_axes,
             TOKENS, TEXT),
    "distilbert": (transformer(distilbert, ["input_ids", "attention_mask"], ["last_hidden_state"]),
                   lambda: (ids(2, 9), torch.ones(2, 9, dtype=torch.int64)), ["ids", "mask"], ["hidden"], token_axes,
                   TOKENS, TEXT),
    "gpt2": (transformer(gpt2, ["input_ids", "attention_mask"], ["logits"]),
             lambda: (ids(2, 9), torch.ones(2, 9, dtype=torch.int64)), ["ids", "mask"], ["logits"], token_axes, TOKENS,
             TEXT),
    "gpt2_past": (GPT2Past, lambda: (ids(2, 1), torch.ones(2, 6, dtype=torch.int64),
                                     *[torch.randn(2, 4, 5, 32) for _ in range(6)]),
                  ["ids", "mask", *[f"past{i}" for i in range(6)]], ["logits", *[f"present{i}" for i in range(6)]],
                  {"ids": {0: "batch"}, "mask": {0: "batch", 1: "total"},
                   **{f"past{i}": {0: "batch", 2: "past"} for i in range(6)}},
                  [{"ids": [b, 1], "mask": [b, n + 1], **{f"past{i}": [b, 4, n, 32] for i in range(6)}}
                   for b, n in ((1, 5), (2, 11), (3, 1))], TEXT),
    "llama": (transformer(llama, ["input_ids", "attention_mask"], ["logits"]),
              lambda: (ids(2, 9), torch.ones(2, 9, dtype=torch.int64)), ["ids", "mask"], ["logits"], token_axes, TOKENS,
              TEXT),
    "t5": (transformer(t5, ["input_ids", "decoder_input_ids"], ["logits"]), lambda: (ids(2, 9), ids(2, 5)),
           ["ids", "mask"], ["logits"], {"ids": {0: "batch", 1: "sequence"}, "mask": {0: "batch", 1: "target"}},
           [{"ids": [b, s], "mask": [b, t]} for b, s, t in ((1, 7, 3), (2, 16, 8), (3, 33, 5))],
           {"ids": (0, 500), "mask": (0, 500)}),
    "whisper": (transformer(whisper, ["input_features", "decoder_input_ids"], ["logits"]),
                lambda: (torch.randn(2, 80, 200), ids(2, 5)), ["features", "ids"], ["logits"],
                {"features": {0: "batch"}, "ids": {0: "batch", 1: "sequence"}},
                [{"features": [b, 80, 200], "ids": [b, s]} for b, s in ((1, 3), (2, 8), (3, 5))], TEXT),
    "vit": (transformer(vit, ["pixel_values"], ["last_hidden_state", "pooler_output"]), image, ["x"],
            ["hidden", "pooled"], {"x": {0: "batch"}}, [{"x": [b, 3, 64, 64]} for b in (1, 2, 5)], {}),
    "clip": (transformer(clip, ["input_ids", "pixel_values", "attention_mask"], ["logits_per_image", "text_embeds"]),
             lambda: (ids(2, 9), torch.randn(2, 3, 64, 64), torch.ones(2, 9, dtype=torch.int64)),
             ["ids", "x", "mask"], ["logits", "text"],
             {"ids": {0: "texts", 1: "sequence"}, "x": {0: "images"}, "mask": {0: "texts", 1: "sequence"}},
             [{"ids": [b, s], "x": [n, 3, 64, 64], "mask": [b, s]} for b, s, n in ((1, 7, 2), (2, 16, 1), (3, 30, 3))],
             TEXT),
}


def export(name, dynamo):
    make, example, inputs, outputs, axes, sizes, ranges = MODELS[name]
    kind = "dynamo" if dynamo else "script"
    place = os.path.join(exports, f"{name}-{kind}")
    os.makedirs(place, exist_ok=True)
    path = os.path.join(place, f"{name}.onnx")
    torch.manual_seed(0)
    model = make()
    args = example()
    with torch.no_grad():
        if dynamo:
            shapes = [{axis: torch.export.Dim.AUTO for axis in axes.get(i, {})} for i in inputs]
            if isinstance(model, (Positional, GPT2Past)):
                shapes = (tuple(shapes),) if isinstance(model, Positional) else (shapes[0], shapes[1], tuple(shapes[2:]))
            torch.onnx.export(model, args, path, input_names=inputs, output_names=outputs, dynamic_shapes=shapes,
                              dynamo=True, verbose=False)
        else:
            torch.onnx.export(model, args, path, input_names=inputs, output_names=outputs, dynamic_axes=axes,
                              dynamo=False, opset_version=17)
    return path


def main():
    import onnx
    from onnxruntime import quantization
    failed = []
    models = os.path.join(folder, "models")
    for name, (make, example, inputs, outputs, axes, sizes, ranges) in MODELS.items():
        if only and name not in only:
            continue
        by_input = []
        for size in sizes:  # the new exporter names axes s0, s1
            shapes = {}
            for i, x in zip(inputs, example()):
                shapes[i] = size.get(i) or [size.get(axes.get(i, {}).get(k), d) for k, d in enumerate(x.shape)]
            by_input.append(shapes)
        for dynamo in (False, True):
            label = f"{'dynamo' if dynamo else 'script'}-{name}"
            try:
                path = export(name, dynamo)
                if name == "mask_rcnn":  # ONNX Runtime with and without its optimisations differs by 1.6e-3
                    record(models, label, path, by_input, ranges, 5e-3, share=0.9, largest=1.0,
                           note="masks are pasted at boxes that are rounded to whole pixels")
                else:
                    record(models, label, path, by_input, ranges)
            except Exception as e:
                failed.append(f"{label}: {type(e).__name__}: {str(e).splitlines()[0][:150] if str(e) else ''}")
                if os.environ.get("TRACE"):
                    traceback.print_exc()
                continue
            if dynamo or name not in ("cnn", "bert", "gpt2", "resnet18", "lstm"):
                continue
            try:
                import onnxruntime
                place = os.path.dirname(path)
                options = onnxruntime.SessionOptions()
                options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
                options.optimized_model_filepath = os.path.join(place, f"{name}_opt.onnx")
                options.log_severity_level = 3
                onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
                record(models, f"optimised-{name}", options.optimized_model_filepath, by_input, ranges)
                dynamic = os.path.join(place, f"{name}_int8.onnx")
                quantization.quantize_dynamic(path, dynamic)
                record(models, f"int8-{name}", dynamic, by_input, ranges, 2e-2)
                if name in ("cnn", "resnet18"):
                    class Reader(quantization.CalibrationDataReader):
                        def __init__(self):
                            rng = np.random.default_rng(1)
                            self.data = iter([{"x": rng.uniform(-1, 1, (1, 3, 64, 64)).astype(np.float32)} for _ in range(4)])

                        def get_next(self):
                            return next(self.data, None)
                    for form, label in ((quantization.QuantFormat.QDQ, "qdq"), (quantization.QuantFormat.QOperator, "qoperator")):
                        out = os.path.join(place, f"{name}_{label}.onnx")
                        quantization.quantize_static(path, out, Reader(), quant_format=form)
                        record(models, f"{label}-{name}", out, by_input, ranges, 5e-2)
                if name in ("bert", "gpt2"):
                    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
                    q = MatMulNBitsQuantizer(onnx.load(path), block_size=32, is_symmetric=True)
                    q.process()
                    out = os.path.join(place, f"{name}_int4.onnx")
                    q.model.save_model_to_file(out)
                    record(models, f"int4-{name}", out, by_input, ranges, 1e-3)
            except Exception as e:
                failed.append(f"tools on {name}: {type(e).__name__}: {str(e).splitlines()[0][:150]}")
                if os.environ.get("TRACE"):
                    traceback.print_exc()
    for line in failed:
        print("not exported:", line)


main()
