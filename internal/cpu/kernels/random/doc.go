// Package random has the counter-based generators of random bits.
package random
