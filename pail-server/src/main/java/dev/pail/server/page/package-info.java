/** The page that shows the repository in a browser. */
@NullMarked
package dev.pail.server.page;

import org.jspecify.annotations.NullMarked;
