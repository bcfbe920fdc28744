package dev.pail.remote;

import dev.pail.remote.wire.ErasureMessages;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.spi.Erasures;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;

/** The records of erased blocks of a server, by its requests to {@code /v1/erasures}. Safe for use by several threads. */
final class HttpErasures {
    private static final String PATH = "/v1/erasures";

    private final HttpCalls calls;

    HttpErasures(HttpCalls calls) {
        this.calls = calls;
    }

    /** As {@link Remote#erasures}. */
    List<Erasure> all() {
        List<Erasure> all = new ArrayList<>();
        String after = "";
        while (true) {
            List<Erasure> page = calls.call("GET", PATH + after, HttpCalls::takesGzip, null, answer -> {
                if (answer.status == HttpURLConnection.HTTP_NOT_FOUND) {
                    answer.end();
                    return List.of();
                }
                answer.require(HttpURLConnection.HTTP_OK);
                return answer.read(ErasureMessages::read);
            });
            all.addAll(page);
            // Each page has a later CID than the one before, or the server is none.
            if (page.isEmpty() || all.size() > Erasures.MOST) {
                return all;
            }
            after = "?after=" + page.get(page.size() - 1).cid();
        }
    }

    /** Gives records to the server; returns false if it takes none. */
    boolean add(List<Erasure> records) {
        for (List<Erasure> portion : ErasureMessages.portions(records)) {
            boolean isTaken = calls.call(
                    "POST", PATH, HttpRemote::isMessage, body -> body.write(ErasureMessages.of(portion)), answer -> {
                        if (answer.status == HttpURLConnection.HTTP_NOT_FOUND) {
                            answer.end();
                            return false;
                        }
                        answer.require(HttpURLConnection.HTTP_OK);
                        return true;
                    });
            if (!isTaken) {
                return false;
            }
        }
        return true;
    }
}
