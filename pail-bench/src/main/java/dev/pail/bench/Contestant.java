package dev.pail.bench;

import dev.pail.ShardFormat;

/** A library to measure. */
enum Contestant {
    V0("v0", "v0"),
    V1("v1", "v1"),
    NPM_05("npm-0.5", "npm pail 0.5.0"),
    NPM_06("npm-0.6", "npm pail 0.6.2"),
    MST("mst", "atproto MST 0.9.1"),
    PROLLY("prolly", "prolly-trees 1.0.4"),
    MVSTORE("mvstore", "H2 MVStore");

    private final String id;
    private final String title;

    Contestant(String id, String title) {
        this.id = id;
        this.title = title;
    }

    String id() {
        return id;
    }

    String title() {
        return title;
    }

    /** Whether it is this project. */
    boolean isOurs() {
        return this == V0 || this == V1;
    }

    /** Whether Node.js runs it. */
    boolean isNode() {
        return this == NPM_05 || this == NPM_06 || this == MST || this == PROLLY;
    }

    static Contestant of(String id) {
        for (Contestant contestant : values()) {
            if (contestant.id.equals(id)) {
                return contestant;
            }
        }
        throw new IllegalArgumentException("no such contestant: " + id);
    }

    /** An empty map, if it runs in this process. */
    Store empty() {
        return switch (this) {
            case V0 -> PailStore.empty(ShardFormat.v0());
            case V1 -> PailStore.empty(ShardFormat.v1());
            case MVSTORE -> new MvStore();
            default -> throw new IllegalArgumentException(id + " runs in a process of its own");
        };
    }

    /** An empty map that finds out its floor; only ours do. */
    Store hashed() {
        return PailStore.hashed(this == V0 ? ShardFormat.v0() : ShardFormat.v1());
    }
}
