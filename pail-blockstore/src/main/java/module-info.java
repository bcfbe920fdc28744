/** Block stores and the repository on disk. */
module dev.pail.blockstore {
    requires transitive dev.pail.core;
    requires static transitive org.jspecify;
    requires com.github.benmanes.caffeine;

    exports dev.pail.blockstore;
    exports dev.pail.car;
    exports dev.pail.repository;
}
