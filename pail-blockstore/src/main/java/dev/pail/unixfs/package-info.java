/**
 * Files and folders of UnixFS: values of any size, as trees of dag-pb nodes over raw chunks. {@link dev.pail.unixfs.UnixFs} is where to
 * start.
 */
@NullMarked
package dev.pail.unixfs;

import org.jspecify.annotations.NullMarked;
