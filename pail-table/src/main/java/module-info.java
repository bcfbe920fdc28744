/** Tables of JSON documents in a pail. */
module dev.pail.table {
    requires transitive dev.pail.core;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.pail.table;
}
