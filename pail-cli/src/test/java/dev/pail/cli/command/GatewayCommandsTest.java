package dev.pail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.server.PailServer;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One version behind a trustless gateway: our own, and one that only knows {@code ?format=raw}. */
class GatewayCommandsTest {
    private static final String READS = """
            get key/3
            cat key/3
            cat large
            ls
            ls --reverse -l key/
            du
            tree
            root
            stat
            diff -p ROOT
            restore key/ --to out
            prove key/3 -o p.car
            export u.car --as unixfs
            """;

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private final AtomicInteger requests = new AtomicInteger();

    /** What the bare gateway answers with, of what it has. */
    private UnaryOperator<byte[]> sent = bytes -> bytes;

    private Shell here;
    private Shell elsewhere;
    private Repository repository;
    private PailServer server;
    private HttpServer bare;

    @BeforeEach
    void make() throws IOException {
        here = Shell.withRepository(folder, "--format", "v1");
        for (int i = 0; i < 20; i++) {
            here.run("put", "key/" + i, "--text", "text " + i, "-q").done();
        }
        byte[] large = new byte[3 << 20];
        new Random(1).nextBytes(large);
        Files.write(folder.resolve("large"), large);
        here.run("put", "large", "--file", "large", "-q").done();
        elsewhere = Shell.in(Files.createDirectory(folder.resolve("elsewhere")))
                .withVariable("XDG_CACHE_HOME", folder.resolve("cache").toString());
        repository = FileRepository.open(folder.resolve(".pail"));
        server = PailServer.over(repository).start();
        bare = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        bare.createContext("/notes/ipfs/", this::answer);
        bare.start();
    }

    @AfterEach
    void stop() {
        bare.stop(0);
        server.close();
        repository.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        String name = exchange.getRequestURI().getPath().replaceFirst(".*/", "");
        Optional<Block> block = "format=raw".equals(exchange.getRequestURI().getRawQuery())
                ? repository.blocks().get(Cid.parse(name))
                : Optional.empty();
        byte[] body = block.map(Block::bytes).map(sent).orElse(new byte[0]);
        exchange.sendResponseHeaders(block.isPresent() ? 200 : 404, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private Shell gateway(boolean isOurs, String root) {
        String address = isOurs
                ? "http://127.0.0.1:" + server.address().getPort()
                : "http://127.0.0.1:" + bare.getAddress().getPort() + "/notes";
        return elsewhere.withVariable("PAIL_STORE", "ipfs+" + address + "/" + root);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsAVersionAsFromACarFile(boolean isOurs) throws IOException {
        here.run("export", "root.car", "--at", here.root(), "-q").done();
        Shell car = Shell.in(Files.createDirectory(folder.resolve("beside")))
                .withVariable("PAIL_STORE", folder.resolve("root.car").toString());
        for (String line : READS.replace("ROOT", here.root()).lines().toList()) {
            String[] command = line.split(" ");
            Answer expected = car.run(command);
            Answer answer = gateway(isOurs, here.root()).run(command);
            assertThat(answer.err()).as(line).isEqualTo(expected.err());
            assertThat(answer.bytes()).as(line).isEqualTo(expected.bytes());
        }
        gateway(isOurs, here.root()).run("export", "all.car", "-q").done();
        elsewhere.run("-C", "all.car", "verify", "--all", "--values").done();
        int before = requests.get();
        gateway(isOurs, here.root()).run("cat", "large").done();
        assertThat(requests).hasValue(before);
    }

    @Test
    void followsTheEventsOfAnEvent() {
        String event = here.run("log", "--json", "-n", "1")
                .done()
                .json()
                .get(0)
                .get("event")
                .asText();
        Shell version = gateway(false, event);
        assertThat(version.run("log", "--oneline").done().lines())
                .isEqualTo(here.run("log", "--oneline").done().lines());
        assertThat(version.run("diff", "HEAD~3").done().text())
                .isEqualTo(here.run("diff", "main~3").done().text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"put a --text b", "rm key/1", "branch", "tag", "undo", "gc", "init", "recover", "serve", "fetch"
            })
    void whatOnlyARepositoryHasIsRefused(String command) {
        assertThat(gateway(true, here.root()).run(command.split(" ")).refused(Exit.FAILED))
                .contains("a version behind a gateway is only read", "pail import FILE");
        assertThat(requests).hasValue(0);
    }

    @Test
    void nothingThatTheGatewaySendsIsBelieved() {
        sent = bytes -> {
            byte[] other = bytes.clone();
            other[other.length - 1] ^= 1;
            return other;
        };
        assertThat(gateway(false, here.root()).run("ls").refused(Exit.DAMAGED)).contains("error: corrupt block: ");
        sent = bytes -> new byte[Block.MAX_SIZE + 1];
        assertThat(gateway(false, here.root()).run("ls").refused(Exit.FAILED))
                .contains("a block of more than " + Block.MAX_SIZE + " bytes");
        sent = bytes -> bytes;
        gateway(false, here.root()).run("ls").done();
        assertThat(gateway(false, Block.of(Cid.DAG_CBOR, new byte[] {1}).cid().toString())
                        .run("ls")
                        .refused(Exit.DAMAGED))
                .contains("missing block");
    }

    @Test
    void usage() {
        assertThat(elsewhere
                        .run("-C", "ipfs+https://gateway.example/name", "ls")
                        .refused(Exit.USAGE))
                .contains("ends with the CID of a root or an event");
        assertThat(gateway(true, here.root()).run("ls", "-b", "main").refused(Exit.USAGE))
                .contains("a gateway has no branches");
    }
}
