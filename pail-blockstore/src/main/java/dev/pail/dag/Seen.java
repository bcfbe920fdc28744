package dev.pail.dag;

/**
 * The CIDs that a walk has reached, as values and as needed blocks. A CID that was reached as a value can be reached again as a needed
 * block, since only then its links must be present.
 */
public final class Seen {
    private final CidSet needed = new CidSet();
    private final CidSet values = new CidSet();

    /** Notes a link, and says whether its CID was not reached in this way before. */
    public boolean add(Link link) {
        return (link.isNeeded() ? needed : values).add(link.cid());
    }

    /** Whether a link leads to nothing new: what was reached as needed is known as a value, too. */
    public boolean contains(Link link) {
        return needed.contains(link.cid()) || (!link.isNeeded() && values.contains(link.cid()));
    }

    /** Whether a link's CID was reached as a value. */
    public boolean containsAsValue(Link link) {
        return values.contains(link.cid());
    }
}
