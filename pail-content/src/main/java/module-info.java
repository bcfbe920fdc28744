/** What the bytes of values are, and how two of them differ. */
// The command and the server are not built yet when this module is.
@SuppressWarnings("module")
module dev.pail.content {
    requires transitive dev.pail.repository;
    requires transitive dev.pail.table;
    // Not transitive: who is compiled against this module does not have the annotations.
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires transitive com.fasterxml.jackson.core;

    exports dev.pail.content to
            dev.pail.cli,
            dev.pail.server;
    exports dev.pail.content.lines to
            dev.pail.cli;
    exports dev.pail.content.merge;

    provides dev.pail.MergeRules with
            dev.pail.content.merge.PrefixRules;
}
