package dev.pail.s3;

import dev.pail.OperationInterruptedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Sends several requests at once, from threads of its own. Safe for use by several threads. */
final class Fetches implements AutoCloseable {
    /** How many requests are sent at once. */
    static final int AT_ONCE = 8;

    private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, task -> {
        Thread thread = new Thread(task, "pail-s3");
        thread.setDaemon(true);
        return thread;
    });

    /** The results of all requests, in their order. One alone is sent by the calling thread. */
    <T> List<T> all(List<Supplier<T>> requests) {
        if (requests.size() == 1) {
            return List.of(requests.get(0).get());
        }
        List<Future<T>> sent = new ArrayList<>();
        requests.forEach(each -> sent.add(threads.submit(each::get)));
        List<T> results = new ArrayList<>();
        try {
            for (Future<T> each : sent) {
                results.add(each.get());
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperationInterruptedException("a read of a bucket");
        } finally {
            sent.forEach(each -> each.cancel(false));
        }
        return results;
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
