package dev.pail.cli.command.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Launched;
import dev.pail.cli.Main;
import dev.pail.cli.Shell;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
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
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with a small heap and many clients at once. */
@Tag("stress")
@Timeout(600)
class ServeStressTest {
    private static final int REQUESTS = 10_000;
    /** Of a client that does as it is told: it drops a connection that broke, and comes back after Retry-After. */
    private static final int TRIES = 20;

    /** Clients that are told to come back at the same time come at different ones, or all but a few are refused once more. */
    private static final int SPREAD_SECONDS = 30;

    private final Random random = new Random(41);

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    /** Each on a connection of its own: those beyond the limit wait, or are told to come back, and all are answered. */
    @Test
    void tenThousandRequestsAtOnceInASmallHeap_GW13() throws Exception {
        Shell shell = Shell.withRepository(folder);
        shell.put("key", 1);
        List<Cid> blocks = new ArrayList<>();
        try (Repository repository = FileRepository.open(shell.folder().resolve(".pail"))) {
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

    /**
     * The answer with the block. The system drops connections beyond those that it lets wait, and may do so after the client takes one for open.
     * The server refuses requests beyond those that it answers (GW25).
     */
    private CompletableFuture<HttpResponse<byte[]>> send(HttpClient client, HttpRequest request, int tries) {
        if (tries == 0) {
            return CompletableFuture.failedFuture(new AssertionError("not answered after " + TRIES + " requests"));
        }
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                .exceptionallyCompose(failure -> send(client, request, tries - 1))
                .thenCompose(answer -> {
                    if (answer.statusCode() != 503) {
                        assertThat(answer.statusCode()).isEqualTo(200);
                        return CompletableFuture.completedFuture(answer);
                    }
                    long seconds =
                            answer.headers().firstValueAsLong("Retry-After").orElseThrow();
                    Executor later = CompletableFuture.delayedExecutor(
                            seconds + random.nextInt(SPREAD_SECONDS), TimeUnit.SECONDS);
                    return CompletableFuture.runAsync(() -> {}, later)
                            .thenCompose(pause -> send(client, request, tries - 1));
                });
    }
}
