// Package learn has the estimators that users of scikit-learn expect first, compiled.
//
// An estimator is a struct of options whose zero values are the defaults of scikit-learn. Fit returns a model, which
// predicts:
//
//	m, err := learn.Ridge{Alpha: .1}.Fit(x, y)
//	if err != nil {
//		return err
//	}
//	predicted := m.Predict(xTest)
//
// # Rules
//
//   - x has samples in rows and features in columns: [samples, features]. y is [samples], or [samples, targets] where
//     an estimator says so. Classes are integers or bools of any values; a model keeps them sorted.
//   - Fit checks the data: NaN, infinities, shapes that disagree, a single class, fewer samples than clusters,
//     columns that are all constant where that leaves nothing to learn. The error says which and where. No estimator
//     takes missing values.
//   - FitWeighted is Fit of samples with weights, for the estimators whose fit takes sample_weight in scikit-learn.
//   - A search that ends at its largest number of steps returns its model with an error that is [ErrNotConverged]. So
//     the choice to go on with it is the caller's.
//   - A model is a container of tensors: nx.SaveTensors saves it, nx.Jit takes it as an argument, a batch of models is
//     predicted by nx.Vmap. Its methods are made of ops of nx, so they are traced and have gradients.
//   - Fit of regressions, of [PCA] and of [StandardScaler] may be traced too: a batch of data sets is fitted by
//     nx.Vmap. What would need reading the data is not checked there: LassoModel.Converged says what the error would.
//     Classifiers read the classes, and [KMeans] and [GaussianMixture] what they found, so they are not traced.
//   - Floats are computed in f32 at least, f64 stays f64, and integers become f32, as in package linalg. Cast features
//     of different magnitudes to f64 before. Names of axes are allowed, and not kept.
//
// # Elsewhere
//
// Random forests and gradient-boosted trees branch on each sample, and gain nothing from tensors: train them with
// XGBoost, LightGBM or scikit-learn, and run them in Go with github.com/dmitryikh/leaves. Support vector machines with
// kernels have no place here either; a linear one is a [LogisticRegression] with another loss, which packages optim
// and nn/loss make.
package learn
