package rosetta_test

import "github.com/go-nx/nx"

var shapes = []row{
	{"a.reshape, a.ravel()", []pair{
		{"a.reshape(2, -1)", func() any { return nx.Reshape(a, 2, -1) }},
		{"a.ravel()", func() any { return nx.Flatten(a) }},
	}},
	{"a.T, np.transpose(a, axes)", []pair{
		{"a.T", func() any { return nx.Transpose(a) }},
		{"np.transpose(x, (3, 0, 2, 1))", func() any { return nx.Transpose(x, nx.Axis(3, 0, 2, 1)) }},
	}},
	{"np.expand_dims, np.squeeze", []pair{
		{"np.expand_dims(a, 1)", func() any { return nx.ExpandAxis(a, nx.Axis(1)) }},
		{"np.squeeze(a[None])", func() any { return nx.Squeeze(nx.ExpandAxis(a)) }},
	}},
	{"np.broadcast_to, np.tile", []pair{
		{"np.broadcast_to(v, (2, 5))", func() any { return nx.BroadcastTo(v, 2, 5) }},
		{"np.tile(a, (2, 3))", func() any { return nx.Tile(a, 2, 3) }},
	}},
	{"np.concatenate, np.stack, np.split", []pair{
		{"np.concatenate([a, b], 1)", func() any { return nx.Concatenate([]nx.Tensor{a, b}, nx.Axis(1)) }},
		{"np.stack([a, b], -1)", func() any { return nx.Stack([]nx.Tensor{a, b}, nx.Axis(-1)) }},
		{"np.split(a, [1, 3], 1)", func() any { return nx.Split(a, []int{1, 2, 1}, nx.Axis(1)) }},
	}},
	{"np.pad, lax.pad, np.flip", []pair{
		{"np.pad(a, ((1, 0), (0, 2)), constant_values=7)", func() any {
			return nx.Pad(a, 7, [2]int{1, 0}, [2]int{0, 2})
		}},
		{"lax.pad(a, 7., ((1, 0, 1), (-1, 2, 0)))", func() any {
			return nx.PadInterior(a, 7, []int{1, 0}, [2]int{1, 0}, [2]int{-1, 2})
		}},
		{"np.flip(a, 1)", func() any { return nx.Reverse(a, nx.Axis(1)) }},
		{"np.flip(a)", func() any { return nx.Reverse(a) }},
	}},
	{"np.tril, np.triu", []pair{
		{"np.tril(a, 1)", func() any { return nx.Tril(a, 1) }},
		{"np.triu(a, -1)", func() any { return nx.Triu(a, -1) }},
	}},
	{"np.diagonal, np.fill_diagonal", []pair{
		{"np.diagonal(a, 1)", func() any { return nx.Diagonal(a, 1) }},
		{"(lambda s: [np.fill_diagonal(s, v[:3]), s][1])(s.copy())", func() any {
			return nx.SetDiagonal(s, v.At(nx.To(3)), 0)
		}},
	}},
	{"np.roll, np.repeat", []pair{
		{"np.roll(a, 2)", func() any { return nx.Roll(a, 2) }}, {"np.roll(a, -1, 1)", func() any {
			return nx.Roll(a, -1, nx.Axis(1))
		}},
		{"np.repeat(a, 2, 0)", func() any { return nx.Repeat(a, 2) }},
	}},
	{`np.pad(mode="edge"), reflect, symmetric, wrap`, []pair{
		{"np.pad(v, (2, 1), mode='edge')", func() any { return nx.PadWith(v, nx.PadEdge, [2]int{2, 1}) }},
		{"np.pad(v, (2, 1), mode='reflect')", func() any { return nx.PadWith(v, nx.PadReflect, [2]int{2, 1}) }},
		{"np.pad(v, (2, 1), mode='symmetric')", func() any { return nx.PadWith(v, nx.PadSymmetric, [2]int{2, 1}) }},
		{"np.pad(v, (2, 1), mode='wrap')", func() any { return nx.PadWith(v, nx.PadWrap, [2]int{2, 1}) }},
	}},
	{"a loop over a[i:i+n]", []pair{
		{"[v[i:i+2] for i in range(0, 4, 2)]", func() any {
			var parts []nx.Tensor
			for part := range nx.Batches(v.At(nx.To(4)), 2) {
				parts = append(parts, part)
			}
			return parts
		}},
	}},
	{"enumerate(a)", []pair{
		{"list(enumerate(a))", func() any {
			var each []any
			for i, row := range nx.Rows(a) {
				each = append(each, i, row)
			}
			return each
		}},
	}},

	{"a[1], a[-1], a[1:3], a[::2]", []pair{
		{"[a[1], a[-1], a[1:3], a[::2]]", func() any {
			return list(a.At(1), a.At(-1), a.At(nx.Range(1, 3)), a.At(nx.From(0).Step(2)))
		}},
	}},
	{"a[2:], a[:2], a[..., 0], a[None]", []pair{
		{"[a[2:], a[:2], a[..., 0], a[None]]", func() any {
			return list(a.At(nx.From(2)), a.At(nx.To(2)), a.At(nx.Ellipsis, 0), a.At(nx.NewAxis))
		}},
	}},
	{"lax.dynamic_index_in_dim(keepdims=False)", []pair{
		{"[lax.dynamic_index_in_dim(a, n, keepdims=False) for n in (1, -1, 9)]", func() any {
			return list(a.At(nx.New(1)), a.At(nx.New(-1)), a.At(nx.New(9)))
		}},
	}},
	{"lax.dynamic_slice", []pair{
		{"[lax.dynamic_slice(a, n, (2, 3)) for n in [(0, 1), (2, 3), (-2, -4), (-9, 9)]]", func() any {
			var parts []nx.Tensor
			for _, n := range [][]int{{0, 1}, {2, 3}, {-2, -4}, {-9, 9}} {
				parts = append(parts, nx.Slice(a, n, []int{2, 3}))
			}
			return parts
		}},
		{"jax.vmap(lambda n: lax.dynamic_slice(v, (n,), (2,)))(k)", func() any {
			return nx.Vmap(func(n nx.Tensor) nx.Tensor { return nx.Slice(v, []nx.Tensor{n}, []int{2}) })(k)
		}},
	}},
	{"a.at[i].set(v), a.at[i].add(v)", []pair{
		{"jnp.array(a).at[1].set(w[:4])", func() any { return nx.SetAt(a, w.At(nx.To(4)), 1) }},
		{"jnp.array(a).at[:, 1:3].add(2)", func() any { return nx.AddAt(a, 2, nx.Whole, nx.Range(1, 3)) }},
	}},
	{"lax.dynamic_update_slice", []pair{
		{"[lax.dynamic_update_slice(a, s[:2, :2], n) for n in [(0, 1), (2, 3), (-2, -4), (-9, 9)]]", func() any {
			var all []nx.Tensor
			for _, n := range [][]int{{0, 1}, {2, 3}, {-2, -4}, {-9, 9}} {
				all = append(all, nx.SetSlice(a, nx.Slice(s, []int{0, 0}, []int{2, 2}), n[0], n[1]))
			}
			return all
		}},
		{"jnp.array(a).at[1:3, :2].add(s[:2, :2])", func() any {
			return nx.AddSlice(a, nx.Slice(s, []int{0, 0}, []int{2, 2}), 1, 0)
		}},
	}},
	{"np.take, np.take_along_axis", []pair{
		{"np.take(a, [2, -1, 0], 1)", func() any { return nx.Take(a, nx.New([]int{2, -1, 0}), nx.Axis(1)) }},
		{"np.take_along_axis(a, np.argsort(a, 1), 1)", func() any {
			return nx.TakeAlong(a, nx.ArgSort(a), nx.Axis(1))
		}},
	}},
	{"a[i, j] with arrays", []pair{
		{"a[[0, 2, -1], [1, 3, 0]]", func() any { return nx.Gather(a, nx.New([][]int{{0, 1}, {2, 3}, {-1, 0}})) }},
	}},
	{"a.at[i, j].add(v), .set(v) with arrays", []pair{
		{"jnp.array(a).at[np.array([0, 2, 0]), np.array([1, 3, 1])].add(v[:3])", func() any {
			return nx.AddGather(a, nx.New([][]int{{0, 1}, {2, 3}, {0, 1}}), v.At(nx.To(3)))
		}},
		{"jnp.array(a).at[np.array([0, 2]), np.array([1, -1])].set(v[:2])", func() any {
			return nx.SetGather(a, nx.New([][]int{{0, 1}, {2, -1}}), v.At(nx.To(2)))
		}},
	}},
	{"jax.ops.segment_sum, segment_prod", []pair{
		{"jax.ops.segment_sum(v, k, 5)", func() any { return nx.SegmentSum(v, k, 5) }},
		{"jax.ops.segment_prod(v, k, 5)", func() any { return nx.SegmentProd(v, k, 5) }},
	}},
	{"jax.ops.segment_max, segment_min", []pair{
		{"jax.ops.segment_max(v, k, 5)", func() any { return nx.SegmentMax(v, k, 5) }},
		{"jax.ops.segment_min(v, k, 5)", func() any { return nx.SegmentMin(v, k, 5) }},
	}},
	{"tf.math.unsorted_segment_mean", []pair{
		{"jax.ops.segment_sum(v, k, 5) / np.maximum(np.bincount(k, minlength=5), 1)  # unsorted_segment_mean",
			func() any { return nx.SegmentMean(v, k, 5) }},
	}},
	{"jnp.nonzero(size=n)", []pair{
		{"[jnp.stack(jnp.nonzero(a > 1, size=5), 1), (a > 1).sum()]", func() any {
			at, n := nx.NonZero(nx.Greater(a, 1), 5)
			return list(at, n)
		}},
	}},
}
