package dev.pail.server.page;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.EntityTags;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Paths;
import dev.pail.server.http.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers with a page that shows the repository in a browser, and with the files of the page. All of them are read when the server starts.
 * They hold nothing of the repository: the page asks the JSON API for that. Immutable. Rule GW21.
 */
public final class Explorer {
    private static final String FOLDER = "explorer/";
    private static final String INDEX = "index.html";

    /** The names of the files, one a line. */
    private static final String NAMES = "files.txt";

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml; charset=utf-8",
            "txt", "text/plain; charset=utf-8");

    /** The one script that stands in the page: it says which file a name in an import means. */
    private static final Pattern IMPORTS = Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

    /** What each answer has besides the policy of the page. */
    private static final List<HttpField> FIXED = List.of(
            JsonReply.NO_SNIFFING,
            new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-cache"),
            new HttpField("Referrer-Policy", "no-referrer"),
            new HttpField("Cross-Origin-Opener-Policy", "same-origin"),
            new HttpField("Cross-Origin-Resource-Policy", "same-origin"),
            new HttpField("X-Frame-Options", "DENY"));

    private final File index;

    /** By their names: what a request names is looked up here, and never opened. */
    private final Map<String, File> files = new HashMap<>();

    private final List<HttpField> headers = new ArrayList<>(FIXED);

    /** A file as it is sent. */
    private static final class File {
        final byte[] bytes;
        final String type;
        final String etag;

        File(byte[] bytes, String type) {
            this.bytes = bytes;
            this.type = type;
            this.etag = '"' + HexFormat.of().formatHex(sha256(bytes)) + '"';
        }
    }

    public Explorer() {
        for (String name : text(read(NAMES)).lines().toList()) {
            files.put(name, file(name));
        }
        index = file(INDEX);
        headers.add(new HttpField("Content-Security-Policy", policy(text(index.bytes))));
    }

    /** Adds what this answers, by the paths. */
    public void addTo(Map<String, Endpoint> endpoints) {
        endpoints.put(Paths.PAGE, (request, response, callback) -> answer(index, request, response, callback));
        endpoints.put(Paths.PAGE_FILES, this::answerFile);
    }

    private static File file(String name) {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalStateException("no content type is known for the file of the page: " + name);
        }
        return new File(read(name), type);
    }

    private static byte[] read(String name) {
        try (InputStream in = Explorer.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException("a file of the page is missing: " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** What the page may load and run: files of this server, and its one script, by the hash of the script. */
    private static String policy(String page) {
        Matcher imports = IMPORTS.matcher(page);
        if (!imports.find()) {
            throw new IllegalStateException("the page has no import map");
        }
        byte[] hash = sha256(imports.group(1).getBytes(StandardCharsets.UTF_8));
        return "default-src 'none'; script-src 'self' 'sha256-"
                + Base64.getEncoder().encodeToString(hash)
                + "'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none';"
                + " frame-ancestors 'none'";
    }

    private static byte[] sha256(byte[] bytes) {
        return Block.of(Cid.RAW, bytes).cid().digest();
    }

    private void answerFile(Request request, Response response, Callback callback) {
        File file = files.get(request.getHttpURI().getPath().substring(Paths.PAGE_FILES.length()));
        if (file == null) {
            throw Refusal.notFound("the page has no file of this name");
        }
        answer(file, request, response, callback);
    }

    private void answer(File file, Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        HttpFields.Mutable fields = response.getHeaders();
        headers.forEach(fields::put);
        fields.put(HttpHeader.ETAG, file.etag);
        ByteBuffer body = ByteBuffer.wrap(file.bytes);
        if (EntityTags.isKnown(request, file.etag)) {
            response.setStatus(HttpStatus.NOT_MODIFIED_304);
            body.limit(0);
        } else {
            fields.put(HttpHeader.CONTENT_TYPE, file.type);
            fields.put(HttpHeader.CONTENT_LENGTH, file.bytes.length);
            body.limit(HttpMethod.HEAD.is(request.getMethod()) ? 0 : file.bytes.length);
        }
        response.write(true, body, callback);
    }
}
