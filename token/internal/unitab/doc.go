// Package unitab holds the classes of characters that tokenizers go by, each of the age that the reference library has.
//
// The reference mixes tables: general categories of Unicode 16 in regular expressions, punctuation and marks of Unicode
// 8 and 9, normalisation forms of Unicode 9, lower case and grapheme clusters of Unicode 17. The standard library has
// one age, which moves with the toolchain, so all tables are kept here (ztables_gen.go), packed.
package unitab
