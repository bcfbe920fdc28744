package dev.pail;

import dev.pail.keys.KeyCodec;
import dev.pail.keys.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Goes from namespace to namespace: it looks for the first key behind all of the one before. */
final class NamespaceWalk extends AbstractSpliterator<Name> {
    private final Pail pail;
    private final KeyCodec codec;
    private final List<Name> path;
    private KeyRange rest;

    private NamespaceWalk(Pail pail, KeyCodec codec, List<Name> path) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL);
        this.pail = pail;
        this.codec = codec;
        this.path = path;
        this.rest = KeyRange.prefix(codec.nested(path));
    }

    /** The names of the namespaces right within a path that is not changed. */
    static Stream<Name> names(Pail pail, KeyCodec codec, List<Name> path) {
        return StreamSupport.stream(new NamespaceWalk(pail, codec, path), false);
    }

    @Override
    public boolean tryAdvance(Consumer<? super Name> action) {
        Optional<Entry> first = pail.entries(rest).findFirst();
        if (first.isEmpty()) {
            return false;
        }
        Name name = codec.decode(first.get().key()).path().get(path.size());
        List<Name> found = new ArrayList<>(path);
        found.add(name);
        rest = rest.behindPrefix(codec.all(found));
        action.accept(name);
        return true;
    }
}
