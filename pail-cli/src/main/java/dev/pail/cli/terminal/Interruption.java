package dev.pail.cli.terminal;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs when the process ends. If a signal ends it, such as that of Ctrl-C, interrupts the command and waits until it has said what is kept.
 * An update that has begun to move a branch comes to its end meanwhile.
 */
public final class Interruption extends Thread {
    /** How long to wait for a command that does not notice at once, such as one that waits for a server. */
    private static final long SECONDS = 3;

    private static final String UNCERTAIN =
            "an update is made as a whole or not at all; see the last with: pail log -n 1";

    private final Thread command = Thread.currentThread();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean isTold = new AtomicBoolean();
    private volatile boolean isAsked;
    private volatile boolean isLeft;
    private volatile boolean isWaiting;
    private volatile @Nullable Consumer<@Nullable String> teller;

    /** @param next tells what is kept; it gets a sentence for a command that does not know, or null if that changed nothing */
    void tellWith(Consumer<@Nullable String> next) {
        teller = next;
    }

    /** The command ends in its own way. */
    void leave() {
        isLeft = true;
    }

    /** The command has ended, and says nothing more. */
    public void end() {
        ended.countDown();
    }

    /** Whether the process was asked to end. */
    boolean isAsked() {
        return isAsked;
    }

    /** Whether the command waits for a user or for another program. */
    boolean isWaiting() {
        return isWaiting;
    }

    /** Notes that the command tells a failure. If the process was asked to end, no other line follows. */
    void tells() {
        isTold.compareAndSet(false, isAsked);
    }

    /** Whether the caller is the first to say what is kept. */
    boolean isFirstToTell() {
        return isTold.compareAndSet(false, true);
    }

    /** Standard input, where the command may wait for a user without end. */
    public InputStream watched(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                isWaiting = true;
                try {
                    return in.read();
                } finally {
                    isWaiting = false;
                }
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                isWaiting = true;
                try {
                    return in.read(bytes, from, length);
                } finally {
                    isWaiting = false;
                }
            }
        };
    }

    /** Gets something that a user types. */
    <T extends @Nullable Object> T typed(Supplier<T> source) {
        isWaiting = true;
        try {
            return source.get();
        } finally {
            isWaiting = false;
        }
    }

    @Override
    public void run() {
        Consumer<@Nullable String> to = teller;
        if (isLeft || ended.getCount() == 0 || to == null) {
            return;
        }
        boolean isIdle = isWaiting;
        isAsked = true;
        command.interrupt();
        boolean hasEnded = false;
        try {
            hasEnded = !isIdle && ended.await(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (isFirstToTell()) {
            to.accept(isIdle ? null : hasEnded ? "the command had done its work" : UNCERTAIN);
        }
    }
}
