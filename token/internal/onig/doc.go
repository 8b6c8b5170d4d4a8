// Package onig matches regular expressions in the syntax of Oniguruma, in which tokenizer.json has them: lookahead and
// lookbehind, atomic groups, possessive repetition, classes of Unicode, intersections of classes. It backtracks within
// a budget of steps, so that no pattern and no text can hold a program up.
//
// Compile refuses what it does not know: absent groups, callouts, conditionals, recursion, \X, \K and \G's relatives.
// Case is ignored by pairs of single characters, so "ss" is not "ß".
//
// Source: doc/RE of Oniguruma 6.9.
package onig
