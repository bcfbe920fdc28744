package dev.pail.repository;

import dev.pail.Escapes;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text that names a ref update of a branch for {@link ChangeFeed}. Rule REP29. */
final class FeedToken {
    private static final Pattern TOKEN = Pattern.compile("(0|[1-9][0-9]{0,15})-[0-9a-f]{16}");
    private static final int HASHED = 8;

    private FeedToken() {}

    /** The token of the update that led a branch to a head. */
    static String of(String branch, long generation, Head head) {
        StringBuilder text = new StringBuilder(branch).append('\n');
        head.events().forEach(event -> text.append(event).append('\n'));
        byte[] hash = Block.of(Cid.RAW, text.toString().getBytes(StandardCharsets.US_ASCII))
                .cid()
                .digest();
        return generation + "-" + HexFormat.of().formatHex(hash, 0, HASHED);
    }

    /** @throws RepositoryException if this is no token */
    static long generation(String token) {
        Matcher fits = TOKEN.matcher(token);
        if (!fits.matches()) {
            throw new RepositoryException(
                    RepositoryException.Reason.TOKEN,
                    "not a token of a change feed: " + Escapes.brief(token),
                    "a token is a number, a dash and 16 hexadecimal digits, as a feed gives it",
                    null);
        }
        return Long.parseLong(fits.group(1));
    }
}
