/** What peers ask that fetch, push, erase or watch. */
@NullMarked
package dev.pail.server.sync;

import org.jspecify.annotations.NullMarked;
