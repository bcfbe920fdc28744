/** Who is let in: the entrance, tokens, deadlines, places, quotas and TLS. */
@NullMarked
package dev.pail.server.access;

import org.jspecify.annotations.NullMarked;
