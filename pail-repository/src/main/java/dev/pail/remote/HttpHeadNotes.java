package dev.pail.remote;

import dev.pail.remote.wire.Messages;
import dev.pail.repository.HeadNotes;
import dev.pail.sign.HeadNote;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;

/** The signed heads of a server, by its requests to {@code /v1/signed-heads}. Safe for use by several threads. */
final class HttpHeadNotes implements HeadNotes {
    private static final String PATH = "/v1/signed-heads";

    private final HttpCalls calls;

    HttpHeadNotes(HttpCalls calls) {
        this.calls = calls;
    }

    @Override
    public List<HeadNote> all() {
        List<HeadNote> all = new ArrayList<>();
        String after = "";
        while (true) {
            List<HeadNote> page = calls.call("GET", PATH + after, HttpCalls::takesGzip, null, answer -> {
                if (answer.status == HttpURLConnection.HTTP_NOT_FOUND) {
                    // A server of version 0.2.0 keeps none.
                    answer.end();
                    return List.of();
                }
                answer.require(HttpURLConnection.HTTP_OK);
                return answer.read(Messages::readHeadNotes);
            });
            // Each page has later names than the one before, or the server is none.
            if (page.isEmpty()
                    || (!all.isEmpty()
                            && page.get(0)
                                            .name()
                                            .compareTo(all.get(all.size() - 1).name())
                                    <= 0)) {
                return all;
            }
            all.addAll(page);
            after = "?after=" + HttpCalls.encoded(page.get(page.size() - 1).name());
        }
    }

    @Override
    public Outcome keep(HeadNote note) {
        return calls.call(
                "PUT",
                PATH + "/" + HttpCalls.encoded(note.name()),
                HttpRemote::isMessage,
                body -> body.write(Messages.headNotes(List.of(note))),
                answer -> {
                    Outcome outcome = switch (answer.status) {
                        case HttpURLConnection.HTTP_CREATED -> Outcome.KEPT;
                        case HttpURLConnection.HTTP_OK -> Outcome.KNOWN;
                        case HttpURLConnection.HTTP_CONFLICT -> Outcome.CONTRADICTS;
                        case HttpURLConnection.HTTP_NOT_FOUND -> Outcome.LEFT;
                        case HttpURLConnection.HTTP_ENTITY_TOO_LARGE -> Outcome.TOO_MANY;
                        default -> throw answer.failure();
                    };
                    answer.end();
                    return outcome;
                });
    }
}
