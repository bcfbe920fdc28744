/** The command pail. */
module dev.pail.cli {
    requires dev.pail.repository;
    requires dev.pail.content;
    requires dev.pail.table;
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires info.picocli;
    requires com.fasterxml.jackson.core;
    requires de.siegmar.fastcsv;
    requires org.jline.reader;
    requires org.jline.terminal;

    uses dev.pail.repository.spi.RepositoryLocator;

    provides dev.pail.ipld.HashFunctions with
            dev.pail.cli.LibraryHashes;
}
