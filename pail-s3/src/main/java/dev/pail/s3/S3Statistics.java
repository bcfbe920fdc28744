package dev.pail.s3;

/**
 * What the repositories of an {@link S3Storage} have done so far in this process.
 *
 * <pre>{@code
 * S3Storage storage = S3Storage.of(client, "my-bucket");
 * try (Repository repository = storage.open("notes")) {
 *     Pail pail = repository.pail();
 * }
 * long requests = storage.statistics().reads(); // to open it and to read the branch
 * }</pre>
 *
 * @param reads requests that read an object or ask whether it is there
 * @param lists requests that list objects
 * @param writes requests that write an object
 * @param deletes requests that delete an object
 * @param bytesRead of objects
 * @param bytesWritten of objects
 * @param retries requests that were sent again, as the bucket was busy or did not answer. The counts of requests do not include them
 * @param races updates that another writer was faster than
 * @param unknowns updates to which no answer came at first. Each was looked up afterwards
 */
public record S3Statistics(
        long reads,
        long lists,
        long writes,
        long deletes,
        long bytesRead,
        long bytesWritten,
        long retries,
        long races,
        long unknowns) {}
