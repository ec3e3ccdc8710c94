// Files of a component: JavaScript has no `fs` there, so this is WASI's, with `readFile` and
// `writeFile` on top. Only what the host preopened can be reached.

import { Failure } from './failure.js';

/**
 * @typedef {import('wasi:filesystem/types@0.2.10').Descriptor} Descriptor
 * @typedef {import('./lines.js').ReadableFile} ReadableFile
 */

/** WASI reads at most this much at once. */
const CHUNK = 64 * 1024;

/**
 * Gives a handle back: a component may hold only so many. Engines without the symbol have it by name.
 * @param {any} handle
 */
function close(handle) {
  handle[Symbol.dispose ?? Symbol.for('dispose')]?.();
}

/** The directories that the host preopened. */
export class Files {
  /** @param {() => [Descriptor, string][]} getDirectories of `wasi:filesystem/preopens` */
  constructor(getDirectories) {
    this.getDirectories = getDirectories;
    /**
     * Asked for once, and not before a file is: each answer opens the directories anew.
     * @type {[Descriptor, string][] | undefined}
     */
    this.directories = undefined;
  }

  /**
   * Opens a file to read.
   * @param {string} path
   * @returns {ReadableFile & { close(): void }}
   */
  open(path) {
    const file = this.#at(path, (directory, name) =>
      directory.openAt({ symlinkFollow: true }, name, {}, { read: true }),
    );
    return {
      read: (length, offset) => {
        const most = BigInt(Math.min(length, CHUNK));
        return attempt(path, () => file.read(most, BigInt(offset))[0]);
      },
      size: () => Number(attempt(path, () => file.stat()).size),
      close: () => close(file),
    };
  }

  /**
   * Writes a new file, with the folders above it.
   * @param {string} path
   * @param {Uint8Array} bytes
   */
  writeFile(path, bytes) {
    const parts = path.split('/').filter((part) => part !== '');
    for (let depth = 2; depth < parts.length; depth += 1) {
      const folder = `/${parts.slice(0, depth).join('/')}`;
      this.#at(folder, (directory, name) => {
        try {
          directory.createDirectoryAt(name);
        } catch (error) {
          if (codeOf(error) !== 'exist') throw error;
        }
      });
    }
    const file = this.#at(path, (directory, name) =>
      directory.openAt({}, name, { create: true, exclusive: true }, { write: true }),
    );
    let written = 0;
    while (written < bytes.length) {
      const part = bytes.subarray(written, written + CHUNK);
      written += Number(attempt(path, () => file.write(part, BigInt(written))));
    }
    close(file);
  }

  /**
   * @template T
   * @param {string} path
   * @param {(directory: Descriptor, name: string) => T} visit
   * @returns {T}
   */
  #at(path, visit) {
    // The longest preopen that the path lies in; `/` is one, and empty.
    this.directories ??= this.getDirectories();
    const found = this.directories
      .filter(([, name]) => path === name || path.startsWith(name === '/' ? name : `${name}/`))
      .sort(([, left], [, right]) => right.length - left.length)[0];
    if (!found) throw new Failure('io', `nothing is granted that holds \`${path}\``);
    const [directory, name] = found;
    const rest = path.slice(name.length).replace(/^\/+/, '') || '.';
    return attempt(path, () => visit(directory, rest));
  }
}

/**
 * @template T
 * @param {string} path
 * @param {() => T} call
 * @returns {T}
 */
function attempt(path, call) {
  try {
    return call();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const retryable = code !== 'no-entry' && code !== 'access' && code !== 'not-permitted';
    throw new Failure('io', `could not use \`${path}\`: ${code}`, { retryable });
  }
}

/** @param {any} error */
function codeOf(error) {
  const code = error?.payload ?? error;
  return typeof code === 'string' ? code : undefined;
}
