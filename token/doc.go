// Package token turns text into the tokens of language models and back, as tokenizer.json says: the file that Hugging
// Face's tokenizers library writes.
//
//	t, err := token.Open("model") // a folder with tokenizer.json, or the file
//	e, err := t.Encode("Hello, world!")
//	e.IDs // the model's input
//	text, err := t.Decode(e.IDs)
//
// All of the format is read: normalisers, pre-tokenisers, the models BPE, WordPiece, Unigram and WordLevel,
// post-processors, decoders, added tokens, truncation and padding. A file with something unknown in it is refused when
// it is read, since half of a tokenizer is worse than an error. Results equal those of the reference, version 0.23.
//
// Encode gives all there is to know of a text; AppendIDs gives only ids, without allocating. EncodeBatch uses all
// processors. Stream decodes tokens as a model makes them, and never cuts a character.
package token
