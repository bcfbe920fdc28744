package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with a small heap and many clients at once. */
@Tag("stress")
@Timeout(600)
class ServeStressTest {
    private static final int REQUESTS = 10_000;
    private static final int TRIES = 3;

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    /** Each on a connection of its own: those beyond the limit wait, and all are answered. */
    @Test
    void tenThousandRequestsAtOnceInASmallHeap_GW13() throws Exception {
        Shell shell = Shell.withRepository(folder);
        shell.put("key", 1);
        List<Cid> blocks = new ArrayList<>();
        try (Repository repository = Repository.open(shell.folder().resolve(".pail"))) {
            Random random = new Random(41);
            for (int i = 0; i < 100; i++) {
                byte[] bytes = new byte[64 << 10];
                random.nextBytes(bytes);
                Block block = Block.of(Cid.RAW, bytes);
                repository.blocks().put(block);
                blocks.add(block.cid());
            }
        }
        List<String> words = Launched.command(Main.class, "serve", "--listen", "127.0.0.1:0", "--json");
        words.add(1, "-Xmx64m");
        Launched server = Launched.start(Launched.builder(shell.folder(), words));
        String url = Answer.parse(server.readLine()).get("url").asText();
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            Cid cid = blocks.get(i % blocks.size());
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/ipfs/" + cid + "?format=raw"))
                    .build();
            answers.add(send(client, request, TRIES)
                    .thenApply(answer -> Block.verified(cid, answer.body()).size()));
        }
        for (CompletableFuture<Integer> answer : answers) {
            assertThat(answer.get()).isEqualTo(64 << 10);
        }
        server.process().toHandle().destroy();
        assertThat(server.answer().done().err()).isEmpty();
    }

    /** The system drops connections beyond those that it lets wait, and may do so after the client takes one for open. */
    private static CompletableFuture<HttpResponse<byte[]>> send(HttpClient client, HttpRequest request, int tries) {
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
        return tries == 1 ? answer : answer.exceptionallyCompose(failure -> send(client, request, tries - 1));
    }
}
