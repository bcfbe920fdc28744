package dev.pail.through;

import dev.pail.Escapes;
import dev.pail.ipld.Cid;
import dev.pail.remote.Remote;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.Erasures;
import java.util.Collection;
import java.util.List;

/** The records of erased blocks of a server. It does not send such blocks, so none is looked for here. Takes no records. */
final class ServedErasures implements Erasures {
    private final Remote remote;

    ServedErasures(Remote remote) {
        this.remote = remote;
    }

    @Override
    public boolean isErased(Cid cid) {
        return Erasures.unsupported().isErased(cid);
    }

    @Override
    public List<Erasure> all() {
        return remote.erasures();
    }

    @Override
    public void check() {
        throw new RepositoryException(
                RepositoryException.Reason.NOT_ERASABLE,
                "values of a repository behind a server are erased where it is, not from here: "
                        + Escapes.printable(remote.address()),
                "erase it there",
                null);
    }

    @Override
    public void add(Collection<Erasure> records) {
        check();
    }

    @Override
    public void remove() {
        check();
    }

    @Override
    public boolean isStored(Cid cid) {
        return Erasures.unsupported().isStored(cid);
    }

    @Override
    public List<Cid> left() {
        return List.of();
    }
}
