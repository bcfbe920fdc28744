/** The JSON API: versions, values, histories, tables, and writes. */
@NullMarked
package dev.pail.server.api;

import org.jspecify.annotations.NullMarked;
