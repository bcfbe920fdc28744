package dev.pail.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.PushMode;
import dev.pail.remote.Pushed;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Updated;
import dev.pail.server.JsonValues;
import dev.pail.server.Served;
import dev.pail.server.ServerOptions;
import dev.pail.server.http.BranchPattern;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Refusal;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may ask a server with tokens, and what they may do. */
@Timeout(120)
public class TokensTest {
    private static final String SECRET = "s3cret-of-ann";

    @TempDir
    Path folder;

    public static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private Path file(String... lines) throws IOException {
        Path file = folder.resolve("tokens");
        Files.write(file, List.of(lines));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private static Served served(Path tokens) {
        return new Served(Repository.inMemory(), options -> options.withTokens(tokens));
    }

    /** Who made a change is in its event; who pushed it is in the log of the server alone. */
    @Test
    void aChangeHasTheNameOfItsToken() throws IOException {
        try (Served served = served(file(sha256(SECRET) + " write * hub-writer"));
                Repository mine = Repository.inMemory()) {
            HttpResponse<byte[]> put = served.ask(
                    "PUT",
                    "/v1/value?branch=main&key=a",
                    BodyPublishers.ofString("milk"),
                    "If-Match",
                    "*",
                    "Authorization",
                    "Bearer " + SECRET);
            assertThat(put.statusCode()).isEqualTo(200);
            HistoryEntry made = newest(served.repository);
            assertThat(made.event().description().orElseThrow().author()).contains("hub-writer");
            assertThat(made.event().description().orElseThrow().time()).isPresent();

            try (HttpRemote hub = HttpRemote.open("http://" + served.host(), Optional.of(SECRET))) {
                Exchange exchange = Exchange.of(mine, "hub", hub);
                exchange.pull("main", MergeOptions.DEFAULT);
                Updated ann = mine.withNote(Note.of("Ann", "why")).update("main", pail -> pail.delete("a"));
                Pushed unused = exchange.push("main", PushMode.FAST_FORWARD);
                assertThat(served.repository.head("main")).isEqualTo(ann.after().head());
            }
            assertThat(newest(served.repository).note()).isEqualTo(Note.of("Ann", "why"));
            try (Stream<LogEntry> log = served.repository.history().log("main")) {
                assertThat(log.findFirst().orElseThrow().note()).isEqualTo(Note.of("hub-writer", null));
            }
            // A plain event has no author: not even the name of who pushed it.
            try (HttpRemote hub = HttpRemote.open("http://" + served.host(), Optional.of(SECRET))) {
                Updated plain = mine.update("main", pail -> pail.putBytes("b", new byte[1]));
                Pushed unused = Exchange.of(mine, "hub", hub).push("main", PushMode.FAST_FORWARD);
                assertThat(served.repository.head("main"))
                        .isEqualTo(plain.after().head());
            }
            assertThat(newest(served.repository).note().isEmpty()).isTrue();
            assertThat(newest(served.repository).time()).isEmpty();
        }
    }

    private static HistoryEntry newest(Repository repository) {
        try (Stream<HistoryEntry> changes = repository.history().of("main")) {
            return changes.findFirst().orElseThrow();
        }
    }

    @Test
    void eachRequestNeedsATokenOfTheFile_GW16() throws IOException {
        try (Served served = served(file("# people", "", sha256(SECRET) + " read * ann"))) {
            String block = "/ipfs/" + served.raw("milk") + "?format=raw";
            for (String path : List.of(block, "/none", "/v1/info", "/healthzz", "/healthz/", "/explorer", "//")) {
                HttpResponse<byte[]> none = served.get(path);
                assertThat(none.statusCode()).as(path).isEqualTo(401);
                assertThat(Served.header(none, "WWW-Authenticate")).isEqualTo("Bearer");
                assertThat(Served.text(none)).contains("Authorization: Bearer TOKEN");
            }
            assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(served.get(block, "Authorization", "Bearer " + SECRET).statusCode())
                    .isEqualTo(200);
            assertThat(served.get(block, "authorization", "bearer  " + SECRET).statusCode())
                    .isEqualTo(200);
            assertThat(served.get("/none", "Authorization", "Bearer " + SECRET).statusCode())
                    .isEqualTo(404);
            for (String wrong : List.of(
                    "Bearer s3cret-of-anm",
                    "Bearer " + SECRET + SECRET,
                    "Bearer " + sha256(SECRET),
                    "Bearer",
                    "Basic " + SECRET,
                    SECRET,
                    "Bearer " + SECRET + " x",
                    "Bearer " + SECRET + ",Bearer " + SECRET)) {
                assertThat(served.get(block, "Authorization", wrong).statusCode())
                        .as(wrong)
                        .isEqualTo(401);
            }
            assertThat(served.get(block, "Authorization", "Bearer " + SECRET, "Authorization", "Bearer " + SECRET)
                            .statusCode())
                    .isEqualTo(401);
            assertThat(served.get(block + "&access_token=" + SECRET).statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void theStateSaysWhatATokenMayDo_GW17() throws IOException {
        Path tokens = file(
                sha256("one") + " read ** ann",
                sha256("two") + " write drafts/* bob",
                sha256("three") + " force ** eve");
        try (Served served = served(tokens)) {
            assertThat(state(served, "one")).hasToString("{name=ann, right=read, branches=[]}");
            assertThat(state(served, "two")).hasToString("{name=bob, right=write, branches=[drafts/*]}");
            assertThat(state(served, "three")).hasToString("{name=eve, right=force, branches=[**]}");
        }
        try (Served served = new Served(
                Repository.inMemory(), options -> options.withTokens(tokens).readOnly())) {
            assertThat(state(served, "three")).hasToString("{name=eve, right=read, branches=[]}");
        }
    }

    private static Object state(Served served, String token) {
        Map<String, Object> state = JsonValues.object(
                served.get("/v1/state", "Authorization", "Bearer " + token).body());
        assertThat(state).containsEntry("tokens", "true");
        return state.get("caller");
    }

    /** Behind a proxy it has the name that the proxy has; a page of another site still cannot ask. */
    @Test
    void theHostMayBeAny_GW12() throws IOException {
        try (Served served = served(file(sha256(SECRET) + " read * ann"))) {
            String head = "GET /ipfs/bafkqaaa?format=raw HTTP/1.1\r\nHost: pail.example\r\nAuthorization: Bearer "
                    + SECRET + "\r\nConnection: close\r\n";
            assertThat(served.send(head + "\r\n")).startsWith("HTTP/1.1 200");
            assertThat(served.send(head + "Origin: https://pail.example\r\n\r\n"))
                    .startsWith("HTTP/1.1 200");
            assertThat(served.send(head + "Origin: https://evil.example\r\n\r\n"))
                    .startsWith("HTTP/1.1 403");
            assertThat(served.send(head + "Origin: null\r\n\r\n")).startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void aChangeOfTheFileCountsAtOnce_GW16() throws IOException {
        Path file = file(sha256("one") + " read * ann");
        try (Served served = served(file)) {
            assertThat(status(served, "one")).isEqualTo(404);
            assertThat(status(served, "two")).isEqualTo(401);
            // As long as before, and with the same time.
            FileTime time = Files.getLastModifiedTime(file);
            file(sha256("two") + " read * ann");
            Files.setLastModifiedTime(file, time);
            assertThat(status(served, "one")).isEqualTo(401);
            assertThat(status(served, "two")).isEqualTo(404);
            Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
            assertThat(status(served, "two")).isEqualTo(404);
            file(sha256("one") + " read * ann");
            assertThat(status(served, "one")).isEqualTo(404);
        }
    }

    /** A file that cannot be used may have been changed to take a token away. */
    @Test
    void noTokenCountsWhileTheFileIsBroken_GW16() throws IOException {
        Path file = file(sha256("one") + " read * ann");
        try (Served served = served(file)) {
            assertThat(status(served, "one")).isEqualTo(404);
            file("nonsense");
            HttpResponse<byte[]> broken = served.get("/none", "Authorization", "Bearer one");
            assertThat(broken.statusCode()).isEqualTo(503);
            assertThat(Served.text(broken)).doesNotContain(folder.toString());
            file(sha256("one") + " read * ann");
            assertThat(status(served, "one")).isEqualTo(404);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
            assertThat(status(served, "one")).isEqualTo(503);
            Files.delete(file);
            assertThat(status(served, "one")).isEqualTo(503);
            assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
        }
    }

    private static int status(Served served, String token) {
        return served.get("/none", "Authorization", "Bearer " + token).statusCode();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rw---x---"})
    void aFileThatOthersMayUseIsRefused_GW16(String permissions) throws IOException {
        Path file = file(sha256(SECRET) + " read * ann");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> Tokens.of(file))
                .withMessage("others than its owner may use this file: " + file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        assertThatCode(() -> Tokens.of(file)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hash read *",
                "s3cret-of-ann read * ann",
                "HASH admin * ann",
                "HASH READ * ann",
                "HASH read * ann more",
                "HASH read * a\u001bnn",
                "HASH write [ab] ann",
                "xHASH read * ann",
                "HASH"
            })
    void aLineThatIsNoneIsNamed_GW16(String line) throws IOException {
        Path file = file("# one", sha256("other") + " force ** x", line.replace("HASH", sha256(SECRET)));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> Tokens.of(file))
                .withMessageContaining("line 3 of the file of tokens")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(SECRET))
                .satisfies(e -> assertThat(e.code()).isEqualTo("bad-server-file"));
    }

    @Test
    void filesThatAreNoneAreRefused_GW16() throws IOException {
        String line = sha256(SECRET) + " read * ann";
        Path twice = file(line, line.toUpperCase(java.util.Locale.ROOT).replace("READ", "write"));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> Tokens.of(twice))
                .withMessageContaining("line 2 of the file of tokens is a token that an earlier line has");
        Path long_ = file("#".repeat((1 << 20) + 1));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> Tokens.of(long_))
                .withMessageContaining("more than 1048576 bytes");
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> Tokens.of(folder.resolve("none")))
                .withMessageContaining("no such file");
    }

    @ParameterizedTest
    @CsvSource({
        "main,main,true",
        "main,mai,false",
        "main,mains,false",
        "*,main,true",
        "*,feature/x,false",
        "**,feature/x,true",
        "feature/*,feature/x,true",
        "feature/*,feature/x/y,false",
        "feature/**,feature/x/y,true",
        "feature/**,feature,false",
        "**/x,a/b/x,true",
        "*a*b*,xxaxxbxx,true",
        "*a*b*,xxbxxaxx,false",
        "ma?n,main,true",
        "ma?n,ma/n,false",
        "***,a/b,true",
        "a.c,abc,false"
    })
    void branchesOfAPattern_GW17(String pattern, String branch, boolean matches) {
        assertThat(BranchPattern.isValid(pattern)).isTrue();
        assertThat(new BranchPattern(pattern).matches(branch)).isEqualTo(matches);
    }

    @Test
    void rightsIncludeThoseBefore_GW17() {
        Caller reader = Caller.holder("ann", Caller.Right.READ, BranchPattern.ALL);
        Caller writer = Caller.holder("bob", Caller.Right.WRITE, new BranchPattern("drafts/*"));
        Caller forcer = Caller.holder("eve", Caller.Right.FORCE, new BranchPattern("main"));
        refused(() -> reader.checkWrite("main"), "the token of ann may not write");
        refused(() -> reader.checkForce("main"), "ann");
        writer.checkWrite("drafts/a");
        refused(() -> writer.checkWrite("main"), "the token of bob may update branches drafts/*, not \"main\"");
        refused(() -> writer.checkForce("drafts/a"), "may not move a branch to another history");
        forcer.checkWrite("main");
        forcer.checkForce("main");
        refused(() -> forcer.checkForce("drafts/a"), "eve");
        refused(() -> forcer.barred("the server is read-only").checkWrite("main"), "the server is read-only");
        refused(() -> Caller.LOCAL.barred("the server is read-only").checkForce("main"), "the server is read-only");
        refused(() -> Caller.UNKNOWN.checkWrite("main"), "may not write");
        Caller.LOCAL.checkForce("any/branch");
        Caller.LOCAL.checkErase();
        refused(forcer::checkErase, "the token of eve may not erase values");
        Caller eraser = Caller.holder("dan", Caller.Right.ERASE, BranchPattern.ALL);
        eraser.checkForce("main");
        eraser.checkErase();
        refused(() -> eraser.barred("the server is read-only").checkErase(), "the server is read-only");
        refused(
                () -> Caller.holder("dan", Caller.Right.ERASE, new BranchPattern("*"))
                        .checkErase(),
                "it must be for all: **");
    }

    private static void refused(Runnable check, String why) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(check::run)
                .withMessageContaining(why)
                .satisfies(e -> assertThat(e.status()).isEqualTo(403));
    }

    @Test
    void aReadOnlyServerReads_GW17() {
        try (Served served = new Served(Repository.inMemory(), ServerOptions::readOnly)) {
            Cid milk = served.raw("milk");
            byte[] bytes = served.get("/ipfs/" + milk + "?format=raw").body();
            assertThat(Block.verified(milk, bytes).size()).isEqualTo(4);
        }
    }
}
