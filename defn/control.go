package defn

// Cond returns the result of then where the predicate holds, otherwise that of otherwise: see [nx.Cond]. An if
// statement is the same.
func Cond[R any](pred Predicate, then, otherwise func() R) R {
	if pred {
		return then()
	}
	return otherwise()
}

// Case returns the result of a branch by its number: see [nx.Case].
func Case[R any](index Tensor, branches ...func() R) R {
	return branches[max(0, min(int(index), len(branches)-1))]()
}

// While repeats step as long as more holds: see [nx.While]. A for statement is the same.
func While[S any](init S, more func(S) Predicate, step func(S) S) S {
	for more(init) {
		init = step(init)
	}
	return init
}

// Fori repeats step for i = 0, 1, … n-1: see [nx.Fori].
func Fori[N interface{ int | Tensor }, S any](n N, init S, step func(i Tensor, s S) S) S {
	for i := range int(n) {
		init = step(Tensor(i), init)
	}
	return init
}

// RuntimeCall returns f of the values of the tensors in p, which a compiled function gives it where it reaches the
// call: see [nx.RuntimeCall].
func RuntimeCall[P, R any](p P, like R, f func(P) (R, error)) R {
	r, err := f(p)
	if err != nil {
		panic(err)
	}
	return r
}
