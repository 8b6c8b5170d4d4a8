// Package move copies, fills and reverses elements of any size.
package move
