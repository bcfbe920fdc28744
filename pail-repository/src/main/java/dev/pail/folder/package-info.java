/** Folders of files as maps: scanned and put into a branch, and written from values. */
@NullMarked
package dev.pail.folder;

import org.jspecify.annotations.NullMarked;
