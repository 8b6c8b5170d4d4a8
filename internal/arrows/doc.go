// Package arrows holds the rule of who may import whom: the list in
// arrows.txt, and a test that fails on any import that is not in it.
package arrows
