package dev.pail.cli;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.repository.spi.RepositoryLocator;
import dev.pail.repository.spi.RepositoryStores;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Repositories behind URLs, {@code memory://NAME}, that outlive a command and not the process. A store can be made to fail. */
public final class MemoryLocator implements RepositoryLocator {
    private static final String SCHEME = "memory://";
    private static final Map<String, Stored> ALL = new ConcurrentHashMap<>();

    /** What one URL names. */
    private static final class Stored {
        private final MemoryRefs refs = new MemoryRefs();
        private volatile Set<Need> needs;
        private final MemoryBlocks blocks = new MemoryBlocks();
        private final ShardFormat format;

        /** The number of blocks that were put and were not there, of those that were, and of those that may still be put. */
        private final AtomicLong puts = new AtomicLong();

        private final AtomicLong again = new AtomicLong();
        private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);

        Stored(ShardFormat format, Set<Need> needs) {
            this.needs = needs;
            this.format = format;
        }

        RepositoryStores open() {
            return new RepositoryStores(
                    proxy(RefStore.class, refs, (proxy, method, arguments) -> needs(method.getName())),
                    proxy(RepositoryBlocks.class, blocks, (proxy, method, arguments) -> {
                        if (method.getName().equals("putAll")) {
                            put((Collection<?>) arguments[0]);
                        }
                        return null;
                    }),
                    format);
        }

        private @Nullable Set<Need> needs(String method) {
            if (method.equals("describeEvents")) {
                needs = Set.of(Need.EVENTS);
            }
            return method.equals("describeEvents") || method.equals("needs") ? needs : null;
        }

        private void put(Collection<?> all) {
            List<Block> room = new ArrayList<>();
            for (Object each : all) {
                Block block = (Block) each;
                if (left.getAndDecrement() > 0) {
                    (blocks.has(block.cid()) ? again : puts).incrementAndGet();
                    room.add(block);
                }
            }
            if (room.size() < all.size()) {
                blocks.putAll(room, Map.of());
                throw new StoreIOException("cannot write", "memory", "the connection is closed", (Throwable) null);
            }
        }

        /** The same store, which closing leaves open, and for which {@code before} may answer. */
        private static <T> T proxy(Class<T> type, T target, InvocationHandler before) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            return null;
                        }
                        Object answer = before.invoke(proxy, method, arguments);
                        if (answer != null) {
                            return answer;
                        }
                        try {
                            return method.invoke(target, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }
    }

    /** For {@link java.util.ServiceLoader}. */
    public MemoryLocator() {}

    /** A URL that names nothing yet. */
    public static String url(String name) {
        ALL.remove(SCHEME + name);
        return SCHEME + name;
    }

    /** How many blocks were put that were not there. */
    public static long puts(String url) {
        return stored(url).puts.get();
    }

    /** How many blocks were put that were there: a ref update puts its events again. */
    public static long putsAgain(String url) {
        return stored(url).again.get();
    }

    /** Refuses blocks after {@code puts} more were put. */
    public static void failAfter(String url, long puts) {
        stored(url).left.set(puts);
    }

    private static Stored stored(String url) {
        Stored stored = ALL.get(url);
        if (stored == null) {
            throw new IllegalStateException(url + " names nothing");
        }
        return stored;
    }

    @Override
    public boolean accepts(String url) {
        return url.startsWith(SCHEME);
    }

    private static void check(String url) {
        if (!url.substring(SCHEME.length()).matches("[a-z]+")) {
            throw new IllegalArgumentException("a memory:// URL has a name of small letters, and nothing else");
        }
    }

    @Override
    public RepositoryStores open(String url, Duration patience) {
        check(url);
        Stored stored = ALL.get(url);
        if (stored == null) {
            throw new RepositoryException(
                    RepositoryException.Reason.NO_REPOSITORY, "no repository: " + url, "make it first", null);
        }
        return stored.open();
    }

    @Override
    public RepositoryStores init(String url, ShardFormat format, Set<Need> needs, Duration patience) {
        check(url);
        Stored made = new Stored(format, needs);
        if (ALL.putIfAbsent(url, made) != null) {
            throw new RepositoryException(
                    RepositoryException.Reason.EXISTS, "a repository already: " + url, "choose another name", null);
        }
        return made.open();
    }
}
