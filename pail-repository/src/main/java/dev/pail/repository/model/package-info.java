/**
 * The values that a repository takes and returns: names of refs, snapshots, log entries, options, results and errors. They know no
 * repository.
 */
@NullMarked
package dev.pail.repository.model;

import org.jspecify.annotations.NullMarked;
