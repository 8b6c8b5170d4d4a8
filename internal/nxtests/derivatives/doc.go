// Package derivatives has the tests of package nx that are about derivatives: forward and
// reverse mode, of second order, custom rules, checkpoints.
package derivatives
