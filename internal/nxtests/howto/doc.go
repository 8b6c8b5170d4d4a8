// Package howto has the test of the pages of docs/howto.
package howto
