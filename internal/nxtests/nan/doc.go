// Package nan tests the option nx.CheckNaN and the environment variable NX_NAN, which find the op that makes a NaN.
package nan
