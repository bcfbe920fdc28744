/** The map, its versions and its formats. */
// The other modules are not built yet when this one is.
@SuppressWarnings("module")
module dev.pail.core {
    // Not transitive: who is compiled against this module does not have the annotations.
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;

    exports dev.pail;
    exports dev.pail.bytes to
            dev.pail.blockstore,
            dev.pail.content,
            dev.pail.repository,
            dev.pail.table,
            dev.pail.cli;
    exports dev.pail.clock;
    exports dev.pail.clock.proof;
    exports dev.pail.ipld;
    exports dev.pail.keys;
    exports dev.pail.proof;
    exports dev.pail.sign;
    exports dev.pail.threads to
            dev.pail.blockstore,
            dev.pail.repository,
            dev.pail.cli;
    exports dev.pail.unsafe to
            dev.pail.blockstore,
            dev.pail.repository,
            dev.pail.table;
    exports dev.pail.update to
            dev.pail.repository,
            dev.pail.table;

    uses dev.pail.MergeRules;
    uses dev.pail.ipld.HashFunctions;
}
