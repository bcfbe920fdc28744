/** Reading branches and logs, with the sentences of what is wrong with them. Not exported. */
@NullMarked
package dev.pail.repository.refs;

import org.jspecify.annotations.NullMarked;
