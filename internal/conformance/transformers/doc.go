// Package transformers has the test of models of package transformers against recorded outputs.
package transformers
