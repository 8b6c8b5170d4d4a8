package transformers

import "github.com/go-nx/nx"

// family is a row of the table of model types.
type family struct {
	build func(c *config, h head) built
	heads map[string]head // by architecture
}

// network builds the network of a configuration; sizes that no tensor can have are an error of the configuration.
func (f family) network(c *config, h head) (b built) {
	var err error
	defer func() {
		if err != nil {
			c.fail("its sizes are not possible: %v", err)
		}
	}()
	defer nx.Catch(&err)
	return f.build(c, h)
}

// head is what follows the last hidden state of a network.
type head int

const (
	headNone head = iota
	headLM
	headMaskedLM
	headClasses
	headTokens
	headAnswer
	headConditional // the tokens of a decoder with an encoder
	headEncoder     // none, and no decoder
	headProjection
)

// families are the model types that are known.
var families = map[string]family{
	"gpt2":        {gpt2, languageHeads("GPT2LMHeadModel", "GPT2Model")},
	"gpt_neox":    {gptNeoX, languageHeads("GPTNeoXForCausalLM", "GPTNeoXModel")},
	"llama":       {llama, languageHeads("LlamaForCausalLM", "LlamaModel")},
	"mistral":     {mistral, languageHeads("MistralForCausalLM", "MistralModel")},
	"qwen2":       {qwen2, languageHeads("Qwen2ForCausalLM", "Qwen2Model")},
	"qwen3":       {qwen3, languageHeads("Qwen3ForCausalLM", "Qwen3Model")},
	"smollm3":     {smolLM3, languageHeads("SmolLM3ForCausalLM", "SmolLM3Model")},
	"gemma":       {gemma, languageHeads("GemmaForCausalLM", "GemmaModel")},
	"gemma2":      {gemma2, languageHeads("Gemma2ForCausalLM", "Gemma2Model")},
	"gemma3_text": {gemma3, languageHeads("Gemma3ForCausalLM", "Gemma3TextModel")},
	"phi":         {phi, languageHeads("PhiForCausalLM", "PhiModel")},
	"phi3":        {phi3, languageHeads("Phi3ForCausalLM", "Phi3Model")},

	"bert":        {bert, textHeads("Bert")},
	"roberta":     {roberta, textHeads("Roberta")},
	"xlm-roberta": {roberta, textHeads("XLMRoberta")},
	"camembert":   {roberta, textHeads("Camembert")},
	"distilbert":  {distilBERT, textHeads("DistilBert")},
	"mpnet":       {mpnet, textHeads("MPNet")},
	"modernbert":  {modernBERT, textHeads("ModernBert")},

	"t5":      {t5, seq2seqHeads("T5")},
	"mt5":     {t5, seq2seqHeads("MT5")},
	"whisper": {whisper, seq2seqHeads("Whisper")},

	"vit":  {vit, map[string]head{"ViTModel": headNone, "ViTForImageClassification": headClasses}},
	"clip": {clip, map[string]head{"CLIPModel": headNone}},
	"clip_text_model": {clipText, map[string]head{"CLIPTextModel": headNone,
		"CLIPTextModelWithProjection": headProjection}},
	"clip_vision_model": {clipVision, map[string]head{"CLIPVisionModel": headNone,
		"CLIPVisionModelWithProjection": headProjection}},
}

func languageHeads(model, base string) map[string]head {
	return map[string]head{model: headLM, base: headNone}
}

func textHeads(name string) map[string]head {
	return map[string]head{name + "Model": headNone, name + "ForMaskedLM": headMaskedLM,
		name + "ForSequenceClassification": headClasses, name + "ForTokenClassification": headTokens,
		name + "ForQuestionAnswering": headAnswer}
}

func seq2seqHeads(name string) map[string]head {
	heads := map[string]head{name + "ForConditionalGeneration": headConditional, name + "Model": headNone}
	if name != "Whisper" {
		heads[name+"EncoderModel"] = headEncoder
	}
	return heads
}
