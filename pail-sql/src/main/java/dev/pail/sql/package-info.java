/** SQL over the tables of any version: {@link dev.pail.sql.PailSql}. */
@NullMarked
package dev.pail.sql;

import org.jspecify.annotations.NullMarked;
