/** Repositories in a bucket of S3. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"
}) // The SDK has no module descriptors.
module dev.pail.s3 {
    requires transitive dev.pail.repository;
    requires transitive software.amazon.awssdk.services.s3;
    // Not transitive: who is compiled against this module does not have the annotations.
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires com.github.benmanes.caffeine;
    requires software.amazon.awssdk.auth;
    requires software.amazon.awssdk.awscore;
    requires software.amazon.awssdk.core;
    requires software.amazon.awssdk.http;
    requires software.amazon.awssdk.http.urlconnection;
    requires software.amazon.awssdk.regions;
    requires software.amazon.awssdk.retries;

    exports dev.pail.s3;

    provides dev.pail.repository.spi.RepositoryLocator with
            dev.pail.s3.S3Locator;
}
