// Package tokenizers has the test that encodes and decodes recorded texts.
package tokenizers
