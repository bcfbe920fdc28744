/** The map, its versions and its formats. */
module dev.pail.core {
    requires static transitive org.jspecify;
    requires copper.multibase;
    requires copper.multicodec;

    exports dev.pail;
    exports dev.pail.ipld;
}
