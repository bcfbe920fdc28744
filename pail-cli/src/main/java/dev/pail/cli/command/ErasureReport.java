package dev.pail.cli.command;

import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.remote.ErasureExchange;
import dev.pail.remote.Remote;
import dev.pail.remote.RemoteException;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.RepositoryException;
import java.util.List;

/** Exchanges the records of erased blocks with a remote, and says what came of it. */
public final class ErasureReport {
    private ErasureReport() {}

    /** Takes the records of a remote, before its versions. */
    public static void fetch(Terminal terminal, Repository repository, Remote remote) {
        List<Erasure> taken;
        try {
            taken = ErasureExchange.of(repository, remote).fetch();
        } catch (RepositoryException e) {
            terminal.alert("the marks of values that were erased at " + remote.address() + " were not taken: "
                    + Failure.message(e));
            return;
        }
        taken(terminal, repository, remote, taken);
    }

    /** Says which records of a remote a repository has taken. */
    public static void taken(Terminal terminal, Repository repository, Remote remote, List<Erasure> taken) {
        long marks = taken.stream().filter(Erasure::isMark).count();
        if (marks == 0) {
            return;
        }
        long left = repository.maintenance().erasing().left().size();
        terminal.changed = "took the marks of erased blocks";
        terminal.alert(
                marks + (marks == 1 ? " block was" : " blocks were") + " erased at " + remote.address()
                        + (left == 0
                                ? ""
                                : ", and can no longer be read here; the next pail gc removes the bytes; keep one with: pail erase --allow CID"));
    }

    /** Sends the records that a remote does not have, before versions: a refusal stops no push. */
    public static void push(Terminal terminal, Repository repository, Remote remote) {
        try {
            int sent = ErasureExchange.of(repository, remote).push();
            if (sent > 0) {
                terminal.changed = "the remote has erased values";
                if (!terminal.json && !terminal.quiet) {
                    terminal.note("sent the marks of " + sent + (sent == 1 ? " block" : " blocks") + " to "
                            + remote.address() + ", which has erased them");
                }
            }
        } catch (RemoteException | RepositoryException e) {
            terminal.alert("the remote has not erased what was erased here: " + Failure.message(e));
        }
    }
}
