// Package load has the tests of package nx that are about loaded programs: of StableHLO,
// exports of JAX and bundles of PyTorch/XLA, with their weights.
package load
