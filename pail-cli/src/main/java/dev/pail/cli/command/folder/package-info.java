/** Folders of files: put, written from values, to and from CAR files. */
@NullMarked
package dev.pail.cli.command.folder;

import org.jspecify.annotations.NullMarked;
