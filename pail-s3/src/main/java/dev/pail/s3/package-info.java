/** Repositories in a bucket of S3. */
@NullMarked
package dev.pail.s3;

import org.jspecify.annotations.NullMarked;
