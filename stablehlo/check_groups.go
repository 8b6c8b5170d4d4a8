package stablehlo

// groupRules names the constraints on the replica groups of a collective op.
type groupRules struct {
	unique, ids string // that ids are unique and number the replicas
	even        bool   // all groups have the same size: no padding with -1
	sparse      bool   // some replicas may be in no group
	size        string // when not empty, groups have want members
	want        int64
}

// replicaGroups checks the attribute replica_groups: a matrix whose rows are the
// groups, or axes of a mesh.
func (c *check) replicaGroups(r groupRules) bool {
	switch a := c.Attr("replica_groups").(type) {
	case *ElementsAttr:
		return a.Type != nil && c.groupMatrix(r, a)
	case *ReplicaGroupMeshAxes:
		return c.meshAxes(r.ids, a)
	}
	c.fail(r.ids, "replica_groups must be a matrix of integers or axes of a mesh")
	return false
}

func (c *check) groupMatrix(r groupRules, a *ElementsAttr) bool {
	dims := a.Type.Dims
	n, _ := a.Type.NumElems()
	if !c.require(len(dims) == 2, r.ids, "replica_groups has shape %s, but must be a matrix with a row for each group",
		dimsText(dims)) ||
		!c.require(n > 0 || !c.Bool("use_global_device_ids", false), r.ids,
			"replica_groups is empty, but use_global_device_ids needs groups") {
		return false
	}
	if a.Splat && n > 1 {
		c.fail(r.unique, "replica_groups must not repeat a replica, but all %d are equal", n)
		return false
	}
	ids := a.Int64s()
	seen := make(map[int64]bool, len(ids))
	for _, id := range ids {
		if id == -1 && !r.even && !r.sparse {
			continue // fills a group smaller than others
		}
		if !c.require(id >= 0, r.ids, "replica_groups holds %d, but replica ids are not negative", id) ||
			!c.require(!seen[id], r.unique, "replica_groups holds replica %d twice", id) {
			return false
		}
		seen[id] = true
	}
	for id := int64(0); !r.sparse && id < int64(len(seen)); id++ {
		if !c.require(seen[id], r.ids, "replica_groups has %d replicas, but not replica %d", len(seen), id) {
			return false
		}
	}
	return r.size == "" || c.require(dims[0] > 0 && dims[1] == r.want, r.size,
		"replica_groups has shape %s, but each group needs %d members", dimsText(dims), r.want)
}

// meshAxes checks that the axes belong to the mesh, which is inline or referenced by its symbol.
func (c *check) meshAxes(constraint string, a *ReplicaGroupMeshAxes) bool {
	known := map[string]bool{}
	switch m := a.Mesh.(type) {
	case SymbolAttr:
		return c.require(c.symbolTable() == nil || c.symbol(m.Name) != nil, constraint,
			"replica_groups: there is no mesh @%s", m.Name)
	case *Mesh:
		for _, axis := range m.Axes {
			if x, ok := axis.(*MeshAxis); ok {
				known[x.Name] = true
			}
		}
	default:
		c.fail(constraint, "replica_groups: mesh must be the symbol of a mesh or #stablehlo.mesh<…>")
		return false
	}
	for _, axis := range a.Axes {
		x, ok := axis.(*AxisRef)
		if !c.require(ok, constraint, "replica_groups: axes must be a list of #stablehlo.axis_ref<…>") ||
			!c.require(known[x.Name], constraint, "replica_groups: the mesh has no axis %q", x.Name) {
			return false
		}
	}
	return true
}
