"""Models of tables, by scikit-learn, LightGBM and XGBoost: tabular.py FOLDER [REGEXP].

It needs scikit-learn, skl2onnx, lightgbm, xgboost, onnxmltools, onnx and onnxruntime."""
import re
import sys
import warnings

import numpy as np

from case import Writer

warnings.filterwarnings("ignore")

import lightgbm
import xgboost
from onnxmltools.convert.lightgbm.operator_converters.LightGbm import convert_lightgbm
from onnxmltools.convert.xgboost.operator_converters.XGBoost import convert_xgboost
from skl2onnx import convert_sklearn, update_registered_converter
from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType, Int64TensorType
from skl2onnx.common.shape_calculator import calculate_linear_classifier_output_shapes, calculate_linear_regressor_output_shapes
from sklearn import ensemble, linear_model, naive_bayes, neighbors, neural_network, pipeline, preprocessing, svm, tree
from sklearn import calibration, cluster, compose, decomposition, discriminant_analysis, feature_selection, gaussian_process, impute, isotonic, multiclass
from sklearn.datasets import make_classification, make_regression

for cls, alias, conv, shape in [
    (lightgbm.LGBMClassifier, "LightGbmLGBMClassifier", convert_lightgbm, calculate_linear_classifier_output_shapes),
    (lightgbm.LGBMRegressor, "LightGbmLGBMRegressor", convert_lightgbm, calculate_linear_regressor_output_shapes),
    (xgboost.XGBClassifier, "XGBoostXGBClassifier", convert_xgboost, calculate_linear_classifier_output_shapes),
    (xgboost.XGBRegressor, "XGBoostXGBRegressor", convert_xgboost, calculate_linear_regressor_output_shapes),
]:
    options = {"nocl": [True, False], "zipmap": [True, False, "columns"], "raw_scores": [True, False]} if "Class" in alias else {}
    if alias == "LightGbmLGBMRegressor":
        options = {"split": None}
    update_registered_converter(cls, alias, shape, conv, options=options)


def main():
    w = Writer(sys.argv[1], re.compile(sys.argv[2]) if len(sys.argv) > 2 else None)
    rng = np.random.default_rng(1)

    def data(classes):
        x, y = make_classification(240, 7, n_informative=5, n_redundant=1, n_classes=classes, random_state=classes)
        return x.astype(np.float32), y

    x_reg, y_reg = make_regression(240, 7, n_informative=5, random_state=0)
    x_reg, y_reg = x_reg.astype(np.float32), (y_reg / 50).astype(np.float32)

    def export(name, model, x, y=None, kind=FloatTensorType, options=None, opset=None, rows=17, inputs=None):
        if w.only and not w.only.search(name):
            return
        try:
            model.fit(x, y) if y is not None else model.fit(x)
        except Exception as e:
            w.refused.append(f"{name}: fit: {str(e)[:200]}")
            return
        sample = (x[:rows] + 0.05 * rng.standard_normal(x[:rows].shape)).astype(x.dtype) if x.dtype.kind == "f" else x[:rows]
        try:
            proto = convert_sklearn(model, initial_types=[("x", kind([None, x.shape[1]]))], options=options, target_opset=opset or {"": 17, "ai.onnx.ml": 3})
        except Exception as e:
            w.refused.append(f"{name}: export: {type(e).__name__} {str(e)[:200]}")
            return
        w.model(name, proto, [{"x": sample}, {"x": sample[:1]}])

    def classifiers():
        yield "tree", tree.DecisionTreeClassifier(max_depth=6, random_state=0)
        yield "forest", ensemble.RandomForestClassifier(12, max_depth=6, random_state=0)
        yield "extra", ensemble.ExtraTreesClassifier(9, random_state=0)
        yield "boosting", ensemble.GradientBoostingClassifier(n_estimators=8, random_state=0)
        yield "hist", ensemble.HistGradientBoostingClassifier(max_iter=9, random_state=0)
        yield "ada", ensemble.AdaBoostClassifier(n_estimators=6, random_state=0)
        yield "bagging", ensemble.BaggingClassifier(n_estimators=4, random_state=0)
        yield "logistic", linear_model.LogisticRegression()
        yield "ridge", linear_model.RidgeClassifier()
        yield "sgd", linear_model.SGDClassifier(random_state=0)
        yield "sgd_log", linear_model.SGDClassifier(loss="log_loss", random_state=0)
        yield "perceptron", linear_model.Perceptron(random_state=0)
        yield "lda", discriminant_analysis.LinearDiscriminantAnalysis()
        yield "qda", discriminant_analysis.QuadraticDiscriminantAnalysis()
        yield "linear_svc", svm.LinearSVC()
        for k in ("rbf", "linear", "poly", "sigmoid"):
            yield f"svc_{k}", svm.SVC(kernel=k, random_state=0)
            yield f"svc_{k}_proba", svm.SVC(kernel=k, probability=True, random_state=0)
        yield "nu_svc", svm.NuSVC(nu=0.3, probability=True, random_state=0)
        yield "knn", neighbors.KNeighborsClassifier(3)
        yield "mlp", neural_network.MLPClassifier((8,), max_iter=60, random_state=0)
        yield "gaussian_nb", naive_bayes.GaussianNB()
        yield "lgbm", lightgbm.LGBMClassifier(n_estimators=9, num_leaves=9, verbose=-1)
        yield "xgb", xgboost.XGBClassifier(n_estimators=7, max_depth=4)
        yield "ovr", multiclass.OneVsRestClassifier(linear_model.LogisticRegression())
        yield "voting", ensemble.VotingClassifier([("a", linear_model.LogisticRegression()), ("b", tree.DecisionTreeClassifier(max_depth=3))], voting="soft")
        yield "calibrated", calibration.CalibratedClassifierCV(tree.DecisionTreeClassifier(max_depth=3), cv=2)

    for classes in (2, 4):
        x, y = data(classes)
        for name, model in classifiers():
            export(f"ml_{name}_{classes}", model, x, y, options={"zipmap": False})
    x, y = data(3)
    export("ml_forest_labels", ensemble.RandomForestClassifier(5, random_state=0), x, y * 7 - 3, options={"zipmap": False})
    export("ml_forest_double", ensemble.RandomForestClassifier(5, random_state=0), x.astype(np.float64), y, DoubleTensorType, {"zipmap": False})
    export("ml_logistic_double", linear_model.LogisticRegression(), x.astype(np.float64), y, DoubleTensorType, {"zipmap": False})
    xi = np.clip(np.round(x * 4), -9, 9).astype(np.int64)
    export("ml_forest_ints", ensemble.RandomForestClassifier(5, random_state=0), xi, y, Int64TensorType, {"zipmap": False})
    export("ml_logistic_ints", linear_model.LogisticRegression(), xi, y, Int64TensorType, {"zipmap": False})
    export("ml_forest_raw", ensemble.GradientBoostingClassifier(n_estimators=5), x, y, options={"zipmap": False, "raw_scores": True})
    export("ml_forest_v5", ensemble.RandomForestClassifier(5, random_state=0), x, y, options={"zipmap": False}, opset={"": 21, "ai.onnx.ml": 5})
    export("ml_forest_old", ensemble.RandomForestClassifier(5, random_state=0), x, y, options={"zipmap": False}, opset={"": 9, "ai.onnx.ml": 1})
    export("ml_nocl", ensemble.RandomForestClassifier(5, random_state=0), x, y, options={"zipmap": False, "nocl": True})
    export("ml_decision_leaf", tree.DecisionTreeClassifier(max_depth=5), x, y, options={"zipmap": False, "decision_leaf": True})
    gaps = x.copy()
    gaps[::3, 1] = np.nan
    gaps[::4, 3] = np.nan
    for name, model in [("lgbm", lightgbm.LGBMClassifier(n_estimators=6, verbose=-1)), ("xgb", xgboost.XGBClassifier(n_estimators=6)), ("hist", ensemble.HistGradientBoostingClassifier(max_iter=5))]:
        export(f"ml_{name}_gaps", model, gaps, y, options={"zipmap": False})

    for name, model in [
        ("tree", tree.DecisionTreeRegressor(max_depth=6, random_state=0)),
        ("forest", ensemble.RandomForestRegressor(9, random_state=0)),
        ("extra", ensemble.ExtraTreesRegressor(5, random_state=0)),
        ("boosting", ensemble.GradientBoostingRegressor(n_estimators=9)),
        ("hist", ensemble.HistGradientBoostingRegressor(max_iter=9)),
        ("ada", ensemble.AdaBoostRegressor(n_estimators=4, random_state=0)),
        ("linear", linear_model.LinearRegression()),
        ("ridge", linear_model.Ridge()), ("lasso", linear_model.Lasso(0.1)), ("bayes", linear_model.BayesianRidge()),
        ("svr_rbf", svm.SVR()), ("svr_linear", svm.SVR(kernel="linear")), ("svr_poly", svm.SVR(kernel="poly")),
        ("svr_sigmoid", svm.SVR(kernel="sigmoid")), ("linear_svr", svm.LinearSVR()), ("nu_svr", svm.NuSVR()),
        ("knn", neighbors.KNeighborsRegressor(3)), ("mlp", neural_network.MLPRegressor((8,), max_iter=50, random_state=0)),
        ("lgbm", lightgbm.LGBMRegressor(n_estimators=9, verbose=-1)), ("xgb", xgboost.XGBRegressor(n_estimators=9)),
        ("poisson", linear_model.PoissonRegressor()), ("gp", gaussian_process.GaussianProcessRegressor()),
    ]:
        export(f"ml_reg_{name}", model, x_reg, abs(y_reg) if name == "poisson" else y_reg)
    many = np.stack([y_reg, -y_reg, y_reg**2], 1)
    export("ml_reg_forest_many", ensemble.RandomForestRegressor(5, random_state=0), x_reg, many)
    export("ml_reg_linear_many", linear_model.LinearRegression(), x_reg, many)
    export("ml_reg_forest_double", ensemble.RandomForestRegressor(5, random_state=0), x_reg.astype(np.float64), y_reg, DoubleTensorType)
    for loss in ("binary:logistic", "reg:tweedie", "count:poisson"):
        export(f"ml_reg_xgb_{loss.split(':')[1]}", xgboost.XGBRegressor(n_estimators=5, objective=loss), x_reg, (y_reg > 0) * 1.0)
    export("ml_one_class", svm.OneClassSVM(), x_reg)
    export("ml_isolation", ensemble.IsolationForest(n_estimators=6, random_state=0), x_reg, rows=16)
    export("ml_outlier", neighbors.LocalOutlierFactor(novelty=True), x_reg)
    export("ml_kmeans", cluster.KMeans(3, random_state=0), x_reg)
    export("ml_pca", decomposition.PCA(3), x_reg)
    for name, model in [
        ("standard", preprocessing.StandardScaler()), ("minmax", preprocessing.MinMaxScaler()), ("maxabs", preprocessing.MaxAbsScaler()),
        ("robust", preprocessing.RobustScaler()), ("binarizer", preprocessing.Binarizer()), ("l1", preprocessing.Normalizer("l1")),
        ("l2", preprocessing.Normalizer("l2")), ("max", preprocessing.Normalizer("max")), ("poly", preprocessing.PolynomialFeatures(2)),
        ("bins", preprocessing.KBinsDiscretizer(4, encode="ordinal")), ("bins_onehot", preprocessing.KBinsDiscretizer(4, encode="onehot-dense")),
        ("power", preprocessing.PowerTransformer()), ("best", feature_selection.SelectKBest(k=3)),
        ("variance", feature_selection.VarianceThreshold()),
    ]:
        export(f"ml_pre_{name}", model, x_reg, y_reg if name == "best" else None)
    for strategy in ("mean", "median", "most_frequent"):
        export(f"ml_impute_{strategy}", impute.SimpleImputer(strategy=strategy), gaps)
    export("ml_impute_knn", impute.KNNImputer(n_neighbors=2), gaps)
    cats = np.abs(xi) % 5
    export("ml_onehot", preprocessing.OneHotEncoder(handle_unknown="ignore"), cats, kind=Int64TensorType)
    export("ml_ordinal", preprocessing.OrdinalEncoder(), cats, kind=Int64TensorType)
    export("ml_pipeline", pipeline.make_pipeline(impute.SimpleImputer(), preprocessing.StandardScaler(), ensemble.RandomForestClassifier(4, random_state=0)), gaps, y, options={"zipmap": False})
    export("ml_columns", pipeline.make_pipeline(compose.ColumnTransformer([("a", preprocessing.StandardScaler(), [0, 2, 3]), ("b", preprocessing.MinMaxScaler(), [1, 5])], remainder="passthrough"), linear_model.LogisticRegression()), x, y, options={"zipmap": False})
    w.done()


main()
