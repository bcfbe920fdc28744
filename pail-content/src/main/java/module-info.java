/** What the bytes of values are, and how two of them differ. */
// java-diff-utils has no module descriptor, and the command is not built yet when this module is.
@SuppressWarnings({"requires-automatic", "module"})
module dev.pail.content {
    requires transitive dev.pail.repository;
    requires transitive dev.pail.table;
    // Not transitive: who is compiled against this module does not have the annotations.
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires io.github.javadiffutils;

    exports dev.pail.content to
            dev.pail.cli;
    exports dev.pail.content.lines to
            dev.pail.cli;
}
