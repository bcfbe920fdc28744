package dev.pail;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.NameRange.Bound;
import dev.pail.NameRange.Side;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.keys.KeyCodec;
import dev.pail.keys.Name;
import dev.pail.shard.Cut;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A view of the entries of a version that are in one namespace, by the application's own keys. A change returns the same view
 * of the next version; this view never changes. It does not contain the keys of nested namespaces.
 *
 * <p>Keys are bytes, or texts in UTF-8, in the order of their unsigned bytes, which is the order of code points. Only
 * {@link KeyCodec#delimited} has the order of {@link String#compareTo}: it differs if a character beyond U+FFFF is compared with one
 * of U+E000 to U+FFFF. To change several namespaces in one version, use {@link Batch}: {@code
 * pail.batch().put(users.key("ann"), a).delete(orders.key("7")).commit()}.
 *
 * <p>Immutable and safe for use by several threads, as {@link Pail} is. Methods that take a name throw
 * {@link KeyNotAllowedException} if the codec does not take it. Methods that read may throw what those of {@link Pail} throw, and
 * {@link MalformedDataException} if the pail has a malformed key among those of the namespace.
 *
 * <pre>{@code
 * Namespace users = pail.namespace("users");
 * Namespace next = users.put("ann", value).delete("bob");
 * Optional<Cid> ann = next.get("ann"); // Optional[value]
 * Pail version = next.pail(); // the version with all namespaces
 * }</pre>
 */
@CheckReturnValue
public final class Namespace {
    private static final int CHARACTERISTICS = Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE;

    private final Pail pail;
    private final KeyCodec codec;
    private final List<Name> path;
    private final String keys;

    Namespace(Pail pail, KeyCodec codec, List<Name> path) {
        this.pail = Objects.requireNonNull(pail, "pail");
        this.codec = codec;
        this.path = List.copyOf(path);
        this.keys = codec.keys(this.path);
    }

    /** Returns the version that this views. */
    public Pail pail() {
        return pail;
    }

    /** Returns the codec that writes the keys of the pail. */
    public KeyCodec codec() {
        return codec;
    }

    /** Returns the names from the outermost namespace to this one. */
    public List<Name> path() {
        return path;
    }

    /** Returns the same namespace of another version. */
    public Namespace in(Pail other) {
        return new Namespace(other, codec, path);
    }

    /** Returns a namespace in this one, or one nested deeper. */
    public Namespace namespace(String name, String... nested) {
        return new Namespace(pail, codec, joined(path, name, nested));
    }

    /** Returns a namespace in this one. */
    public Namespace namespace(Name name) {
        Objects.requireNonNull(name, "name");
        List<Name> longer = new ArrayList<>(path);
        longer.add(name);
        return new Namespace(pail, codec, longer);
    }

    static List<Name> joined(List<Name> path, String name, String... nested) {
        List<Name> longer = new ArrayList<>(path);
        longer.add(Name.of(name));
        for (String more : nested) {
            longer.add(Name.of(more));
        }
        return longer;
    }

    /**
     * Returns the names of the namespaces directly in this one that are not empty, in the order of the pail. A namespace is not empty
     * if it, or one nested in it, has a key. Lazy: reads one entry for each name.
     */
    public Stream<Name> namespaces() {
        return NamespaceWalk.names(pail, codec, path);
    }

    /** The key of the pail for a key of this namespace. */
    public String key(String key) {
        return key(Name.of(key));
    }

    /** The key of the pail for a key of this namespace. */
    public String key(Name key) {
        return keys + codec.text(key);
    }

    /** The value of a key, if it has one. */
    public Optional<Cid> get(String key) {
        return pail.get(key(key));
    }

    /** The value of a key, if it has one. */
    public Optional<Cid> get(Name key) {
        return pail.get(key(key));
    }

    /** The version in which a key has a value. Throws what {@link Pail#put} does. */
    public Namespace put(String key, Cid value) {
        return in(pail.put(key(key), value));
    }

    /** The version in which a key has a value. Throws what {@link Pail#put} does. */
    public Namespace put(Name key, Cid value) {
        return in(pail.put(key(key), value));
    }

    /** The version without a key: the same root, if it is not there. */
    public Namespace delete(String key) {
        return in(pail.delete(key(key)));
    }

    /** The version without a key: the same root, if it is not there. */
    public Namespace delete(Name key) {
        return in(pail.delete(key(key)));
    }

    /** The version without the keys of a range, as {@link Pail#deleteRange} has it. Keys of the namespaces within this one stay. */
    public Namespace deleteRange(KeyRange range) {
        return deleted(narrowed(range));
    }

    /** The version without the keys of a range, as {@link Pail#deleteRange} has it. Keys of the namespaces within this one stay. */
    public Namespace deleteRange(NameRange range) {
        return deleted(narrowed(range));
    }

    /** The version without the keys that start with a prefix. Keys of the namespaces within this one stay. */
    public Namespace deletePrefix(String prefix) {
        return deleteRange(KeyRange.prefix(prefix));
    }

    private Namespace deleted(KeyRange range) {
        String nested = codec.nested(path);
        return in(pail.batch()
                .deleteRange(range.before(nested))
                .deleteRange(range.behindPrefix(nested))
                .commit());
    }

    /** The number of keys in a range, as {@link Pail#count} has it. Keys of the namespaces within this one do not count. */
    public long count(KeyRange range) {
        return entries(range).count();
    }

    /** The number of keys in a range, as {@link Pail#count} has it. Keys of the namespaces within this one do not count. */
    public long count(NameRange range) {
        return entries(range).count();
    }

    /** The entry with the least key, if there is one. */
    public Optional<NamespaceEntry> first() {
        return entries().findFirst();
    }

    /** The entry with the greatest key, if there is one. */
    public Optional<NamespaceEntry> last() {
        return entries(NameRange.all().descending()).findFirst();
    }

    /** Stores bytes as one raw block, and returns the version in which a key has its CID. Throws what {@link Pail#putBytes} does. */
    public Namespace putBytes(String key, byte[] bytes) {
        return in(pail.putBytes(key(key), bytes));
    }

    /** The bytes of the block that the value of a key names. Throws what {@link Pail#getBytes} does. */
    public Optional<byte[]> getBytes(String key) {
        return pail.getBytes(key(key));
    }

    /** All entries in the order of their keys. */
    public Stream<NamespaceEntry> entries() {
        return entries(NameRange.all());
    }

    /** The entries of a range, in the order of its direction; its bounds stand in the order of the keys here. Lazy. */
    public Stream<NamespaceEntry> entries(KeyRange range) {
        return entries(narrowed(range), range.isDescending());
    }

    private KeyRange narrowed(KeyRange range) {
        // Each is a bound that was asked for. Which of them leave least depends on the order that the codec gives to
        // keys.
        KeyRange narrowed = narrowedLow(KeyRange.prefix(keys), range.low);
        narrowed = narrowedHigh(narrowedLow(narrowed, range.lowByBytes), range.high);
        return narrowedHigh(narrowed, range.highByBytes);
    }

    private KeyRange narrowedLow(KeyRange range, Cut low) {
        return narrowed(range, low.isAtKey() ? Side.FROM : Side.AFTER, Name.of(low.key.toString()));
    }

    private KeyRange narrowedHigh(KeyRange range, Cut high) {
        Side side = high.isAtKey() ? Side.BEFORE : high.isAtPrefix() ? Side.THROUGH_PREFIX : Side.THROUGH;
        return narrowed(range, side, Name.of(high.key.toString()));
    }

    /** The entries of a range, in the order of its direction. Lazy. */
    public Stream<NamespaceEntry> entries(NameRange range) {
        return entries(narrowed(range), range.descending);
    }

    private KeyRange narrowed(NameRange range) {
        KeyRange narrowed = KeyRange.prefix(keys);
        for (Bound bound : range.bounds) {
            narrowed = narrowed(narrowed, bound.side(), bound.name());
        }
        return narrowed;
    }

    private KeyRange narrowed(KeyRange range, Side side, Name name) {
        return switch (side) {
            case FROM -> range.from(key(name));
            case AFTER -> range.after(key(name));
            case THROUGH -> range.through(key(name));
            case BEFORE -> range.before(key(name));
            case THROUGH_PREFIX -> range.throughPrefix(keys + codec.last(name));
        };
    }

    /** Where the keys of namespaces within this one are in the midst of its own, they are left out in one step. */
    private Stream<NamespaceEntry> entries(KeyRange range, boolean descending) {
        String nested = codec.nested(path);
        KeyRange lesser = range.before(nested);
        KeyRange greater = range.behindPrefix(nested);
        Stream<Entry> first = pail.entries(descending ? greater.descending() : lesser);
        Stream<Entry> second = pail.entries(descending ? lesser.descending() : greater);
        // To join streams asks both for their sizes, and so reads the root: not before the first entry is asked for.
        Stream<Entry> entries =
                StreamSupport.stream(() -> Stream.concat(first, second).spliterator(), CHARACTERISTICS, false);
        return entries.map(entry -> new NamespaceEntry(codec.decode(entry.key()).key(), entry.value()));
    }

    /** The path, the codec and the root. */
    @Override
    public String toString() {
        return "Namespace " + path + " (" + codec + ") of " + pail;
    }
}
