package sched

// maxSearched is the number of temporaries up to which each is placed among all others. Guard: that takes quadratic
// time.
const maxSearched = 4096
