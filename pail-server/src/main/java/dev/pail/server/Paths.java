package dev.pail.server;

/** The paths that several rooms of the server know. */
final class Paths {
    /** The page, and nothing behind it. */
    static final String PAGE = "/";

    /** What the paths of the files of the page begin with. */
    static final String PAGE_FILES = "/explorer/";

    static final String GATEWAY = "/ipfs/";
    static final String HEALTH = "/healthz";
    static final String PUSH = "/v1/push/";
    static final String VALUE = "/v1/value";
    static final String APPLY = "/v1/apply";

    private Paths() {}
}
