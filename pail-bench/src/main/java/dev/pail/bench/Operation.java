package dev.pail.bench;

/** What is measured. */
enum Operation {
    /** Each entry put alone into a map that is empty at first, so that each makes a version. */
    PUT("put", "put, one by one"),
    /** All entries put into an empty map as one version. */
    BATCH("batch", "batch"),
    /** The last entries put alone into a map that has the others. */
    PUT_MORE("putMore", "put into a full map"),
    /** Keys looked up in no order, after they were looked up before. */
    GET("get", "get"),
    /** A key looked up by a handle that was opened for it. */
    COLD_GET("coldGet", "cold get"),
    /** All entries visited in order, after they were visited before. */
    SCAN("scan", "scan"),
    /** The keys that differ between the map without the last hundred entries and with them, after that was done before. */
    DIFF("diff", "diff, 100 puts apart");

    private final String id;
    private final String title;

    Operation(String id, String title) {
        this.id = id;
        this.title = title;
    }

    /** The name that the scripts of the peers have for it. */
    String id() {
        return id;
    }

    String title() {
        return title;
    }

    /** Whether it starts with nothing and stores blocks in the time that is measured. */
    boolean makesVersions() {
        return this == PUT || this == BATCH;
    }

    static Operation of(String id) {
        for (Operation operation : values()) {
            if (operation.id.equals(id)) {
                return operation;
            }
        }
        throw new IllegalArgumentException("no such operation: " + id);
    }
}
