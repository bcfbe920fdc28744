package dev.pail.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The places of requests that are being answered: at most as many as connections. Some requests wait for a place for a while; the server
 * refuses the others at once. Watchers and {@code /healthz} need none. Rule GW25. Safe for use by several threads.
 */
final class Places {
    /** Connections beyond the limit that the server accepts: to answer {@code /healthz}, and to refuse others. */
    static final int RESERVED = 32;

    /** Requests that wait, each on a thread. The others of the reserve stay free. */
    private static final int MOST_WAITING = RESERVED / 2;

    private static final int PATIENCE_SECONDS = 10;

    /** Bytes of an address of IPv6 that one customer of a network usually has. */
    private static final int NETWORK = 8;

    private final Semaphore free;
    private final Semaphore waiting = new Semaphore(MOST_WAITING);

    Places(int most) {
        this.free = new Semaphore(most, true);
    }

    /**
     * Takes a place. The caller gives it back by {@link #leave}.
     *
     * @throws Refusal if there is none
     */
    void enter() {
        if (!free.tryAcquire() && !waits()) {
            throw Refusal.busy("the server answers as many requests as it can: send this one again later");
        }
    }

    private boolean waits() {
        if (!waiting.tryAcquire()) {
            return false;
        }
        try {
            return free.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiting.release();
        }
    }

    void leave() {
        free.release();
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
