// The component: hands the draft and the host's table of memory types to the plugin.

import { memoryTypes } from 'acreta:host/registry@0.1.0';
import { getDirectories } from 'wasi:filesystem/preopens@0.2.10';

import * as plugin from './plugin.js';
import { Files } from './vendor/acreta-sdk/files.js';

const files = new Files(getDirectories);
const encoder = new TextEncoder();

/** @satisfies {typeof import('acreta:memory-writer/memory-writer@0.1.0')} */
export const memoryWriter = {
  apply: (context, actions) =>
    plugin.apply(context, actions, memoryTypes(), (path, text) =>
      files.writeFile(`/draft/${path}`, encoder.encode(text)),
    ),
};
