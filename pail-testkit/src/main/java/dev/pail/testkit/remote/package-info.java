/** The contract of remotes as tests. */
@NullMarked
package dev.pail.testkit.remote;

import org.jspecify.annotations.NullMarked;
