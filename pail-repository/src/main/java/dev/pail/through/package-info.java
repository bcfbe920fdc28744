/** Repositories whose blocks are read from a remote when they are needed: those of a server, and copies that have a part. */
@NullMarked
package dev.pail.through;

import org.jspecify.annotations.NullMarked;
