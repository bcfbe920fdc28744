/**
 * Files of UnixFS: values of any size, as a tree of dag-pb nodes over raw chunks.
 *
 * <p>Not API yet: this package is not exported.
 */
@NullMarked
package dev.pail.unixfs;

import org.jspecify.annotations.NullMarked;
