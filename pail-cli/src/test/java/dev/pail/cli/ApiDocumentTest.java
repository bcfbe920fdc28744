package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.terminal.Terminal;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryServer;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Note;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of the pages on the JSON API and on the exchange are what a server answers, one after the other. */
class ApiDocumentTest {
    /** In seconds: pages show the CIDs of events. */
    private static final String TIME_OF_EVENTS = "1795918480";

    private static final Path PROJECT = Path.of(System.getProperty("pail.project", ".."));
    /** What makes the repository of the examples; a server in the background is that of another session. */
    private static final Pattern COMMAND = Pattern.compile("\\$ (?:echo '(.*)' \\| )?pail ([^&\\n]*)\\n");

    /** A request, and the answer if it is JSON. */
    private static final Pattern EXAMPLE =
            Pattern.compile("```http\\n(.*?)```\\n(?:\\n```json\\n(.*?)```)?", Pattern.DOTALL);

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");

    private static final Pattern CID = Pattern.compile("\\bbafy[a-z2-7]{55}\\b");

    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"docs/api.md, 16", "spec/sync.md, 3"})
    @Timeout(120)
    void examplesAreWhatTheServerAnswers(String name, int least) throws IOException, InterruptedException {
        String page = Files.readString(PROJECT.resolve(name));
        COMMAND.matcher(page).results().forEach(this::run);
        RepositoryServer server =
                ServiceLoader.load(RepositoryServer.class).findFirst().orElseThrow();
        int examples = 0;
        try (Repository repository = FileRepository.open(FileRepository.in(folder.resolve("api")))
                        .withNote(Note.NONE, Instant.ofEpochSecond(Long.parseLong(TIME_OF_EVENTS)));
                RepositoryServer.Running running = server.over(repository)
                        .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .start()) {
            String address = "http://127.0.0.1:" + running.address().getPort();
            for (Matcher example = EXAMPLE.matcher(Files.readString(PROJECT.resolve(name)));
                    example.find();
                    examples++) {
                HttpResponse<String> response = ask(address, example.group(1));
                if (example.group(2) == null) {
                    assertThat(response.statusCode()).as(example.group(1)).isEqualTo(200);
                } else {
                    String expected = example.group(2).replaceAll("\\n *", "");
                    if (System.getProperty("pail.write") != null) {
                        page = withCids(page, expected, response.body());
                    } else {
                        assertThat(withoutChance(response.body()))
                                .as(example.group(1))
                                .isEqualTo(withoutChance(expected));
                    }
                }
            }
        }
        assertThat(examples).isGreaterThanOrEqualTo(least);
        if (System.getProperty("pail.write") != null) {
            Files.writeString(PROJECT.resolve(name), page);
        }
    }

    /** A page with the CIDs of an answer in the place of those that it shows. */
    private static String withCids(String page, String shown, String answer) {
        List<String> before = cids(shown);
        List<String> after = cids(answer);
        assertThat(after).as(answer).hasSameSizeAs(before);
        String written = page;
        for (int i = 0; i < before.size(); i++) {
            written = written.replace(before.get(i), after.get(i));
        }
        return written;
    }

    private static List<String> cids(String text) {
        return CID.matcher(text).results().map(MatchResult::group).toList();
    }

    private static String withoutChance(String text) {
        return ID.matcher(TIME.matcher(text).replaceAll("TIME")).replaceAll("ID");
    }

    private void run(MatchResult command) {
        String input = command.group(1) == null ? "" : command.group(1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new Terminal.Streams(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), out, out),
                Map.of("SOURCE_DATE_EPOCH", TIME_OF_EVENTS),
                folder);
        Cli.run(terminal, command.group(2).split(" "));
        assertThat(out.toString(StandardCharsets.UTF_8)).as(command.group()).isEmpty();
    }

    /** @param example a line with method and path, headers, and behind an empty line the body */
    private static HttpResponse<String> ask(String address, String example) throws IOException, InterruptedException {
        String[] parts = example.split("\\n\\n", 2);
        List<String> lines = parts[0].lines().toList();
        String[] first = lines.get(0).split(" ", 2);
        String path = first[1].replace("{", "%7B").replace("}", "%7D");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path));
        for (String header : lines.subList(1, lines.size())) {
            String[] field = header.split(": ", 2);
            request.header(field[0], field[1]);
        }
        HttpRequest.BodyPublisher body = parts.length == 1
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(parts[1].stripTrailing());
        return HttpClient.newHttpClient()
                .send(request.method(first[0], body).build(), HttpResponse.BodyHandlers.ofString());
    }
}
