package dev.pail.dag;

/**
 * CIDs by the way in which they were reached. Whoever has seen a CID as a value knows nothing of what it must link to; so it
 * can be reached again as something that is needed.
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
