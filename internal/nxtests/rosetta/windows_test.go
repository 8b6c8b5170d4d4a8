package rosetta_test

import "github.com/go-nx/nx"

var windows = []row{
	{"lax.reduce_window with sum, product, maximum, minimum", []pair{
		{"lax.reduce_window(a, 0., lax.add, (2, 2), (1, 1), 'VALID')", func() any {
			return nx.WindowSum(a, []int{2, 2})
		}},
		{"lax.reduce_window(a, 1., lax.mul, (2, 2), (1, 2), ((1, 0), (0, 1)))", func() any {
			return nx.WindowProd(a, []int{2, 2}, nx.Strides(1, 2), nx.Padding([2]int{1, 0}, [2]int{0, 1}))
		}},
		{"lax.reduce_window(a, -np.inf, lax.max, (2, 2), (1, 1), 'VALID', window_dilation=(1, 2))", func() any {
			return nx.WindowMax(a, []int{2, 2}, nx.Dilation(1, 2))
		}},
		{"lax.reduce_window(a, np.inf, lax.min, (2, 3), (1, 1), 'SAME')", func() any {
			return nx.WindowMin(a, []int{2, 3}, nx.Same())
		}},
	}},
	{"flax.linen.avg_pool, max_pool", []pair{
		{"flax.linen.avg_pool(x.transpose(0, 2, 3, 1), (2, 2), (2, 2)).transpose(0, 3, 1, 2)", func() any {
			return nx.WindowMean(x, []int{1, 1, 2, 2}, nx.Strides(1, 1, 2, 2))
		}},
		{"flax.linen.max_pool(x.transpose(0, 2, 3, 1), (3, 2)).transpose(0, 3, 1, 2)", func() any {
			return nx.WindowMax(x, []int{1, 1, 3, 2})
		}},
	}},
	{"lax.reduce_window", []pair{
		{"lax.reduce_window(a, 0., lambda s, x: s + x, (2, 2), (1, 1), 'VALID')", func() any {
			return nx.WindowReduce(a, 0, []int{2, 2}, func(s, x nx.Tensor) nx.Tensor { return nx.Add(s, x) })
		}},
	}},
	{"lax.select_and_scatter", []pair{
		{"jax.vjp(lambda a: lax.reduce_window(a, -np.inf, lax.max, (1, 2), (1, 2), 'VALID'), a)[1](b[:, :2])[0] " +
			"# XLA's select_and_scatter, which lax does not export", func() any {
			return nx.WindowScatterMax(a, b.At(nx.Whole, nx.To(2)), 0, []int{1, 2}, nx.Strides(1, 2))
		}},
		{"jax.vjp(lambda a: lax.reduce_window(a, np.inf, lax.min, (1, 2), (1, 2), 'VALID'), a)[1](b[:, :2])[0]",
			func() any {
				return nx.WindowScatterMin(a, b.At(nx.Whole, nx.To(2)), 0, []int{1, 2}, nx.Strides(1, 2))
			}},
	}},
	{"lax.conv_general_dilated", []pair{
		{"lax.conv_general_dilated(x, g, (1, 2), ((1, 1), (0, 1)))", func() any {
			return nx.Conv(x, g, nx.Strides(1, 2), nx.Padding([2]int{1, 1}, [2]int{0, 1}))
		}},
	}},
	{"lhs_dilation, rhs_dilation", []pair{
		{"lax.conv_general_dilated(x, g, (1, 1), ((0, 0), (0, 0)), lhs_dilation=(2, 1), rhs_dilation=(1, 2))", func() any {
			return nx.Conv(x, g, nx.InputDilation(2, 1), nx.Dilation(1, 2))
		}},
	}},
	{"feature_group_count, batch_group_count", []pair{
		{"lax.conv_general_dilated(x, g[:3, :1], (1, 1), 'VALID', feature_group_count=3)", func() any {
			return nx.Conv(x, g.At(nx.To(3), nx.To(1)), nx.FeatureGroups(3))
		}},
		{"lax.conv_general_dilated(x, g, (1, 1), 'VALID', batch_group_count=2)", func() any {
			return nx.Conv(x, g, nx.BatchGroups(2))
		}},
	}},
	{"dimension_numbers", []pair{
		{"lax.conv_general_dilated(x.transpose(0, 2, 3, 1), g.transpose(2, 3, 1, 0), (1, 1), 'VALID', " +
			"dimension_numbers=('NHWC', 'HWIO', 'NHWC'))", func() any {
			images, kernel := nx.Transpose(x, nx.Axis(0, 2, 3, 1)), nx.Transpose(g, nx.Axis(2, 3, 1, 0))
			return nx.Conv(images, kernel, nx.ChannelsLast())
		}},
		{"lax.conv_general_dilated(x.transpose(1, 0, 2, 3), g, (1, 1), 'VALID', " +
			"dimension_numbers=('CNHW', 'OIHW', 'HWNC'))", func() any {
			return nx.Conv(nx.Transpose(x, nx.Axis(1, 0, 2, 3)), g,
				nx.Layout([]int{1, 0, 2, 3}, []int{0, 1, 2, 3}, []int{2, 3, 0, 1}))
		}},
	}},
	{"a @ b; a scalar multiplies, as in np.dot", []pair{
		{"a.T @ b", func() any { return nx.Dot(nx.Transpose(a), b) }}, {"s @ e", two(nx.Dot, s, e)},
		{"v @ w", two(nx.Dot, v, w)}, {"np.dot(a, 2.5)", func() any { return nx.Dot(a, nx.New(2.5)) }},
		{"x @ x.swapaxes(2, 3)", func() any { return nx.Dot(x, nx.Transpose(x, nx.Axis(0, 1, 3, 2))) }},
	}},
	{"lax.dot_general, np.tensordot", []pair{
		{"lax.dot_general(x, x, (((3,), (3,)), ((0,), (0,))))", func() any {
			return nx.DotGeneral(x, x,
				nx.DotDims{ContractA: []int{3}, ContractB: []int{3}, BatchA: []int{0}, BatchB: []int{0}})
		}},
		{"np.tensordot(a, b, ((0, 1), (0, 1)))", func() any {
			return nx.DotGeneral(a, b, nx.DotDims{ContractA: []int{0, 1}, ContractB: []int{0, 1}})
		}},
	}},
	{"np.outer, np.einsum", []pair{
		{"np.outer(v, w)", two(nx.Outer, v, w)},
		{"np.einsum('ij,ik->jk', a, b)", func() any { return nx.Einsum("ij,ik->jk", a, b) }},
	}},
}
