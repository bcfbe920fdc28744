package dev.pail.repository.update;

import dev.pail.BlockException;
import dev.pail.Escapes;
import dev.pail.MalformedBlockException;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.history.StepsBack;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefLog;
import dev.pail.trace.Trace;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the version that a text names. For one use. */
public final class Revisions {
    private static final int LEAST_PREFIX = 4;
    private static final int MOST_CANDIDATES = 10;
    private static final Pattern AGO = Pattern.compile("([^@]*)@(?:\\{([0-9]{1,9})}|([0-9]{1,9}))");
    private static final Pattern TIME = Pattern.compile("([^@]*)@(?:\\{(.*)}|([^{].*))");

    /** Another word for the current branch, unless a branch or a tag has the name. */
    private static final String HEAD = "HEAD";

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9]+");
    private static final Hint HOW = Hint.of(
            "HEAD, a branch, a tag, an event or its first characters, a root, REV~N, @{N}, @{TIME}, BRANCH@{N} or BRANCH@{TIME}; see: ",
            Hint.Action.HISTORY,
            "");

    /** Why the log of a branch that was moved has no entry. */
    static final String NO_LOG = "its log stays with the server, as that of version 0.2.0 does not send it";

    /** A hint. */
    public static final String TIMES = "a time is 2026-11-20, 2026-11-20 14:30, today, yesterday or 2 hours ago";

    private final OpenStores stores;
    private final Refs refs;
    private final String text;
    private final ZoneId zone;

    /** What is wrong with the first file that was passed by; told where nothing else is found. */
    private @Nullable PailException damage;

    /** @param zone of dates and times that name none */
    public Revisions(OpenStores stores, String text, ZoneId zone) {
        this.stores = stores;
        this.refs = stores.refs();
        this.text = text;
        this.zone = zone;
    }

    /** A version whose shards may not be read yet. */
    private record Found(Optional<Head> head, Supplier<Pail> pail) {}

    public Revision find() {
        Found found = look();
        return new Revision(text, found.head, found.pail.get());
    }

    /** Its head, if it has one. */
    public Optional<Head> findHead() {
        return look().head;
    }

    private Found look() {
        StepsBack steps = StepsBack.of(text).orElse(null);
        if (steps != null) {
            Head later = new Revisions(stores, steps.revision(), zone)
                    .findHead()
                    .orElseThrow(() -> absent("a root without a history: " + steps.revision()));
            return at(stores.histories().before(later, steps));
        }
        Matcher ago = AGO.matcher(text);
        if (ago.matches()) {
            return at(ago(branchOf(ago), Integer.parseInt(either(ago))));
        }
        Matcher time = TIME.matcher(text);
        if (time.matches()) {
            return at(before(branchOf(time), either(time)));
        }
        Optional<Snapshot> branch = branch();
        if (branch.isPresent()) {
            Snapshot snapshot = branch.get();
            return new Found(Optional.of(snapshot.head()), snapshot::pail);
        }
        Optional<Head> tag = RefName.isValid(text) ? refs.store().tag(text) : Optional.empty();
        if (tag.isPresent()) {
            return at(tag.get());
        }
        Optional<Tracking> tracking = Tracking.isName(text) ? refs.store().tracking(text) : Optional.empty();
        if (tracking.isPresent()) {
            return at(tracking.get().head());
        }
        if (text.equals(HEAD)) {
            Snapshot snapshot = stores.snapshots().of(refs.store().current());
            return new Found(Optional.of(snapshot.head()), snapshot::pail);
        }
        Cid cid = cid();
        return cid == null ? byPrefix() : byCid(cid);
    }

    private Optional<Snapshot> branch() {
        // That one is always there, so it needs no list.
        if (!text.equals(RefName.MAIN) && !refs.store().branches().contains(text)) {
            return Optional.empty();
        }
        try {
            return Optional.of(stores.snapshots().of(text));
        } catch (RepositoryException e) {
            // If it was removed since, the text may name something else.
            if (e.reason() != RepositoryException.Reason.NO_BRANCH) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private Found at(Head head) {
        return new Found(Optional.of(head), () -> stores.snapshots().pail(head));
    }

    private Head ago(String branch, int moves) {
        BranchState state = refs.logged(branch);
        try (RefLog entries = refs.store().log(state)) {
            Head head = state.head();
            for (int i = 0; i < moves; i++) {
                LogEntry entry = entries.next();
                if (entry == null) {
                    throw new RepositoryException(
                            RepositoryException.Reason.NO_VERSION,
                            i == 0
                                    ? branch + " has no earlier version: " + whyNone(state)
                                    : branch + " was moved " + (i == 1 ? "once" : i + " times") + ", not " + moves
                                            + " times",
                            Hint.of("see where it stood with: ", Hint.Action.LOG, branch),
                            null);
                }
                head = entry.from();
            }
            return head;
        }
    }

    private static String whyNone(BranchState state) {
        return state.generation() == 0 ? "it was never moved" : NO_LOG;
    }

    private String branchOf(Matcher matcher) {
        String branch = matcher.group(1);
        boolean isCurrent = branch.isEmpty()
                || (branch.equals(HEAD) && !refs.store().branches().contains(HEAD));
        return isCurrent ? refs.store().current() : branch;
    }

    /** What is behind the branch, with braces or without. */
    private static String either(Matcher matcher) {
        return matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
    }

    /** Where a branch stood at the end of a time, by the times in its log (REP27). */
    private Head before(String branch, String time) {
        Instant end = RevisionTime.of(time, refs.store().now(), zone)
                .orElseThrow(() -> new RepositoryException(
                        RepositoryException.Reason.NAME,
                        "neither a number of moves nor a time: " + Escapes.brief(time),
                        TIMES,
                        null))
                .end();
        BranchState state = refs.logged(branch);
        try (RefLog entries = refs.store().log(state)) {
            LogEntry oldest = null;
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                if (entry.time().isBefore(end)) {
                    return entry.to();
                }
                oldest = entry;
            }
            throw new RepositoryException(
                    RepositoryException.Reason.NO_VERSION,
                    branch + " has no version of " + Escapes.printable(time) + ": "
                            + (oldest == null
                                    ? whyNone(state)
                                    : "its log begins at " + oldest.time().truncatedTo(ChronoUnit.SECONDS)),
                    Hint.of("see where it stood with: ", Hint.Action.LOG, branch),
                    null);
        }
    }

    private @Nullable Cid cid() {
        try {
            return Cid.parse(text);
        } catch (MalformedDataException e) {
            return null;
        }
    }

    private Found byCid(Cid cid) {
        if (!cid.isShardLink()) {
            throw absent("neither an event nor a root: " + cid);
        }
        if (stores.blocks().get(cid).isEmpty()) {
            throw absent("not in this repository: " + cid);
        }
        try {
            return at(Head.of(stores.histories().event(cid).cid()));
        } catch (MalformedBlockException e) {
            return byRoot(cid);
        }
    }

    private Found byRoot(Cid root) {
        Pail pail;
        try {
            pail = Pail.open(stores.blocks(), root);
        } catch (MalformedBlockException e) {
            throw absent("neither an event nor a root: " + root);
        }
        Set<Cid> found = new LinkedHashSet<>();
        eachEvent(event -> {
            if (event.root().equals(root)) {
                found.add(event.cid());
            }
        });
        Optional<Head> head = found.stream().findFirst().map(Head::of);
        return new Found(head, () -> pail);
    }

    private Found byPrefix() {
        if (text.length() < LEAST_PREFIX || !PREFIX.matcher(text).matches()) {
            throw new RepositoryException(
                    RepositoryException.Reason.NAME, "names no version: " + Escapes.brief(text), HOW, null);
        }
        Set<String> found = new TreeSet<>();
        eachEvent(event -> {
            String name = event.cid().toString();
            if (name.startsWith(text)) {
                found.add(name);
            }
        });
        if (found.isEmpty()) {
            throw damage == null ? absent("no branch and no event: " + Escapes.brief(text)) : damage;
        }
        if (found.size() > 1) {
            List<String> shown = found.stream().limit(MOST_CANDIDATES).toList();
            throw new RepositoryException(
                    RepositoryException.Reason.AMBIGUOUS,
                    found.size() + " events begin with " + text + ": " + String.join(", ", shown)
                            + (shown.size() < found.size() ? ", ..." : ""),
                    "give more characters",
                    null);
        }
        return at(Head.of(Cid.parse(found.iterator().next())));
    }

    /**
     * Gives every event that a branch, a log or a tag knows of, those of the current branch first. Follows a history as far as its
     * blocks can be read, and passes by files that are damaged.
     */
    private void eachEvent(Consumer<Event> action) {
        Set<Cid> seen = new HashSet<>();
        String current = refs.store().current();
        List<String> names = new ArrayList<>(refs.store().branches());
        if (names.remove(current)) {
            names.add(0, current);
        }
        refs.store().logs().stream().filter(name -> !names.contains(name)).forEach(names::add);
        for (String branch : names) {
            passByDamage(() -> refs.ifKnown(branch).ifPresent(state -> walkLog(state, seen, action)));
        }
        for (String tag : refs.store().tags()) {
            passByDamage(() -> refs.store().tag(tag).ifPresent(head -> walk(head, seen, action)));
        }
    }

    private void passByDamage(Runnable walk) {
        try {
            walk.run();
        } catch (RepositoryException | StoreIOException e) {
            damage = damage == null ? e : damage;
        }
    }

    private void walkLog(BranchState state, Set<Cid> seen, Consumer<Event> action) {
        walk(state.head(), seen, action);
        try (RefLog entries = refs.store().log(state)) {
            for (LogEntry entry = entries.next(); entry != null; entry = entries.next()) {
                walk(entry.from(), seen, action);
            }
        }
    }

    private void walk(Head head, Set<Cid> seen, Consumer<Event> action) {
        try {
            stores.histories().walk(head.events(), seen, action);
        } catch (BlockException e) {
            // The events beyond cannot be found, and are rarely the one asked for.
            Trace.swallowed("cannot read an event, so those before it are not looked at", e);
        }
    }

    private static RepositoryException absent(String message) {
        return new RepositoryException(RepositoryException.Reason.NO_VERSION, message, HOW, null);
    }
}
