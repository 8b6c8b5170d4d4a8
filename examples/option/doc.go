// Package option is the first example of README.md: what the command defn makes of the definitions in the folder defs.
package option
