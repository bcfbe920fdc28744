package dev.pail.through;

import dev.pail.BlockException;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.trace.Trace;
import java.util.List;

/** What a block looks like, and its links, in their order; none, if it is not what it looks like. */
record ReadLinks(Cid cid, Link.Role shape, List<Link> links) {
    static ReadLinks of(Block block) {
        Cid cid = block.cid();
        if (Links.has(cid.codec())) {
            try {
                Link.Role shape = cid.codec() == Cid.DAG_CBOR ? Links.shape(block) : Link.Role.VALUE;
                return new ReadLinks(cid, shape, Links.of(block, shape));
            } catch (BlockException | MalformedDataException e) {
                Trace.swallowed("no links of a block are followed ahead: " + cid, e);
            }
        }
        return new ReadLinks(cid, Link.Role.VALUE, List.of());
    }
}
