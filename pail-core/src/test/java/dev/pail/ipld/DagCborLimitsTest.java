package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nesting and declared lengths: neither the stack nor the heap follows what hostile bytes say. */
class DagCborLimitsTest {
    private static final int MAX_DEPTH = 128;
    private static final long SMALL_STACK = 128 * 1024;

    private static byte[] repeated(String head, int times, String last) {
        byte[] unit = HexFormat.of().parseHex(head);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            out.writeBytes(unit);
        }
        out.writeBytes(HexFormat.of().parseHex(last));
        return out.toByteArray();
    }

    /** What a thread with little stack ends with. */
    private static Throwable onSmallStack(ThrowingCallable task) throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Runnable run = () -> {
            try {
                task.call();
            } catch (Throwable e) {
                thrown.set(e);
            }
        };
        Thread thread = new Thread(null, run, "small", SMALL_STACK);
        thread.start();
        thread.join();
        return thrown.get();
    }

    @ParameterizedTest
    @CsvSource({
        "81, 128, 00",
        "81, 127, 80",
        "81, 127, a0",
        "8200, 128, f6",
        "a16161, 128, f6",
        "a16161, 127, a0",
        "81a16161, 64, 00",
    })
    void nestingUpToTheLimit(String head, int times, String last) {
        byte[] deepest = repeated(head, times, last);
        Transcoder.check(deepest);
        assertThat(Transcoder.transcode(deepest)).isEqualTo(deepest);
        for (String outer : new String[] {"81", "a16161", "8200"}) {
            byte[] deeper = HexFormat.of().parseHex(outer + HexFormat.of().formatHex(deepest));
            assertThat(Refusals.ofDagCbor(deeper).rule()).contains("C8");
        }
    }

    /** Depth is what is open at the same time: completed containers do not count. */
    @Test
    void manyContainersBesideEachOther() {
        byte[] wide = repeated("8181818180", 10_000, "");
        byte[] document = HexFormat.of().parseHex("99" + "2710" + HexFormat.of().formatHex(wide));
        Transcoder.check(document);
        assertThat(Transcoder.transcode(document)).isEqualTo(document);
    }

    @Test
    void theWriterHasTheSameLimit() {
        DagCborWriter writer = new DagCborWriter();
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            if (depth % 2 == 0) {
                writer.array(1);
            } else {
                writer.map(1).text("a");
            }
        }
        assertThatThrownBy(() -> writer.array(0))
                .isInstanceOfSatisfying(
                        MalformedDataException.class, e -> assertThat(e.rule()).contains("C8"));
    }

    @ParameterizedTest
    @CsvSource({"81, 1000000", "a16161, 1000000", "8200, 1000000", "82, 1000000", "d82a, 1000000", "81a16161, 1000000"})
    void aMillionHeads(String head, int times) throws InterruptedException {
        byte[] bytes = repeated(head, times, "00");
        assertThat(onSmallStack(() -> Transcoder.check(bytes))).isInstanceOf(MalformedDataException.class);
        assertThat(onSmallStack(() -> Transcoder.transcode(bytes))).isInstanceOf(MalformedDataException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1a7fffffff",
                "1a80000000",
                "1affffffff",
                "1b0000000100000000",
                "1b0000000100000001",
                "1b7fffffffffffffff",
                "1b8000000000000000",
                "1b8000000000000001",
                "1bfffffffffffffffe",
                "1bffffffffffffffff"
            })
    void hugeLengths(String integer) {
        byte[] head = HexFormat.of().parseHex(integer);
        for (int major = 2; major <= 5; major++) {
            for (int behind : new int[] {0, 1, 2, 100}) {
                byte[] bytes = new byte[head.length + behind];
                System.arraycopy(head, 0, bytes, 0, head.length);
                bytes[0] |= (byte) (major << 5);
                MalformedDataException refusal = Refusals.ofDagCbor(bytes);
                assertThat(refusal.rule()).contains("C8");
                assertThat(refusal.offset()).isZero();
            }
        }
        byte[] link = HexFormat.of().parseHex("d82a" + "5" + integer.substring(1) + "00".repeat(40));
        assertThat(Refusals.ofDagCbor(link).offset()).isEqualTo(2);
        byte[] key = HexFormat.of().parseHex("a1" + "7" + integer.substring(1) + "00".repeat(40));
        assertThat(Refusals.ofDagCbor(key).offset()).isEqualTo(1);
    }

    /** The least that n items take is n bytes, and that n pairs take 2n. */
    @ParameterizedTest
    @ValueSource(strings = {"830000", "a2606000", "a1", "a160", "4300ff", "636161"})
    void lengthsJustBeyondTheBytes(String hex) {
        MalformedDataException refusal = Refusals.ofDagCbor(HexFormat.of().parseHex(hex));
        assertThat(refusal.rule()).contains("C8");
        assertThat(refusal.offset()).isZero();
    }

    /** Each head declares as many items as there are bytes behind it: together far more than the block has. */
    @Test
    void chainOfHeadsWithinTheBytes() throws InterruptedException {
        int heads = 13_000;
        byte[] bytes = new byte[3 * heads];
        for (int i = 0; i < heads; i++) {
            int behind = bytes.length - 3 * (i + 1);
            bytes[3 * i] = (byte) 0x99;
            bytes[3 * i + 1] = (byte) (behind >> 8);
            bytes[3 * i + 2] = (byte) behind;
        }
        assertThat(onSmallStack(() -> Transcoder.check(bytes))).isInstanceOf(MalformedDataException.class);
        assertThat(onSmallStack(() -> Transcoder.transcode(bytes))).isInstanceOf(MalformedDataException.class);
    }
}
