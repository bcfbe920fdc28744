package dev.pail.server.http;

/** The paths that several rooms of the server know. */
public final class Paths {
    /** The page, and nothing behind it. */
    public static final String PAGE = "/";

    /** What the paths of the files of the page begin with. */
    public static final String PAGE_FILES = "/explorer/";

    public static final String GATEWAY = "/ipfs/";
    public static final String HEALTH = "/healthz";
    public static final String PUSH = "/v1/push/";
    public static final String VALUE = "/v1/value";
    public static final String APPLY = "/v1/apply";
    public static final String CONFLICTS = "/v1/conflicts";

    /** What the paths of tables begin with. */
    public static final String TABLE = "/v1/table/";

    private Paths() {}
}
