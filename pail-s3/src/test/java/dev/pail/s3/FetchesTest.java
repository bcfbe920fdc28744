package dev.pail.s3;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a thread for requests throws comes to the caller as it is. */
class FetchesTest {
    @Test
    void rethrowsErrorsAndExceptionsOfItsThreads() {
        try (Fetches fetches = new Fetches()) {
            for (Throwable thrown : List.of(new OutOfMemoryError("heap"), new IllegalStateException("state"))) {
                Supplier<String> failing = () -> {
                    if (thrown instanceof Error error) {
                        throw error;
                    }
                    throw (RuntimeException) thrown;
                };
                assertThatThrownBy(() -> fetches.all(List.of(() -> "first", failing)))
                        .isSameAs(thrown);
            }
        }
    }
}
