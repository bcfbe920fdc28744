package dev.pail.server.access;

import dev.pail.StoreIOException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.server.http.BranchPattern;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Refusal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * The tokens of a file, each with what its holder may do. The file has hashes, so that a reader of a copy learns no token. It is read
 * again when it has changed. Safe for use by several threads. Rule GW16.
 */
public final class Tokens {
    private static final Pattern LINE =
            Pattern.compile("([0-9A-Fa-f]{64})\\s+(read|write|force|erase)\\s+(\\S+)\\s+([A-Za-z0-9._@-]{1,64})");

    private static final Map<String, Caller.Right> RIGHTS = Map.of(
            "read", Caller.Right.READ,
            "write", Caller.Right.WRITE,
            "force", Caller.Right.FORCE,
            "erase", Caller.Right.ERASE);

    private static final Pattern BEARER = Pattern.compile("(?i:bearer) +([!-~]+)");

    private final SecretFile file;
    private volatile Loaded loaded;

    /** @param sha256 of the token, in lower case */
    private record Entry(String sha256, Caller caller) {}

    private record Loaded(List<Entry> entries, SecretFile.State state, boolean isSettled) {}

    private Tokens(SecretFile file) {
        this.file = file;
        this.loaded = load();
    }

    /**
     * Reads a file of tokens.
     *
     * @throws RepositoryException if a line is none of a token, or others than its owner may use the file
     * @throws StoreIOException if it cannot be read
     */
    public static Tokens of(Path path) {
        return new Tokens(new SecretFile(path));
    }

    /**
     * The holder of the token that a request has.
     *
     * @throws Refusal if it has none, or one that is not in the file; or if the file can no longer be used
     */
    Caller caller(Request request) {
        List<String> given = request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION);
        Matcher bearer = BEARER.matcher(given.size() == 1 ? given.get(0) : "");
        if (!bearer.matches()) {
            throw Refusal.unauthorized("the server needs a token, as in Authorization: Bearer TOKEN");
        }
        byte[] hash = HexFormat.of().formatHex(sha256(bearer.group(1))).getBytes(StandardCharsets.US_ASCII);
        Optional<Caller> holder = Optional.empty();
        // All entries, each in constant time: the time says nothing of how much of a hash was right.
        for (Entry entry : current().entries) {
            if (MessageDigest.isEqual(hash, entry.sha256.getBytes(StandardCharsets.US_ASCII))) {
                holder = Optional.of(entry.caller);
            }
        }
        return holder.orElseThrow(() -> Refusal.unauthorized("the server does not know this token"));
    }

    /** The name of the token of a request, or else where it comes from: who sends much without a token holds up no token. */
    public String senderOf(Request request) {
        try {
            return caller(request).name();
        } catch (Refusal e) {
            return Places.senderOf(request);
        }
    }

    private static byte[] sha256(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Loaded current() {
        try {
            Loaded known = loaded;
            if (!known.isSettled || !file.state().equals(known.state)) {
                known = load();
                loaded = known;
            }
            return known;
        } catch (RepositoryException | StoreIOException e) {
            // The file may just have taken a token away: the old ones no longer count.
            throw Refusal.unavailable("the server cannot read its file of tokens", e);
        }
    }

    private Loaded load() {
        SecretFile.State state = file.state();
        boolean isSettled = state.isSettled();
        String text = new String(file.read(), StandardCharsets.UTF_8);
        List<Entry> entries = new ArrayList<>();
        Set<String> known = new HashSet<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                Entry entry = entry(line, i + 1);
                if (!known.add(entry.sha256)) {
                    throw malformed(i + 1, "a token that an earlier line has");
                }
                entries.add(entry);
            }
        }
        return new Loaded(List.copyOf(entries), state, isSettled);
    }

    private Entry entry(String line, int number) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw malformed(number, "not SHA256 read|write|force|erase BRANCHES NAME");
        }
        if (!BranchPattern.isValid(parts.group(3))) {
            throw malformed(number, "not a pattern of branches");
        }
        Caller caller = Caller.holder(
                parts.group(4),
                RIGHTS.getOrDefault(parts.group(2), Caller.Right.READ),
                new BranchPattern(parts.group(3)));
        return new Entry(parts.group(1).toLowerCase(Locale.ROOT), caller);
    }

    /** The line may be a token in place of its hash, so no message quotes it. */
    private RepositoryException malformed(int line, String why) {
        return file.refused(
                "line " + line + " of the file of tokens is " + why,
                "a line has the SHA-256 of a token in hexadecimal, a right, a pattern of branches and a name");
    }
}
