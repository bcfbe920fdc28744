package dev.pail.server.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.server.http.FairQueue;
import dev.pail.server.http.Refusal;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * The places of requests that are being answered: at most as many as connections. Other requests wait for a place without a thread, for a
 * limited time; their senders take turns. Watchers and {@code /healthz} need none. Rule GW25. Safe for use by several threads.
 */
public final class Places {
    /** Connections beyond the limit that the server accepts: to answer {@code /healthz}, and to refuse others. */
    static final int RESERVED = 32;

    /** The most requests that wait. */
    static final int MOST_WAITING = 1024;

    /** How long a request waits. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    /** Bytes of an address of IPv6 that one customer of a network usually has. */
    private static final int NETWORK = 8;

    private final int most;
    private final int mostWaiting;

    @GuardedBy("this")
    private int taken;

    @GuardedBy("this")
    private final FairQueue<Turn> waiting = new FairQueue<>();

    /**
     * A request that waits.
     *
     * @param since when it began to wait, as {@link System#nanoTime}
     * @param begin runs when the request has its place
     * @param refuse runs instead if it gets none
     */
    record Turn(long since, Runnable begin, Consumer<Refusal> refuse) {}

    Places(int most, int mostWaiting) {
        this.most = most;
        this.mostWaiting = mostWaiting;
    }

    /** Takes a place if one is free. The caller gives it back by {@link #leave}. */
    synchronized boolean tryEnter() {
        if (taken >= most) {
            return false;
        }
        taken++;
        return true;
    }

    /** Takes a place as soon as there is one. If too many wait, the sender with most of them loses its newest one. */
    void enterLater(String sender, Turn turn) {
        Outcome outcome = add(sender, turn);
        outcome.begun.ifPresent(each -> each.begin.run());
        outcome.refused.ifPresent(each -> each.refuse.accept(busy()));
    }

    /** What happens without the monitor. */
    private record Outcome(Optional<Turn> begun, Optional<Turn> refused) {}

    private synchronized Outcome add(String sender, Turn turn) {
        // One may have become free meanwhile.
        if (tryEnter()) {
            return new Outcome(Optional.of(turn), Optional.empty());
        }
        Optional<Turn> refused = Optional.empty();
        if (waiting.size() >= mostWaiting) {
            refused = waiting.displaceFor(sender);
            if (refused.isEmpty()) {
                return new Outcome(Optional.empty(), Optional.of(turn));
            }
        }
        waiting.add(sender, turn);
        return new Outcome(Optional.empty(), refused);
    }

    /** Gives a place back, or to the next request. */
    void leave() {
        Turn next = next();
        if (next != null) {
            next.begin.run();
        }
    }

    private synchronized @Nullable Turn next() {
        Turn next = waiting.poll();
        if (next == null) {
            taken--;
        }
        return next;
    }

    /** Refuses requests that have waited too long. */
    void refuseLate(long now) {
        late(now).forEach(turn -> turn.refuse.accept(busy()));
    }

    private synchronized List<Turn> late(long now) {
        List<Turn> late = new ArrayList<>();
        waiting.removeIf(turn -> now - turn.since > PATIENCE && late.add(turn));
        return late;
    }

    /** Whether a request waits. */
    synchronized boolean isScarce() {
        return waiting.size() > 0;
    }

    private static Refusal busy() {
        return Refusal.busy("the server answers as many requests as it can: send this one again later");
    }

    /** Whether a sender is a token, and no address. */
    static boolean isToken(String sender) {
        return !sender.startsWith("/");
    }

    /** The sender of a request without a token. No name of a token has a slash. */
    public static String senderOf(Request request) {
        return "/" + sender(request.getConnectionMetaData().getRemoteSocketAddress());
    }

    /**
     * The sender that shares the limit of a remote address: of IPv6, all addresses of a network of 64 bits. Empty for loopback: a proxy or
     * programs of this machine have one address for many senders.
     */
    static String sender(SocketAddress remote) {
        InetAddress address = remote instanceof InetSocketAddress known ? known.getAddress() : null;
        if (address == null || address.isLoopbackAddress()) {
            return "";
        }
        byte[] bytes = address.getAddress();
        return HexFormat.of().formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK) : bytes);
    }
}
