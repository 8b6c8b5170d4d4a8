// Package batching has the tests of package nx that are about batches: [nx.Vmap] and
// vectorised axes.
package batching
