// The component: hands files and the host's sink to the plugin.

import { diagnose, emit } from 'acreta:host/sink@0.1.0';
import { getDirectories } from 'wasi:filesystem/preopens@0.2.10';

import * as plugin from './plugin.js';
import { Files } from './vendor/acreta-sdk/files.js';

const files = new Files(getDirectories);
const sink = { emit, diagnose };

/** @satisfies {typeof import('acreta:adapter/adapter@0.1.0')} */
export const adapter = {
  describe: plugin.describe,
  sessions: (path) => plugin.sessions(path, files),
  read: (session, from) => plugin.read(session, from, files, sink),
};
