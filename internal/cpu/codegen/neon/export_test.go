package neon

import "github.com/go-nx/nx/internal/cpu/asm/amd64"

// Translates reports whether an instruction has a translation.
func Translates(op amd64.Op) bool { return translations[op] != nil }
