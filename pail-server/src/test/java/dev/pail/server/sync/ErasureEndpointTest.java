package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.ErasureExchange;
import dev.pail.remote.Exchange;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.PushMode;
import dev.pail.remote.Remote;
import dev.pail.remote.RemoteException;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.Note;
import dev.pail.server.Served;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Marks of erased blocks over HTTP. */
class ErasureEndpointTest {
    @TempDir
    Path folder;

    private Repository repository(String name) {
        return FileRepository.init(folder.resolve(name), ShardFormat.v1());
    }

    private static Cid put(Repository repository, String key, String text) {
        Pail pail = repository
                .update("main", before -> before.putBytes(key, text.getBytes(StandardCharsets.UTF_8)))
                .pail();
        return pail.get(key).orElseThrow();
    }

    private static Remote remote(Served served, String token) {
        return HttpRemote.open("http://" + served.host(), Optional.of(token));
    }

    private Path tokens() throws IOException {
        Path file = folder.resolve("tokens");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.write(file, List.of(hash("ann") + " force ** ann", hash("bob") + " erase ** bob"));
    }

    private static String hash(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void marksTravelToTheRemoteAndToOtherClones_ER10() throws IOException {
        Path file = tokens();
        Repository there = repository("there");
        Cid secret = put(there, "secret", "a secret that leaked");
        Cid other = put(there, "other", "stays");
        try (Served served = new Served(there, options -> options.withTokens(file));
                Repository one = repository("one");
                Repository two = repository("two")) {
            Exchange.of(one, "origin", remote(served, "ann")).fetch("main");
            Exchange.of(two, "origin", remote(served, "ann")).fetch("main");
            one.withNote(Note.of("Ann", "leaked")).maintenance().erasing().erase(List.of(secret));

            assertThatThrownBy(
                            () -> ErasureExchange.of(one, remote(served, "ann")).push())
                    .isInstanceOfSatisfying(
                            RemoteException.class,
                            e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.REFUSED));
            assertThat(there.blocks().has(secret)).isTrue();
            assertThat(ErasureExchange.of(one, remote(served, "bob")).push()).isEqualTo(1);
            assertThat(ErasureExchange.of(one, remote(served, "ann")).push()).isZero();
            assertThat(there.blocks().isErased(secret)).isTrue();
            assertThat(there.blocks().has(other)).isTrue();
            assertThat(there.maintenance().erasing().left()).isEmpty();
            assertThat(there.maintenance().erasing().records().get(0).note()).isEqualTo(Note.of("Ann", "leaked"));

            List<Erasure> taken = ErasureExchange.of(two, remote(served, "ann")).fetch();
            assertThat(taken).extracting(Erasure::cid).containsExactly(secret.raw());
            assertThat(two.blocks().get(secret)).isEmpty();
            assertThat(two.maintenance().erasing().finish()).containsExactly(secret.raw());
            assertThat(ErasureExchange.of(two, remote(served, "ann")).fetch()).isEmpty();

            // A peer without the mark sends the block again, and the remote leaves it out.
            try (Repository old = repository("old")) {
                put(old, "again", "a secret that leaked");
                old.branches().create("draft", old.head("main"));
                Exchange.of(old, "origin", remote(served, "ann")).push("draft", PushMode.FAST_FORWARD);
            }
            assertThat(there.pail("draft").get("again")).contains(secret);
            assertThat(there.blocks().has(secret)).isFalse();
            HttpResponse<byte[]> gone = served.get("/ipfs/" + secret + "?format=raw", "Authorization", "Bearer ann");
            assertThat(gone.statusCode()).isEqualTo(410);
            assertThat(Served.text(gone)).contains("erased");

            one.maintenance().erasing().allow(secret);
            assertThat(ErasureExchange.of(one, remote(served, "bob")).push()).isEqualTo(1);
            assertThat(there.blocks().isErased(secret)).isFalse();
        }
    }

    @Test
    void longListsComeInPages_ER10() {
        Repository there = repository("there");
        List<Cid> cids = new ArrayList<>();
        IntStream.range(0, 1201)
                .forEach(i -> cids.add(Block.of(Cid.RAW, ("block " + i).getBytes(StandardCharsets.US_ASCII))
                        .cid()));
        there.maintenance().erasing().erase(cids);
        try (Served served = new Served(there);
                Repository here = repository("here")) {
            Remote remote = HttpRemote.open("http://" + served.host(), Optional.empty());
            assertThat(ErasureExchange.of(here, remote).fetch()).hasSize(1201);
            assertThat(here.maintenance().erasing().left()).isEmpty();
            assertThat(remote.erasures())
                    .containsExactlyElementsOf(there.maintenance().erasing().records());
        }
    }

    @Test
    void otherMessagesAreRefused_ER10() {
        try (Served served = new Served(repository("there"))) {
            for (String body : List.of(
                    "",
                    "{}",
                    "{\"erasures\":1}",
                    "{\"erasures\":[1]}",
                    "{\"erasures\":[{\"state\":\"gone\"}]}",
                    "{\"erasures\":[{\"state\":\"erased\",\"cid\":\"x\",\"value\":\"x\",\"time\":\"x\"}]}",
                    "{\"erasures\":[{\"state\":\"erased\",\"cid\":\"bafkqaaa\",\"value\":\"bafkqaaa\",\"time\":\"2026-01-01T00:00:00Z\"}]}")) {
                assertThat(served.ask("POST", "/v1/erasures", HttpRequest.BodyPublishers.ofString(body))
                                .statusCode())
                        .as(body)
                        .isEqualTo(400);
            }
            assertThat(served.get("/v1/erasures?after=x").statusCode()).isEqualTo(400);
            assertThat(served.ask("DELETE", "/v1/erasures").statusCode()).isEqualTo(405);
        }
    }
}
