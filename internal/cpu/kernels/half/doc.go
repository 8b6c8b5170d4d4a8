// Package half converts between float32 and its halves, float16 and bfloat16.
package half
