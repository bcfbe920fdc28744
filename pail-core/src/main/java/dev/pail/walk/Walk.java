package dev.pail.walk;

import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Goes through what is in shards, in the order of keys. It is not split: who is behind would hold all that comes between.
 *
 * @param <T> what it finds
 */
public abstract class Walk<T> implements Spliterator<T> {
    private static final int CHARACTERISTICS = ORDERED | DISTINCT | NONNULL | IMMUTABLE;

    /** Whether a read failed on the way to the next, which is not known then, and must not look like the end. */
    private boolean broken;

    /** A stream of a walk that begins when the stream does. */
    public static <T> Stream<T> stream(Supplier<? extends Walk<T>> walk) {
        return StreamSupport.stream(new Later<>(walk), false);
    }

    /** A walk that begins with its first step. So what fails in the beginning has failed in that, and is not tried again. */
    private static final class Later<T> extends Walk<T> {
        private final Supplier<? extends Walk<T>> beginning;
        private @Nullable Walk<T> walk;

        Later(Supplier<? extends Walk<T>> beginning) {
            this.beginning = beginning;
        }

        @Override
        @Nullable
        T advance() {
            Walk<T> begun = walk == null ? beginning.get() : walk;
            walk = begun;
            return begun.advance();
        }
    }

    /** The next, or null behind the last one. */
    abstract @Nullable T advance();

    @Override
    public final boolean tryAdvance(Consumer<? super T> action) {
        if (broken) {
            throw new IllegalStateException("a read of this stream has failed: start another one");
        }
        broken = true;
        T next = advance();
        broken = false;
        if (next != null) {
            action.accept(next);
        }
        return next != null;
    }

    @Override
    public final @Nullable Spliterator<T> trySplit() {
        return null;
    }

    @Override
    public final long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public final int characteristics() {
        return CHARACTERISTICS;
    }
}
