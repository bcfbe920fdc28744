/**
 * Files and folders of UnixFS: values of any size, as trees of dag-pb nodes over raw chunks. Start at {@link dev.pail.unixfs.UnixFs}.
 */
@NullMarked
package dev.pail.unixfs;

import org.jspecify.annotations.NullMarked;
