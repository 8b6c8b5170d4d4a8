"""Makes tokenizers of random parts and options, and records what the reference library does with random texts.

    record.py FOLDER TOKENIZERS TEXTS [SEED]

writes TOKENIZERS folders with a tokenizer.json and a cases.jsonl of TEXTS lines each, in the format of
shared/conformance/tokenizers. Needs the package tokenizers, 0.23.3.
"""
import glob
import json
import os
import random
import sys

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

folder, count, texts = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
corpus = []
for name in sorted(glob.glob(os.path.join(root, "docs", "*.md"))):
    with open(name, encoding="utf-8") as f:
        corpus += [line for line in f.read().split("\n") if line.strip()]
corpus += ["Zażółć gęślą jaźń", "Съешь же ещё этих мягких французских булок", "いろはにほへと ちりぬるを", "我能吞下玻璃而不伤身体",
           "ฉันกินกระจกได้", "다람쥐 헌 쳇바퀴에 타고파", "אני יכול לאכול זכוכית", "أنا قادر على أكل الزجاج", "मैं काँच खा सकता हूँ",
           "Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία", "Tôi có thể ăn thủy tinh", "naïve café ﬁne Ⅷ ½ ①", "👩‍👧‍👦 🏳️‍🌈 🇫🇷 👍🏽 ❤️"] * 8

PATTERNS = [
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|"
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|"
    r"\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|"
    r"\s*[\r\n]+|\s+(?!\S)|\s+",
    r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+",
    r"\p{N}{1,3}", r"\p{N}", r"[0-9][0-9][0-9]", r"\s+", r"[一-龥぀-ゟ゠-ヿ]+", r"\w+|[^\w\s]+", r"(?<=\p{Ll})(?=\p{Lu})",
    r"[,;]\s*", r"[\s\S]", r"\p{Han}|\p{Hiragana}+", r"(\w)\1", r"^\s*|\s*$", r"\b", r"(?i:the|straße|ǆ)", r"[[:punct:]]+",
    r"[\p{L}&&[^a-m]]+", r"a*?b", r"(?>\s+)x?", r"(?!\s).{1,4}", r"\p{M}+", r"[^\p{Latin}\s]++", r"x*", r"\d+(?:[.,]\d+)*",
    r"[[:alpha:]&&[:^lower:]]+|[[:space:]]", r"(?m:a.b)|\R",
]
MARKS = "".join(map(chr, [0x300, 0x301, 0x308, 0x323, 0x327, 0x334, 0x345, 0x5B4, 0x64B, 0x651, 0x93C, 0x94D, 0xE34, 0x1DC0,
                          0x200D, 0xFE0F, 0x1F3FD, 0xE0020, 0x20DD, 0x1161, 0x11A8, 0x3099, 0x1CE2, 0x1E8D0]))
SPACES = " \t\n\r\v\f\x1c\x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\u200b\ufeff\u180e"
EDGES = ["'s", "'S", "'ſ", "'ll", "'LL", "'Ll", "'re", "'d", "\r\n", "  ", "   ", "\n\n", " \n", "ǅ", "ʰ", "İ", "ẞ", "ﬁ", "ﬃ", "Å", "Å", "가",
         "각", "한", "１２", "²", "Ⅷ", "½", "一", "㊀", "�", "\0", "▁", " ▁", "Ġ", "Ċ", "<0x41>", "<unk>", "##", "</w>", "camelCase", "HTTPServer",
         "1234567", "3.14", "a_b", "x=y;", "…", "—", "“q”", "№", "℃", "ǆ", "क्ष", "கா", "ရှ", "🇫🇷", "👨‍👩‍👧", "नि", "ำ", "ְ"]


def some(r, n, f):
    return [f(r) for _ in range(r.randint(1, n))]


def char(r):
    k = r.random()
    if k < .35:
        return chr(r.randint(0x20, 0x7e))
    if k < .45:
        return r.choice(SPACES)
    if k < .52:
        return r.choice(MARKS)
    if k < .62:
        return chr(r.randint(0x80, 0x24F))
    if k < .85:
        c = r.randint(0x250, 0xFFFF)
        return chr(c) if not 0xD800 <= c < 0xE000 else "x"
    if k < .97:
        return chr(r.randint(0x10000, 0x1FFFF))
    return chr(r.randint(0x20000, 0x10FFFF))


def text(r, extra):
    k = r.random()
    if k < .03:
        return ""
    if k < .2:
        return "".join(char(r) for _ in range(r.randint(1, 12)))
    if k < .4:
        line = r.choice(corpus)
        at = r.randint(0, max(0, len(line) - 30))
        return line[at:at + r.randint(1, 60)]
    out = []
    for _ in range(r.randint(1, 8)):
        j = r.random()
        if j < .3:
            out.append(r.choice(EDGES))
        elif j < .45 and extra:
            out.append(r.choice(extra))
        elif j < .7:
            out.append(r.choice(r.choice(corpus).split()))
        elif j < .8:
            out.append("".join(r.choice(SPACES) for _ in range(r.randint(1, 3))))
        else:
            out.append("".join(char(r) for _ in range(r.randint(1, 4))))
        if r.random() < .4:
            out.append(" ")
    return "".join(out)


def pattern(r):
    if r.random() < .25:
        return {"String": r.choice([" ", "-", "a", "▁", "th", "\n", "é", ".", "  "])}
    return {"Regex": r.choice(PATTERNS)}


BEHAVIORS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]


def normalizer(r):
    kind = r.choice(["NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Strip", "Replace", "Prepend", "BertNormalizer",
                     "Nmt", "ByteLevel"])
    o = {"type": kind}
    if kind == "Strip":
        o |= {"strip_left": r.random() < .6, "strip_right": r.random() < .6}
    elif kind == "Replace":
        o |= {"pattern": pattern(r), "content": r.choice(["", "▁", "x", "é!", " ", "ab"])}
    elif kind == "Prepend":
        o |= {"prepend": r.choice(["▁", "x", "é", "▁▁"])}
    elif kind == "BertNormalizer":
        o |= {"clean_text": r.random() < .5, "handle_chinese_chars": r.random() < .5,
              "strip_accents": r.choice([None, True, False]), "lowercase": r.random() < .5}
    return o


def pre_tokenizer(r):
    kind = r.choice(["ByteLevel", "Split", "Split", "Split", "Whitespace", "WhitespaceSplit", "BertPreTokenizer", "Metaspace",
                     "Punctuation", "Digits", "CharDelimiterSplit", "UnicodeScripts", "FixedLength"])
    o = {"type": kind}
    if kind == "ByteLevel":
        o |= {"add_prefix_space": r.random() < .5, "trim_offsets": True, "use_regex": r.random() < .7}
    elif kind == "Split":
        o |= {"pattern": pattern(r), "behavior": r.choice(BEHAVIORS), "invert": r.random() < .2}
    elif kind == "Metaspace":
        o |= {"replacement": r.choice("▁▁▁_"), "prepend_scheme": r.choice(["always", "first", "never"]), "split": r.random() < .7}
    elif kind == "Punctuation":
        o |= {"behavior": r.choice(BEHAVIORS)}
    elif kind == "Digits":
        o |= {"individual_digits": r.random() < .5}
    elif kind == "CharDelimiterSplit":
        o |= {"delimiter": r.choice("|-e ▁é")}
    elif kind == "FixedLength":
        o |= {"length": r.randint(1, 7)}
    return o


def sequence(r, make, field, most, none):
    k = r.random()
    if k < none:
        return None
    parts = some(r, most, make)
    return parts[0] if len(parts) == 1 and r.random() < .7 else {"type": "Sequence", field: parts}


def processor(r, special):
    a, b = r.sample(special, 2)
    kind = r.choice(["ByteLevel", "BertProcessing", "RobertaProcessing", "TemplateProcessing", "Sequence", None])
    trim, prefix = r.random() < .6, r.random() < .5
    if kind is None:
        return None
    o = {"type": kind}
    if kind == "ByteLevel":
        o |= {"add_prefix_space": prefix, "trim_offsets": trim, "use_regex": True}
    elif kind == "BertProcessing":
        o |= {"sep": list(a), "cls": list(b)}
    elif kind == "RobertaProcessing":
        o |= {"sep": list(a), "cls": list(b), "trim_offsets": trim, "add_prefix_space": prefix}
    elif kind == "TemplateProcessing":
        t = lambda x, n: {"SpecialToken": {"id": x[0], "type_id": n}}
        s = lambda x, n: {"Sequence": {"id": x, "type_id": n}}
        o |= {"single": r.choice([[t(a, 0), s("A", 0)], [t(a, 0), s("A", 1), t(b, 2)], [s("A", 0), t(b, 0), t(a, 1)]]),
              "pair": r.choice([[t(a, 0), s("A", 0), t(b, 0), s("B", 1), t(b, 1)], [s("B", 0), t(a, 0), s("A", 1)]]),
              "special_tokens": {x[0]: {"id": x[0], "ids": [x[1]], "tokens": [x[0]]} for x in (a, b)}}
    else:
        o |= {"processors": [p for p in (processor(r, special) for _ in range(2)) if p and p["type"] == "ByteLevel"] +
              [p for p in (processor(r, special),) if p and p["type"] != "Sequence"]}
    return o


def decoder(r):
    def one(r):
        kind = r.choice(["ByteLevel", "WordPiece", "Metaspace", "BPEDecoder", "CTC", "Fuse", "Strip", "Replace", "ByteFallback"])
        o = {"type": kind}
        if kind == "ByteLevel":
            o |= {"add_prefix_space": True, "trim_offsets": True, "use_regex": True}
        elif kind == "WordPiece":
            o |= {"prefix": "##", "cleanup": r.random() < .5}
        elif kind == "Metaspace":
            o |= {"replacement": "▁", "prepend_scheme": r.choice(["always", "first", "never"]), "split": True}
        elif kind == "BPEDecoder":
            o |= {"suffix": "</w>"}
        elif kind == "CTC":
            o |= {"pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": r.random() < .5}
        elif kind == "Strip":
            o |= {"content": r.choice(" ▁a"), "start": r.randint(0, 2), "stop": r.randint(0, 1)}
        elif kind == "Replace":
            o |= {"pattern": pattern(r), "content": r.choice([" ", "", "x"])}
        return o
    return sequence(r, one, "decoders", 3, .2)


ADDED = ["<s>", "</s>", "<pad>", "[MASK]", "<|x|>", "<|xy|>", "ing", "the ", "日本", "é", "A B", "NORM", "nn", "  ", "<mask>", "Ⅷ", "\n", "##x"]


def model(r, special):
    kind = r.choice(["BPE", "BPE", "BPE", "BPE", "WordPiece", "Unigram", "Unigram", "WordLevel"])
    lines = r.sample(corpus, 250) + corpus[-13:]
    names = [s[0] for s in special]
    size = r.choice([260, 400, 700]) if texts >= 100 else 60
    level = r.random() < .5
    if kind == "BPE":
        prefix, suffix = r.choice(["", "", "##"]), r.choice(["", "", "</w>"])
        t = Tokenizer(models.BPE(continuing_subword_prefix=prefix, end_of_word_suffix=suffix))
        t.pre_tokenizer = r.choice([pre_tokenizers.ByteLevel(), pre_tokenizers.Metaspace(), pre_tokenizers.Whitespace(),
                                    pre_tokenizers.Split(Regex(r"\s?\S+"), "isolated")])
        alphabet = pre_tokenizers.ByteLevel.alphabet() if level else []
        t.train_from_iterator(lines, trainers.BpeTrainer(vocab_size=size + 300, special_tokens=names, show_progress=False,
                                                         initial_alphabet=alphabet, continuing_subword_prefix=prefix,
                                                         end_of_word_suffix=suffix, limit_alphabet=r.choice([60, 400])))
    elif kind == "WordPiece":
        t = Tokenizer(models.WordPiece(unk_token="<unk>", max_input_chars_per_word=r.choice([5, 20, 100])))
        t.pre_tokenizer = r.choice([pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Whitespace()])
        t.train_from_iterator(lines, trainers.WordPieceTrainer(vocab_size=size + 300, special_tokens=names, show_progress=False))
    elif kind == "Unigram":
        t = Tokenizer(models.Unigram())
        t.pre_tokenizer = r.choice([pre_tokenizers.Metaspace(), pre_tokenizers.Whitespace(), pre_tokenizers.ByteLevel()])
        t.train_from_iterator(lines, trainers.UnigramTrainer(vocab_size=max(size, 300), special_tokens=names, unk_token="<unk>",
                                                             show_progress=False))
    else:
        t = Tokenizer(models.WordLevel(unk_token="<unk>"))
        t.pre_tokenizer = pre_tokenizers.Whitespace()
        t.train_from_iterator(lines, trainers.WordLevelTrainer(vocab_size=size, special_tokens=names, show_progress=False))
    m = json.loads(t.to_str())["model"]
    byte_tokens = ["<0x%02X>" % b for b in range(256) if r.random() < .999]
    if kind == "BPE":
        m["unk_token"] = r.choice([None, "<unk>", "<unk>"])
        m["fuse_unk"], m["ignore_merges"] = r.random() < .5, r.random() < .3
        if not prefix and not suffix and r.random() < .4:
            m["byte_fallback"] = True
            for b in byte_tokens:
                m["vocab"].setdefault(b, len(m["vocab"]))
    elif kind == "Unigram" and r.random() < .5:
        m["byte_fallback"] = True
        m["vocab"] += [[b, -20.0] for b in byte_tokens]
    return m


def make(r):
    special = [("<unk>", 0), ("<s>", 1), ("</s>", 2), ("<pad>", 3)]
    j = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": []}
    for name, i in special:
        j["added_tokens"].append({"id": i, "content": name, "single_word": False, "lstrip": False, "rstrip": False,
                                  "normalized": False, "special": True})
    extra = r.sample(ADDED, r.randint(0, 8))
    for name in extra:
        if name not in dict(special):
            j["added_tokens"].append({"id": 0, "content": name, "single_word": r.random() < .3, "lstrip": r.random() < .3,
                                      "rstrip": r.random() < .3 and name.strip() != "", "normalized": r.random() < .5, "special": r.random() < .3})
    j["normalizer"] = sequence(r, normalizer, "normalizers", 3, .3)
    j["pre_tokenizer"] = sequence(r, pre_tokenizer, "pretokenizers", 3, .15)
    j["post_processor"] = processor(r, special)
    j["decoder"] = decoder(r)
    j["model"] = model(r, special)
    if r.random() < .3:
        j["truncation"] = {"direction": r.choice(["Left", "Right"]), "max_length": r.randint(6, 20),
                           "strategy": r.choice(["LongestFirst", "LongestFirst", "OnlyFirst", "OnlySecond"]),
                           "stride": r.randint(0, 1)}
    if r.random() < .3:
        j["padding"] = {"strategy": r.choice(["BatchLongest", {"Fixed": r.randint(1, 24)}]),
                        "direction": r.choice(["Left", "Right"]), "pad_to_multiple_of": r.choice([None, 8]), "pad_id": 3,
                        "pad_type_id": 0, "pad_token": "<pad>"}
    return j, extra


def record(e, nested=False):
    o = {"ids": e.ids, "tokens": e.tokens, "offsets": [x for span in e.offsets for x in span], "types": e.type_ids,
         "mask": e.attention_mask, "special": e.special_tokens_mask}
    if not any(o["types"]):
        del o["types"]
    if all(o["mask"]):
        del o["mask"]
    if not any(o["special"]):
        del o["special"]
    if e.overflowing and not nested:
        o["overflow"] = [record(x, True) for x in e.overflowing]
    return o


def case(r, t, ids, extra):
    k = r.random()
    add = r.random() < .7
    o = {} if add else {"add": False}
    if k < .04:
        n = [r.choice(ids) for _ in range(r.randint(1, 12))]
        s = decoders.DecodeStream(skip_special_tokens=True)
        return {"kind": "stream", "ids": n, "skip": True, "pieces": [s.step(t, i) for i in n]}
    if k < .08:
        n = [r.choice(ids) for _ in range(r.randint(1, 12))]
        o = {"kind": "decode", "ids": n}
    elif k < .12:
        o |= {"kind": "batch", "batch": [text(r, extra) for _ in range(r.randint(1, 4))]}
        o["encs"] = [record(e) for e in t.encode_batch(o["batch"], add_special_tokens=add)]
        return o
    else:
        args = {}
        if k < .16:
            o["words"] = args["sequence"] = [text(r, extra) for _ in range(r.randint(1, 4))]
            args["is_pretokenized"] = True
        else:
            o["text"] = args["sequence"] = text(r, extra)
            if k < .25:
                o["pair"] = args["pair"] = text(r, extra)
        o["kind"] = "random"
        o |= record(t.encode(add_special_tokens=add, **args))
    o["dec"] = t.decode(o["ids"])
    o["dec_all"] = t.decode(o["ids"], skip_special_tokens=False)
    return o


stderr = os.dup(2)
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the reference prints a panic for each case that it does not survive
done = 0
number = seed * 100000
while done < count:
    number += 1
    r = random.Random(number)
    try:
        j, extra = make(r)
        t = Tokenizer.from_str(json.dumps(j))
    except BaseException as e:
        if isinstance(e, KeyboardInterrupt):
            raise
        continue
    made = [(a["normalized"], t.normalizer.normalize_str(a["content"]) if a["normalized"] and t.normalizer else a["content"])
            for a in j["added_tokens"]]
    if len(set(made)) < len(made) or any(text == "" for _, text in made):
        continue  # which of two equal tokens is found is a matter of chance
    extra += [a["content"] for a in j["added_tokens"]]
    ids = sorted(t.get_vocab(with_added_tokens=True).values()) + [10**6]
    name = "%s-%06d" % (j["model"]["type"].lower(), number)
    os.makedirs(os.path.join(folder, name), exist_ok=True)
    with open(os.path.join(folder, name, "tokenizer.json"), "w", encoding="utf-8") as f:
        json.dump(j, f, ensure_ascii=False)
    failed = 0
    with open(os.path.join(folder, name, "cases.jsonl"), "w", encoding="utf-8") as f:
        for i in range(texts):
            try:
                o = case(r, t, ids, extra)
            except BaseException as e:  # a panic of the reference: its result is not defined
                if isinstance(e, KeyboardInterrupt):
                    raise
                failed += 1
                continue
            f.write(json.dumps({"id": "%s/%d" % (name, i), **o}, ensure_ascii=False).replace("\x85", "\\u0085")
                    .replace("\u2028", "\\u2028").replace("\u2029", "\\u2029") + "\n")
    done += 1
    os.write(stderr, ("%s: %d texts, of which the reference failed on %d\n" % (name, texts, failed)).encode())
