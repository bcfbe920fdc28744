/** The map, its versions and its formats. */
module dev.pail.core {
    requires static transitive org.jspecify;

    exports dev.pail;
    exports dev.pail.clock;
    exports dev.pail.ipld;
    exports dev.pail.keys;
}
