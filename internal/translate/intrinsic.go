package translate

// intrinsic is what emit needs to know of a function of package nx: internal/cmd/intrinsics says what the letters of
// roles mean.
type intrinsic struct {
	roles    string
	operands int // type parameters, which a function value needs
}

// rolesOf returns the roles of the parameters of a function.
func rolesOf(pkg, name string) string {
	if pkg == "debug" {
		return map[string]string{"Hook": "scc", "PrintValue": "sc", "InspectExpr": "c"}[name]
	}
	return intrinsics[pkg+"."+name].roles
}

// home returns the package below nx that has the function of a name in package defn (pkg "nx"), or in one below it.
func home(pkg, name string) string {
	switch {
	case pkg == "nx" && name == "Norm":
		return "linalg"
	case pkg == "nx" && (name == "Hook" || name == "PrintValue" || name == "InspectExpr"):
		return "debug"
	case pkg == "nn" && moved[name]:
		return "nx" // an activation of package nx
	}
	return pkg
}

// original returns the name in nx of a function of package defn or one below it.
func original(pkg, name string) string {
	if pkg == "nn" && name == "Standardize" {
		return "LayerNorm" // which is the name of a layer there
	}
	return name
}

// pathOf returns the path of nx or a package below it.
func pathOf(pkg string) string {
	if pkg == "nx" {
		return modulePath
	}
	return modulePath + "/" + pkg
}
