/** What the endpoints share: the request, its sender and its body, the memory that it takes, and the answers. */
@NullMarked
package dev.pail.server.http;

import org.jspecify.annotations.NullMarked;
