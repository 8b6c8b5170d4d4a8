package transformers

import "github.com/go-nx/nx"

// Inputs are the arguments of a model; those that it has not, or that have a default, are absent. Batch is the first
// axis of all.
type Inputs struct {
	// InputIDs are tokens, [batch, time], integers.
	InputIDs nx.Tensor
	// AttentionMask is 1 at tokens and 0 at padding, [batch, time]; all are tokens without it.
	AttentionMask nx.Tensor
	// PositionIDs are the positions of tokens, [batch, time]: 0, 1, 2, … without it; RoBERTa and MPNet count tokens
	// that are not padding.
	PositionIDs nx.Tensor
	// TokenTypeIDs are the segments of tokens, [batch, time]; 0 without it.
	TokenTypeIDs nx.Tensor
	// DecoderInputIDs are the tokens of the decoder of T5 and Whisper, [batch, time].
	DecoderInputIDs nx.Tensor
	// InputFeatures are the spectra of Whisper, [batch, mels, frames], as [Mel.Apply] makes them.
	InputFeatures nx.Tensor
	// PixelValues are pictures, [batch, channels, height, width], normalised as the model was trained.
	PixelValues nx.Tensor
	// HiddenStates asks for the results of all layers.
	HiddenStates bool
}

// Outputs are the results of a model; those that it does not compute are absent.
type Outputs struct {
	// Logits are [batch, time, vocabulary] for language models, [batch, classes] for classifiers and [batch, time,
	// classes] for those of tokens.
	Logits nx.Tensor
	// LastHiddenState is the result of the last layer, normalised, [batch, time, width]; of the decoder where there are
	// two.
	LastHiddenState nx.Tensor
	// PoolerOutput is a vector of the first token, [batch, width].
	PoolerOutput nx.Tensor
	// StartLogits and EndLogits are the scores of the first and last tokens of an answer, [batch, time].
	StartLogits, EndLogits nx.Tensor
	// HiddenStates are the embedding and the results of layers, the last one normalised where the model has a norm
	// before its head; of the decoder where there are two.
	HiddenStates []nx.Tensor
	// EncoderLastHiddenState and EncoderHiddenStates are those of the encoder of T5 and Whisper.
	EncoderLastHiddenState nx.Tensor
	EncoderHiddenStates    []nx.Tensor
	// TextEmbeds and ImageEmbeds are CLIP's projections of length 1, [batch, projection]; LogitsPerImage and
	// LogitsPerText their scaled products.
	TextEmbeds, ImageEmbeds, LogitsPerImage, LogitsPerText nx.Tensor
	// TextPooled and ImagePooled are CLIP's projections before they are divided by their lengths, and the vectors
	// before the projection of a model of one side; TextLastHiddenState and ImageLastHiddenState are the results of
	// its towers.
	TextPooled, ImagePooled, TextLastHiddenState, ImageLastHiddenState nx.Tensor
}

// hidden collects the results of layers where they are asked for.
type hidden struct {
	keep bool
	list []nx.Tensor
}

func (h *hidden) add(x nx.Tensor) {
	if h.keep {
		h.list = append(h.list, x)
	}
}

// last replaces the last one by its norm.
func (h *hidden) last(x nx.Tensor) {
	if h.keep {
		h.list[len(h.list)-1] = x
	}
}
