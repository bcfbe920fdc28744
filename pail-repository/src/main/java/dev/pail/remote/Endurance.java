package dev.pail.remote;

/**
 * Decides whether a transfer that broke off continues on a new connection: as long as connections bring something. So no remote keeps a
 * peer for ever with connections that break. Rule SY16. For one transfer, by one thread.
 */
final class Endurance {
    /** A connection that brings fewer bytes of new blocks is a weak one. */
    static final int LEAST = 64 << 10;

    /** How many weak connections may follow each other. */
    static final int MOST_WEAK = 2;

    static final int MOST_CONNECTIONS = 1000;

    private int connections = 1;
    private int weak;
    private boolean hasBegun;

    /**
     * Whether the transfer continues.
     *
     * @param gained the bytes of new blocks that the connection which broke has brought
     */
    boolean continuesAfter(long gained) {
        hasBegun |= gained > 0;
        weak = gained >= LEAST ? 0 : weak + 1;
        connections++;
        return hasBegun && weak <= MOST_WEAK && connections <= MOST_CONNECTIONS;
    }
}
