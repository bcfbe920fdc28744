package dev.pail.repository.model;

import dev.pail.Escapes;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name for a state of a branch: its generation, and a hash of its head (Rule REP29). Two states with the same token are equal, also in
 * two repositories. A generation alone is no such name: it comes again if a repository is restored from a backup. Immutable and safe for
 * use by several threads.
 *
 * <pre>{@code
 * RefToken seen = repository.snapshot("main").token();
 * boolean isSame = seen.fits(repository.snapshot("main").token()); // true, unless another writer was faster
 * }</pre>
 *
 * @param generation the number of the ref update, 0 or more
 * @param hash 16 hexadecimal digits; empty if the token names any state of this generation, as version 0.2.0 does
 */
public record RefToken(long generation, Optional<String> hash) {
    private static final Pattern TOKEN = Pattern.compile("(0|[1-9][0-9]{0,17})(?:-([0-9a-f]{16}))?");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{16}");
    private static final int HASHED = 8;

    /** @throws IllegalArgumentException if the generation is negative, or the hash is no such hash */
    public RefToken {
        Objects.requireNonNull(hash, "hash");
        if (generation < 0) {
            throw new IllegalArgumentException("a generation is 0 or more, not " + generation);
        }
        if (hash.isPresent() && !HASH.matcher(hash.get()).matches()) {
            throw new IllegalArgumentException("a hash is 16 hexadecimal digits, not " + Escapes.brief(hash.get()));
        }
    }

    /** Makes the token of the update that led a branch to a head. */
    public static RefToken of(String branch, long generation, Head head) {
        StringBuilder text = new StringBuilder(branch).append('\n');
        head.events().forEach(event -> text.append(event).append('\n'));
        byte[] hash = Block.of(Cid.RAW, text.toString().getBytes(StandardCharsets.US_ASCII))
                .cid()
                .digest();
        return new RefToken(generation, Optional.of(HexFormat.of().formatHex(hash, 0, HASHED)));
    }

    /** Makes a token that fits any state of this generation. */
    public static RefToken ofGeneration(long generation) {
        return new RefToken(generation, Optional.empty());
    }

    /** Reads the text of a token, if it is one. */
    public static Optional<RefToken> parse(String text) {
        Matcher parts = TOKEN.matcher(text);
        return parts.matches()
                ? Optional.of(new RefToken(Long.parseLong(parts.group(1)), Optional.ofNullable(parts.group(2))))
                : Optional.empty();
    }

    /** Whether this names a state that has another token, which has a hash. */
    public boolean fits(RefToken state) {
        return generation == state.generation && (hash.isEmpty() || hash.equals(state.hash));
    }

    /** Returns its text: the generation, a dash and the hash; or the generation alone. */
    @Override
    public String toString() {
        return generation + hash.map(text -> "-" + text).orElse("");
    }
}
