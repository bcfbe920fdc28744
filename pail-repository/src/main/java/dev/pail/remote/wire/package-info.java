/** The messages between a client and a server that exchange versions over HTTP ({@code spec/sync.md}). For the server of this project. */
@NullMarked
package dev.pail.remote.wire;

import org.jspecify.annotations.NullMarked;
