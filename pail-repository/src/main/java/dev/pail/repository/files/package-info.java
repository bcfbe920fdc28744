/**
 * Repositories in folders: refs and blocks in files ({@code spec/repository.md}). {@link dev.pail.repository.files.FileRepository} is what
 * such a repository has besides {@link dev.pail.repository.Repository}.
 */
@NullMarked
package dev.pail.repository.files;

import org.jspecify.annotations.NullMarked;
