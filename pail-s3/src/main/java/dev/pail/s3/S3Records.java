package dev.pail.s3;

import dev.pail.StoreIOException;
import dev.pail.repository.model.Need;
import dev.pail.repository.spi.RefRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The records of refs in the commits of the log (OS4). Safe for use by several threads. */
final class S3Records implements RefRecords {
    /** The commit with a record of a name. */
    private record Place(String name, long number, long commit) {}

    private final Ledger ledger;
    private volatile Description description;

    /** Where the record before the one that was read last is, for each thread: a log is read from one record to the one before. */
    @SuppressWarnings("ThreadLocalUsage") // A thread may read logs of several repositories.
    private final ThreadLocal<@Nullable Place> next = new ThreadLocal<>();

    S3Records(Ledger ledger, Description description) {
        this.ledger = ledger;
        this.description = description;
    }

    @Override
    public Optional<Map.Entry<Long, byte[]>> newest(String name) {
        Transaction own = ledger.transaction();
        Optional<Commit.Written> found = own != null
                ? own.newest(name)
                : Optional.ofNullable(ledger.current().records().get(name)).map(State.Newest::record);
        return found.map(record -> Map.entry(record.number(), record.content()));
    }

    @Override
    public Optional<byte[]> read(String name, long number) {
        Transaction own = ledger.transaction();
        Optional<byte[]> written = own == null ? Optional.empty() : own.own(name, number);
        if (written.isPresent()) {
            return written;
        }
        State state = own != null ? own.base() : ledger.known();
        State.Newest newest = state.records().get(name);
        if (own == null && (newest == null || newest.record().number() < number)) {
            newest = ledger.current().records().get(name);
        }
        if (newest == null || newest.record().number() < number || number < 1) {
            return Optional.empty();
        }
        if (newest.record().number() == number) {
            return Optional.of(newest.record().content());
        }
        Place known = next.get();
        boolean isNext = known != null && known.number == number && known.name.equals(name);
        // A commit may have several records of one name, and each leads to the commit before it.
        for (long at = isNext ? known.commit : newest.commit(); at > 0; ) {
            byte[] found = null;
            long before = 0;
            for (Commit.Written each : ledger.commit(at).records()) {
                if (each.name().equals(name)) {
                    if (before == 0) {
                        next.set(new Place(name, each.number() - 1, each.previous()));
                    }
                    before = each.previous();
                    found = each.number() == number ? each.content() : found;
                }
            }
            if (found != null) {
                return Optional.of(found);
            }
            at = before < at ? before : 0;
        }
        return Optional.empty();
    }

    @Override
    public boolean create(String name, long number, byte[] content) {
        Transaction own = ledger.transaction();
        if (own == null) {
            throw new IllegalStateException("a record is made within an update: " + ledger.location());
        }
        return own.write(name, number, content);
    }

    @Override
    public List<String> names(String prefix) {
        Transaction own = ledger.transaction();
        if (own != null) {
            return new ArrayList<>(own.names(prefix));
        }
        return ledger.current().records().keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    @Override
    public void checkWhole() {
        ledger.checkWhole();
    }

    @Override
    public void probe() {
        try {
            ledger.probe();
        } catch (StoreIOException e) {
            // This process may only read, and so can lose nothing.
            if (!S3Bucket.isForbidden(e)) {
                throw e;
            }
        }
    }

    @Override
    public Set<Need> needs() {
        return description.line().needs();
    }

    /** Overwrites the object, unless another writer has changed it since it was read: then that one has done the same. Rule OS18. */
    @Override
    public void describeEvents() {
        Bucket bucket = ledger.bucket();
        byte[] before = bucket.get(Keys.REPOSITORY)
                .orElseThrow(() -> Frame.damaged("a missing object: " + bucket.where(Keys.REPOSITORY), null));
        Description now = Description.decode(before, bucket.where(Keys.REPOSITORY));
        boolean isDone = now.line().needs().contains(Need.EVENTS)
                || bucket.replace(
                        Keys.REPOSITORY, before, now.describingEvents().encode());
        if (!isDone) {
            throw new StoreIOException(
                    "cannot change the object",
                    bucket.where(Keys.REPOSITORY),
                    "another writer changes it: try again",
                    null);
        }
        description = description.describingEvents();
    }

    @Override
    public Optional<String> repositoryId() {
        return description.id().map(UUID::toString);
    }

    @Override
    public boolean hasTransactions() {
        return true;
    }

    @Override
    public <T> T atOnce(Supplier<T> update, Function<StoreIOException, RuntimeException> unknown) {
        return ledger.inTransaction(update, unknown);
    }
}
