// Package errors has the tests of package nx that are about mistakes: the message, code and
// place of each, and how calls end whose Go functions fail.
package errors
