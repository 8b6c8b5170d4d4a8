// Package conformance runs self-checking StableHLO programs: files whose
// functions compute something and check it with check.* ops.
package conformance
