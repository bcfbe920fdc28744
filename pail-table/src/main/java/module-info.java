/** Tables of JSON documents in a pail. */
module dev.pail.table {
    requires transitive dev.pail.core;
    // Not transitive: who is compiled against this module does not have the annotations.
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires com.fasterxml.jackson.core;

    exports dev.pail.table;

    provides dev.pail.MergeRules with
            dev.pail.table.TableRules;
}
