package dev.pail.remote;

import dev.pail.Escapes;
import dev.pail.remote.wire.Messages;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.List;

/** The tags of a server, by its requests below {@code /v1/tags}. Safe for use by several threads. */
final class HttpTags {
    private static final String TAGS = "/v1/tags";

    private final HttpCalls calls;
    private final String address;

    HttpTags(HttpCalls calls, String address) {
        this.calls = calls;
        this.address = address;
    }

    /** All tags. A server of version 0.2.0 has none to exchange. */
    List<RemoteTag> all() {
        return calls.call("GET", TAGS, HttpCalls::takesGzip, null, answer -> {
            if (answer.status == HttpURLConnection.HTTP_NOT_FOUND) {
                answer.end();
                return List.of();
            }
            answer.require(HttpURLConnection.HTTP_OK);
            return answer.read(Messages::readTags);
        });
    }

    /** As {@link Remote#pushTag}. */
    boolean push(RemoteTag tag) {
        return calls.call(
                "PUT",
                TAGS + "/" + HttpCalls.encoded(tag.name()),
                HttpRemote::isMessage,
                body -> body.write(Messages.tag(tag)),
                answer -> {
                    switch (answer.status) {
                        case HttpURLConnection.HTTP_CREATED, HttpURLConnection.HTTP_OK -> {
                            answer.end();
                            return answer.status == HttpURLConnection.HTTP_CREATED;
                        }
                        case HttpAnswer.UNPROCESSABLE -> throw answer.blockFailure();
                        default -> throw tagFailure(tag, answer);
                    }
                });
    }

    /** As {@link Remote#removeTag}. */
    void remove(RemoteTag tag) {
        calls.call(
                "DELETE",
                TAGS + "/" + HttpCalls.encoded(tag.name()),
                header -> {
                    header.setRequestProperty("Accept", HttpRemote.JSON);
                    header.setRequestProperty("If-Match", "\"" + tag.token() + "\"");
                },
                null,
                answer -> {
                    if (answer.status != HttpURLConnection.HTTP_NO_CONTENT) {
                        throw tagFailure(tag, answer);
                    }
                    return tag;
                });
    }

    /** What a refusal of a tag says; or that the server has none to exchange, if it is of version 0.2.0. */
    private RuntimeException tagFailure(RemoteTag tag, HttpAnswer answer) throws IOException {
        boolean mayBeOlder = answer.status == HttpURLConnection.HTTP_NOT_FOUND;
        if (!mayBeOlder
                && answer.status != HttpURLConnection.HTTP_CONFLICT
                && answer.status != HttpURLConnection.HTTP_PRECON_FAILED) {
            return answer.failure();
        }
        Messages.Problem problem = answer.problem();
        for (RemoteException.Reason reason : List.of(
                RemoteException.Reason.NO_TAG, RemoteException.Reason.TAG_EXISTS, RemoteException.Reason.MOVED)) {
            if (problem.code().equals(reason.code())) {
                return new RemoteException(
                        reason,
                        "the remote refuses: " + address + ": " + Escapes.printable(problem.message()),
                        "a tag stays where it is: choose another name, or look at the one there",
                        null);
            }
        }
        if (mayBeOlder) {
            return RemoteException.withoutTags(address, tag);
        }
        return new RemoteException(
                RemoteException.Reason.REFUSED,
                "the remote refuses: " + address + ": " + Escapes.printable(problem.message()),
                "repair what it names, and try again",
                null);
    }
}
