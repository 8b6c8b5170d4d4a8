package stablehlo

import "github.com/go-nx/nx/dtype"

// transferChecks are the checks of ops that order effects or move data in and out.
var transferChecks = checkRows{
	{OpAfterAll, checkToken},
	{OpAsyncDone, checkAsyncDone},
	{OpAsyncStart, checkAsyncStart},
	{OpCreateToken, checkToken},
	{OpInfeed, checkInfeed},
	{OpOutfeed, checkToken},
	{OpPartitionId, checkProcessID},
	{OpRecv, checkRecv},
	{OpReplicaId, checkProcessID},
	{OpSend, checkSend},
}

// The channel types of #stablehlo.channel_handle.
const (
	deviceToDevice = 1
	deviceToHost   = 2
	hostToDevice   = 3
)

func checkSend(c *check) {
	if c.transfer("send", deviceToHost) {
		c.infer(TokenType{})
	}
}

func checkRecv(c *check) {
	if c.transfer("recv", hostToDevice) {
		c.resultsThenToken("", "", "")
	}
}

// transfer checks the channel and the processes of send and recv; host is the
// type of a channel from or to the host.
func (c *check) transfer(op string, host int64) bool {
	h, ok := structOf[*ChannelHandle](c, "channel_handle")
	if !ok {
		return false
	}
	want, toHost := int64(deviceToDevice), c.Bool("is_host_transfer", false)
	if toHost {
		want = host
	}
	return c.require(h.Type == want, op+"_c5", "channel_handle has type %d, but with is_host_transfer %t it must be %d",
		h.Type, toHost, want) &&
		(c.Attr("source_target_pairs") == nil || c.sourceTargetPairs(op))
}

// resultsThenToken requires results that are tensors but for a token at the end.
func (c *check) resultsThenToken(someID, tensorID, tokenID string) bool {
	n := len(c.Results) - 1
	if !c.require(n >= 0, someID, "needs at least one result, a token") {
		return false
	}
	for i, v := range c.Results[:n] {
		if !c.require(v.Tensor() != nil, tensorID, "result %d is %s, but all results except the last must be tensors",
			i, v.Type()) {
			return false
		}
	}
	last := c.Results[n].Type()
	return c.require(SameType(last, TokenType{}), tokenID, "the last result is %s, but must be a token", last)
}

func checkInfeed(c *check) {
	if !c.resultsThenToken("infeed_c1", "infeed_c2", "infeed_c3") || c.Attr("layout") == nil {
		return
	}
	list, ok := c.Attr("layout").(ArrayAttr)
	if !c.require(ok && len(list) == len(c.Results)-1, "",
		"layout must be a list with one layout for each of the %d tensors", len(c.Results)-1) {
		return
	}
	for i, a := range list {
		layout, ok := a.(ArrayAttr)
		for _, n := range layout {
			if _, isInt := n.(IntAttr); !isInt {
				ok = false
			}
		}
		if !c.require(ok, "", "layout[%d] is %s, but must be a list of integers", i, a) {
			return
		}
	}
}

// checkToken infers a token: after_all, create_token, outfeed.
func checkToken(c *check) { c.infer(TokenType{}) }

// checkProcessID infers the number of a replica or partition.
func checkProcessID(c *check) { c.infer(Tensor(dtype.U32)) }

// asyncOps are the ops that async_start may run.
var asyncOps = [numOps]bool{
	OpAllGather: true, OpAllReduce: true, OpAllToAll: true, OpCollectiveBroadcast: true, OpCollectivePermute: true,
	OpCollectiveReduce: true, OpReduceScatter: true, OpSlice: true, OpDynamicSlice: true, OpDynamicUpdateSlice: true,
}

func checkAsyncStart(c *check) {
	const op = "async_start"
	body, results, ok := c.body(0, op+"_c1")
	if !ok ||
		!c.require(len(body.Ops) == 2, op+"_c1", "the region has %d ops, but must have one and a return",
			len(body.Ops)) ||
		!c.require(asyncOps[body.Ops[0].Code], op+"_c2",
			"the region runs %s, but only collectives and slices can run asynchronously", body.Ops[0].Name()) ||
		!c.require(len(body.Args) == len(c.Operands), op+"_c3", "has %d operands, but the region takes %d arguments",
			len(c.Operands), len(body.Args)) {
		return
	}
	for i, arg := range body.Args {
		if t := c.Operands[i].Type(); !c.require(SameType(t, arg.Type()), op+"_c3",
			"operand %d is %s, but argument %d of the region %s", i, t, i, arg.Type()) {
			return
		}
	}
	if c.require(len(results) == 1, op+"_c4", "the region returns %d values, but must return one", len(results)) {
		c.inferBy(op+"_c4", &FutureType{Elems: []Type{results[0].Type()}})
	}
}

func checkAsyncDone(c *check) {
	t, ok := c.Operands[0].Type().(*FutureType)
	if c.require(ok && len(t.Elems) == 1, "async_done_c1", "operand is %s, but must be the future of one value",
		c.Operands[0].Type()) {
		c.inferBy("async_done_c1", t.Elems[0])
	}
}
