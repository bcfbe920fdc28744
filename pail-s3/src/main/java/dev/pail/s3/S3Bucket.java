package dev.pail.s3;

import dev.pail.StoreIOException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** The objects below a prefix of a bucket, by the SDK. It sends a request again if the bucket is busy or does not answer. */
final class S3Bucket implements Bucket {
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int EXISTS = 412;
    private static final int NO_RANGE = 416;
    private static final int SERVER = 500;
    private static final int NOT_IMPLEMENTED = 501;
    private static final String CANNOT_READ = "cannot read an object";

    /** How often an answer is read that is cut short. */
    private static final int MOST_READS = 3;

    /** What closes the client, if this has made it. */
    interface Closing {
        void close();
    }

    private final S3Client client;
    private final Closing closing;
    private final String name;
    private final String prefix;

    /**
     * The objects of a bucket.
     *
     * @param prefix empty, or one that ends with a slash
     */
    S3Bucket(S3Client client, Closing closing, String name, String prefix) {
        this.client = client;
        this.closing = closing;
        this.name = name;
        this.prefix = prefix;
    }

    @Override
    public Optional<byte[]> get(String key) {
        return read(
                key, GetObjectRequest.builder().bucket(name).key(prefix + key).build(), MAX_SIZE);
    }

    @Override
    public Optional<byte[]> get(String key, long from, int length) {
        if (length == 0) {
            return Optional.of(new byte[0]);
        }
        GetObjectRequest request = GetObjectRequest.builder()
                .bucket(name)
                .key(prefix + key)
                .range("bytes=" + from + "-" + (from + length - 1))
                .build();
        return read(key, request, length);
    }

    private Optional<byte[]> read(String key, GetObjectRequest request, int most) {
        for (int reads = 1; ; reads++) {
            try {
                return once(key, request, most);
            } catch (IOException e) {
                // The SDK sends a request again, but not after it has begun to hand over the answer.
                if (reads == MOST_READS) {
                    throw new StoreIOException(CANNOT_READ, where(key), e);
                }
            }
        }
    }

    private Optional<byte[]> once(String key, GetObjectRequest request, int most) throws IOException {
        try (ResponseInputStream<GetObjectResponse> in = client.getObject(request)) {
            return Optional.of(bytes(in, key, most));
        } catch (SdkException e) {
            if (status(e) == NOT_FOUND && !S3Failure.NO_BUCKET.equals(code(e))) {
                return Optional.empty();
            }
            if (status(e) == NO_RANGE) {
                // The object is shorter than it should be.
                return Optional.of(new byte[0]);
            }
            throw failed(CANNOT_READ, key, e);
        }
    }

    private byte[] bytes(ResponseInputStream<GetObjectResponse> in, String key, int most) throws IOException {
        byte[] bytes = in.readNBytes(most);
        Long length = in.response().contentLength();
        // The client of the JDK says nothing of an answer that is cut short.
        if (length != null && bytes.length < Math.min(length, most)) {
            throw new IOException("the answer ends after " + bytes.length + " of " + length + " bytes");
        }
        if (bytes.length == most && in.read() >= 0) {
            throw new StoreIOException(CANNOT_READ, where(key), "it has more than " + most + " bytes", null);
        }
        return bytes;
    }

    @Override
    public OptionalLong size(String key) {
        try {
            return OptionalLong.of(client.headObject(HeadObjectRequest.builder()
                            .bucket(name)
                            .key(prefix + key)
                            .build())
                    .contentLength());
        } catch (SdkException e) {
            if (status(e) == NOT_FOUND) {
                return OptionalLong.empty();
            }
            throw failed("cannot look for an object", key, e);
        }
    }

    @Override
    public boolean create(String key, byte[] content) {
        PutObjectRequest request = PutObjectRequest.builder()
                .bucket(name)
                .key(prefix + key)
                .ifNoneMatch("*")
                .build();
        try {
            Object unused = client.putObject(request, RequestBody.fromBytes(content));
            return true;
        } catch (SdkException e) {
            int status = status(e);
            if (status == EXISTS) {
                return false;
            }
            StoreIOException failure = failed("cannot create an object", key, e);
            // 409: another request for this key is under way.
            boolean isUnknown = status == 0 || status == CONFLICT || (status >= SERVER && status != NOT_IMPLEMENTED);
            throw isUnknown ? new UnansweredException(failure) : failure;
        }
    }

    @Override
    public void put(String key, byte[] content) {
        try {
            Object unused = client.putObject(
                    PutObjectRequest.builder().bucket(name).key(prefix + key).build(), RequestBody.fromBytes(content));
        } catch (SdkException e) {
            throw failed("cannot write an object", key, e);
        }
    }

    @Override
    public boolean replace(String key, byte[] before, byte[] content) {
        GetObjectRequest read =
                GetObjectRequest.builder().bucket(name).key(prefix + key).build();
        try {
            ResponseBytes<GetObjectResponse> now = client.getObjectAsBytes(read);
            if (!Arrays.equals(now.asByteArray(), before)) {
                return false;
            }
            Object unused = client.putObject(
                    PutObjectRequest.builder()
                            .bucket(name)
                            .key(prefix + key)
                            .ifMatch(now.response().eTag())
                            .build(),
                    RequestBody.fromBytes(content));
            return true;
        } catch (SdkException e) {
            if (status(e) == EXISTS || status(e) == CONFLICT) {
                return false;
            }
            throw failed("cannot overwrite an object", key, e);
        }
    }

    @Override
    public List<Listed> list(String start, String after, int most) {
        ListObjectsV2Request request = ListObjectsV2Request.builder()
                .bucket(name)
                .prefix(prefix + start)
                .startAfter(prefix + after)
                .maxKeys(most)
                .build();
        try {
            List<Listed> found = new ArrayList<>();
            client.listObjectsV2(request)
                    .contents()
                    .forEach(each -> found.add(
                            new Listed(each.key().substring(prefix.length()), each.size(), each.lastModified())));
            return found;
        } catch (SdkException e) {
            throw failed("cannot list objects", start, e);
        }
    }

    @Override
    public void delete(String key) {
        try {
            Object unused = client.deleteObject(
                    DeleteObjectRequest.builder().bucket(name).key(prefix + key).build());
        } catch (SdkException e) {
            throw failed("cannot delete an object", key, e);
        }
    }

    /** The status of an answer; 0, if there was none. */
    private static int status(SdkException e) {
        return e instanceof AwsServiceException answer ? answer.statusCode() : 0;
    }

    private static @Nullable String code(SdkException e) {
        return e instanceof AwsServiceException answer && answer.awsErrorDetails() != null
                ? answer.awsErrorDetails().errorCode()
                : null;
    }

    /** Whether the bucket does not permit what was asked. */
    static boolean isForbidden(StoreIOException failure) {
        return failure.getCause() instanceof AwsServiceException cause && cause.statusCode() == FORBIDDEN;
    }

    private StoreIOException failed(String what, String key, SdkException e) {
        if (e instanceof AwsServiceException answer) {
            AwsErrorDetails details = answer.awsErrorDetails();
            String message = details == null ? null : details.errorMessage();
            return S3Failure.answered(what, where(key), answer.statusCode(), code(e), message, e);
        }
        String server = client.serviceClientConfiguration()
                .endpointOverride()
                .map(URI::getAuthority)
                .orElse("AWS");
        return S3Failure.unanswered(what, where(key), server, e);
    }

    @Override
    public String location() {
        return "s3://" + name + (prefix.isEmpty() ? "" : "/" + prefix.substring(0, prefix.length() - 1));
    }

    @Override
    public void close() {
        closing.close();
    }
}
