// Package shapes has the tests of package nx that are about shapes, names of axes and
// indices.
package shapes
