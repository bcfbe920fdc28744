package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigestSpi;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A thread hashes one block after another with the same digest. */
class BlockDigestTest {
    /** Runs out of memory once, with what it was fed with, as no digest of the Java runtime can be made to do. */
    public static final class ShortOfMemory extends MessageDigestSpi {
        private final ByteArrayOutputStream fed = new ByteArrayOutputStream();
        private boolean failed;

        @Override
        protected void engineUpdate(byte input) {
            fed.write(input);
        }

        @Override
        protected void engineUpdate(byte[] input, int offset, int length) {
            fed.write(input, offset, length);
        }

        @Override
        protected byte[] engineDigest() {
            if (!failed) {
                failed = true;
                throw new OutOfMemoryError("once");
            }
            // The first 32 bytes tell what was hashed.
            return Arrays.copyOf(fed.toByteArray(), 32);
        }

        @Override
        protected int engineDigest(byte[] target, int offset, int length) {
            System.arraycopy(engineDigest(), 0, target, offset, 32);
            return 32;
        }

        @Override
        protected void engineReset() {
            fed.reset();
        }
    }

    private static final class Only extends Provider {
        private static final long serialVersionUID = 1;

        /** The only thread for which there is this provider. */
        private final transient Thread thread;

        Only(Thread thread) {
            super("Only", "1", "a digest that runs out of memory");
            this.thread = thread;
            putService(new Service(this, "MessageDigest", "SHA-256", ShortOfMemory.class.getName(), List.of(), null) {
                @Override
                public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
                    if (Thread.currentThread() != Only.this.thread) {
                        throw new NoSuchAlgorithmException("not here");
                    }
                    return new ShortOfMemory();
                }
            });
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void whatWasBegunAndNotEndedIsForgotten() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Provider provider = new Only(executor.submit(Thread::currentThread).get());
        Security.insertProviderAt(provider, 1);
        try {
            assertThatThrownBy(() -> executor.submit(() -> Block.of(Cid.RAW, ascii("first")))
                            .get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(OutOfMemoryError.class);
            Cid cid = executor.submit(() -> Block.of(Cid.RAW, ascii("second")))
                    .get()
                    .cid();

            assertThat(new String(cid.multihash(), 2, 6, StandardCharsets.US_ASCII))
                    .isEqualTo("second");
        } finally {
            Security.removeProvider(provider.getName());
            executor.shutdown();
        }
    }
}
