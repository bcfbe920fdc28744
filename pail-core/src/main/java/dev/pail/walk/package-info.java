/**
 * Going through versions in order: entries, and differences between two.
 *
 * <p>Not API: this package is not exported, and changes without notice.
 */
@NullMarked
package dev.pail.walk;

import org.jspecify.annotations.NullMarked;
