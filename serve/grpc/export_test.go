package grpc

// Elements is for tests.
var Elements = elements

// StatusOf is for tests.
var StatusOf = statusOf
